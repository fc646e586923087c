import Foundation
import TestSupport
import Testing

/// `--totals`.
@Suite struct TotalsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/one", String(repeating: "1", count: 5000))
    try folder.makeFile("src/a/deep/two", "22")
    try folder.makeFile("src/b/three", "333")
    try folder.makeFolder("src/c")
    for name in ["src/b/also-one", "src/b/one-again"] {
      try FileManager.default.linkItem(atPath: folder("src/a/one"), toPath: folder(name))
    }
    try folder.makeFile("src/four", "4444")
    try folder.makeLink("src/a/link", to: "one")
  }

  private func map(
    _ arguments: [String], status: Int32 = 0, launcher: [String] = []
  ) throws -> WrittenMap {
    let outcome = try Geomapper.run(
      ["map", "--totals"] + arguments, in: folder.path, launcher: launcher)
    #expect(outcome.status == status, "\(outcome.errorText)")
    return try WrittenMap(outcome.output)
  }

  private func totals(_ map: WrittenMap, _ path: String) -> [Int?] {
    ["files", "bytes"].map { map[path]?[$0] as? Int }
  }

  @Test func foldersHaveFilesAndBytes() throws {
    let written = try map(["src"])
    #expect(totals(written, "src/a/deep") == [1, 2])
    #expect(totals(written, "src/a") == [3, 5000 + 2 + 3])
    #expect(totals(written, "src/b") == [2, 5000 + 3])
    #expect(totals(written, "src/c") == [0, 0])
    #expect(totals(written, "src") == [5, 5000 + 2 + 3 + 3 + 4])
    // One of the names is in another root: each root counts its own.
    let two = try map(["src", "inner=src/b"])
    #expect(totals(two, "inner") == [2, 5003])
    #expect(totals(two, "src") == [5, 5012])
    for path in written.paths where written[path]?["kind"] as? String == "poi" {
      #expect(totals(written, path) == [nil, nil])
    }
  }

  @Test func allocatedBytesEqualTheFileSystem() throws {
    #expect(truncate(folder("src/four"), 1 << 30) == 0)
    let written = try map(["src"])
    let one = try Subprocess.run("/usr/bin/env", ["stat", "-c", "%b", folder("src/b/one-again")])
    let three = try Subprocess.run("/usr/bin/env", ["stat", "-c", "%b", folder("src/b/three")])
    let blocks = [one, three].compactMap { Int($0.text.filter(\.isNumber)) }
    #expect(written["src/b"]?["allocated"] as? Int == blocks.reduce(0, +) * 512)
    #expect(totals(written, "src")[1] == 5008 + 1 << 30)
    #expect(written["src"]?["allocated"] as? Int ?? 0 < 1 << 20)
  }

  @Test func membersFollowTheSize() throws {
    let text = try Geomapper.run(["map", "--totals", "src/c"], in: folder.path).text
    #expect(text.contains(#""size":0,"files":0,"bytes":0,"allocated":0,"modified":"#))
  }

  @Test func totalsOnlyAddMembers() throws {
    let usual = try Geomapper.run(["map", "src"], in: folder.path).text
    let counted = try Geomapper.run(["map", "--totals", "src"], in: folder.path).text
    let pattern = /"files":\d+,"bytes":\d+,"allocated":\d+,/
    #expect(counted.replacing(pattern, with: "") == usual)
    for threads in ["1", "2", "7"] {
      let again = try Geomapper.run(
        ["map", "--totals", "--threads", threads, "src"], in: folder.path)
      #expect(again.text == counted)
    }
  }

  @Test func excludedEntriesCount() throws {
    let whole = try map(["src"])
    for options in [
      ["--exclude=a/**", "--no-hidden"], ["--max-depth=0"], ["--max-depth=1", "--exclude=b"],
      ["--type=d"], ["--zoom=1"], ["--bbox=-180,-90,180,90"], ["--size=+1G"],
    ] {
      let part = try map(["src"] + options)
      #expect(!part.paths.isEmpty)
      for path in part.paths { #expect(totals(part, path) == totals(whole, path)) }
    }
  }

  @Test func followedLinksAreCountedOnceToo() throws {
    try folder.makeFile("elsewhere/five", "55555")
    try folder.makeLink("src/c/there", to: "../../elsewhere")
    try folder.makeLink("src/c/there-too", to: "../../elsewhere")
    try folder.makeLink("src/c/up", to: "..")
    let written = try map(["-L", "src"])
    #expect(totals(written, "src/c/there") == [1, 5])
    #expect(totals(written, "src/c/there-too") == [1, 5])
    #expect(totals(written, "src/c/up") == [nil, nil])
    #expect(totals(written, "src/c") == [1, 5])
    // The target of the link in `a` is in the tree anyway.
    #expect(totals(written, "src/a") == [2, 5002])
    #expect(totals(written, "src") == [5, 5000 + 2 + 3 + 4 + 5])
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func unreadableFoldersAreNamedOnce() throws {
    try folder.setMode("src/a/deep", 0)
    for options in [[], ["--exclude=a"], ["--max-depth=0"]] {
      let outcome = try Geomapper.run(
        ["map", "--totals", "src"] + options, in: folder.path,
        launcher: Geomapper.unprivileged ?? [])
      #expect(outcome.status == 1)
      #expect(outcome.errorText == "geomapper: src/a/deep: Permission denied\n")
      let written = try WrittenMap(outcome.output)
      #expect(totals(written, "src") == [4, 5010])
      #expect(totals(written, "src/a/deep") == [nil, nil])
    }
  }

  @Test func totalsNeedMetadataAndAMember() throws {
    for (option, word) in [
      ("--format=gpx", "--format gpx"), ("--no-stat", "--no-stat"),
    ] {
      let outcome = try Geomapper.run(["map", "--totals", option, "src"], in: folder.path)
      #expect(outcome.status == 2)
      #expect(outcome.errorText.contains("--totals"))
      #expect(outcome.errorText.contains(word))
    }
  }

  @Test func tablesAndPagesHaveTotals() throws {
    let table = try Geomapper.run(["map", "--totals", "--format=csv", "src"], in: folder.path)
    let rows = table.text.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows[0].dropFirst(3).prefix(5) == ["size", "files", "bytes", "allocated", "modified"])
    #expect(rows.allSatisfy { $0.count == 15 })
    let deep = try #require(rows.first { $0[0] == "src/a/deep" })
    #expect(deep[4...5] == ["1", "2"])
    let files = rows.filter { $0[1] == "poi" }
    #expect(files.count == 7 && files.allSatisfy { $0[4...6] == ["", "", ""] })

    let page = try Geomapper.run(["map", "--totals", "--format=html", "src"], in: folder.path)
    let row = try #require(
      page.text.split(separator: "\n").first { $0.hasPrefix("[\"src/a/deep\",\"state\"") })
    #expect(row.contains("],1,2,"))
  }

  @Test func manyFilesAreCounted() throws {
    // Several batches of files, and several folders for each thread.
    for number in 0..<40 { try folder.makeFile("src/many/\(number % 8)/\(number)", "x") }
    for number in 0..<2500 { try folder.makeFile("src/crowd/\(number)") }
    for number in 0..<30 {
      try FileManager.default.linkItem(
        atPath: folder("src/many/0/0"), toPath: folder("src/crowd/again-\(number)"))
    }
    for threads in ["1", "3"] {
      let written = try map(["--threads", threads, "src"])
      #expect(totals(written, "src/crowd") == [2501, 1])
      #expect(totals(written, "src/many") == [40, 40])
      #expect(totals(written, "src") == [5 + 2500 + 40, 5012 + 40])
    }
  }
}
