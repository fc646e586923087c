import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The reports of `geomapper stats`.
@Suite struct StatsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("world/big/one.bin", String(repeating: "1", count: 90_000))
    try folder.makeFile("world/big/deep/two.bin", String(repeating: "2", count: 20_000))
    try folder.makeFile("world/small/three.txt", "3")
    try folder.makeFile("world/small/four.txt", "4")
    try folder.makeFile("world/small/five.txt", "5")
    try folder.makeFile("world/own", "6")
  }

  private func stats(_ arguments: [String]) throws -> String {
    let outcome = try Geomapper.start(
      ["stats"] + arguments, in: folder.path, environment: ["LC_ALL=C"]
    ).finish()
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    return outcome.text
  }

  /// The names in the rows of a table, with their indentation.
  private func names(_ arguments: [String]) throws -> [String] {
    let lines = try stats(arguments).split(separator: "\n", omittingEmptySubsequences: false)
    let title = try #require(lines.first)
    return lines.dropFirst().prefix { !$0.isEmpty }.map { line in
      String(line.dropFirst(title.count + 2))
    }
  }

  @Test func theLargestComesFirst() throws {
    #expect(try names(["world"]) == ["world", "  big", "  small", "  (its own files)"])
    #expect(
      try names(["--depth", "2", "world"]) == [
        "world", "  big", "    (its own files)", "    deep", "  small", "  (its own files)",
      ])
    #expect(try names(["--depth", "0", "world"]) == ["world"])
    #expect(
      try names(["--sort", "files", "world"]) == ["world", "  small", "  big", "  (its own files)"])
    #expect(try names(["--limit", "1", "world"]) == ["world", "  big", "  (2 more)"])
    let text = try stats(["world"])
    #expect(text.contains("100.0 %  ####################"))
    #expect(text.contains("\nlargest files\n"))
    #expect(try #require(text.split(separator: "files\n").last).contains("world/big/one.bin"))
  }

  /// A further name of a file, of which a listing has the size at the first one, adds nothing.
  @Test func namesWithoutSizeAddNothing() throws {
    func line(_ mode: String, _ name: String, _ size: Int) -> String {
      #"{"type":"-","mode":"\#(mode)rw-r--r--","path":"d/\#(name)","#
        + #""mtime":"2024-01-01T10:00:00","size":\#(size)}"# + "\n"
    }
    try folder.makeFile("borg", line("-", "a", 5000) + line("h", "b", 0) + line("-", "c", 3))
    try folder.makeFile(
      "tar",
      """
      -rw-r--r-- u/u      5000 2024-01-01 10:00 d/a
      hrw-r--r-- u/u         0 2024-01-01 10:00 d/b link to d/a
      -rw-r--r-- u/u         3 2024-01-01 10:00 d/c

      """)
    try folder.makeFile(
      "gdu",
      #"[1,2,{"progname":"gdu","progver":"v5","timestamp":1},[{"name":"d"},"#
        + #"{"name":"a","asize":5000,"dsize":8192},"#
        + #"{"name":"b","asize":5000,"dsize":8192,"ino":9,"hlnkc":true},"#
        + #"{"name":"c","asize":3,"dsize":4096}]]"#)
    for (list, room) in [("borg", nil), ("tar", nil), ("gdu", 12288)] {
      let text = try stats(["--files-from", list, "--list-format", list, "--format", "json", "d"])
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let total = json?["total"] as? [String: Any]
      #expect(total?["files"] as? Int == 2, "\(list): \(text)")
      #expect(total?["bytes"] as? Int == 5003, "\(list): \(text)")
      #expect(total?["allocated"] as? Int == room, "\(list): \(text)")
    }
  }

  @Test func sortsByTimeNameAndFiles() throws {
    let old = Date(timeIntervalSince1970: 1_000_000_000)
    for file in ["big/one.bin", "big/deep/two.bin", "own"] {
      try FileManager.default.setAttributes(
        [.modificationDate: old], ofItemAtPath: folder("world/\(file)"))
    }
    #expect(
      try names(["--sort", "newest", "world"]) == [
        "world", "  small", "  big", "  (its own files)",
      ])
    #expect(try stats(["--sort", "newest", "world"]).contains("2001-09-09    big\n"))
    try folder.makeFile("world/aaa/x", "x")
    #expect(
      try names(["--sort", "name", "world"]) == [
        "world", "  aaa", "  big", "  small", "  (its own files)",
      ])
    #expect(try names(["--by", "extension", "world"]) == [".bin", ".txt", "(none)"])
    #expect(try names(["--by", "extension", "--sort", "files", "world"]).first == ".txt")
    #expect(try names(["--by", "age", "--sort", "name", "world"]) == ["last day", "older"])
    let owner = try Subprocess.run("/usr/bin/env", ["stat", "-c", "%U", folder("world/own")]).text
    #expect(try names(["--by", "owner", "world"]) == [owner.filter { !$0.isNewline }])
  }

  @Test func onlyLargeFoldersAreShown() throws {
    #expect(
      try names(["--min", "20k", "world"]) == [
        "world", "  big", "    (its own files)", "    deep",
      ])
    #expect(try names(["--min", "80k", "--depth", "1", "world"]) == ["world", "  big"])
    #expect(try stats(["--min", "80k", "world"]).contains("world/big/one.bin"))
    #expect(try !stats(["--min", "80k", "world"]).contains("two.bin"))
    #expect(try names(["--min", "80kB", "--by", "extension", "world"]) == [".bin"])
  }

  /// The sum of all files, with names alone left out.
  @Test func aFileOfSeveralNamesIsOneFile() throws {
    for name in ["small/again", "big/deep/again.txt"] {
      try FileManager.default.linkItem(
        atPath: folder("world/big/one.bin"), toPath: folder("world/\(name)"))
    }
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(stats(["--format", "json", "world"]).utf8))
        as? [String: Any])
    func sum(_ key: String, of part: String) -> Int {
      (object[part] as? [[String: Any]] ?? []).reduce(0) { sum, entry in
        let sums = entry["sums"] as? [String: Any] ?? entry
        return sum + (sums[key] as? Int ?? 0)
      }
    }
    let total = try #require(object["total"] as? [String: Int])
    #expect(total["files"] == 6)
    for part in ["extensions", "owners", "depths"] {
      for key in ["files", "bytes", "allocated"] {
        #expect(sum(key, of: part) == total[key], "\(part) \(key)")
      }
    }
    #expect(try stats(["world"]).split(separator: "\n")[1].contains("  6  world"))
  }

  @Test func sumsEqualThoseOfDu() throws {
    // Names of one file: in one folder, in two folders of a country, in two countries and in two
    // roots.
    for (from, to) in [
      ("big/one.bin", "big/again"), ("big/one.bin", "big/deep/again"),
      ("big/one.bin", "small/again"), ("big/deep/two.bin", "small/two"),
      ("small/three.txt", "big/three"), ("small/two", "small/two-again"),
    ] {
      try FileManager.default.linkItem(
        atPath: folder("world/\(from)"), toPath: folder("world/\(to)"))
    }
    try folder.makeFile("other/x", "x")
    try FileManager.default.linkItem(
      atPath: folder("world/big/one.bin"), toPath: folder("other/again"))
    for threads in ["1", "3"] {
      let json = try stats([
        "--format", "json", "--depth", "9", "--threads", threads, "world", "other",
      ])
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let regions = try #require(object["regions"] as? [[String: Any]])
      #expect(regions.count == 5)
      for region in regions {
        let path = try #require(region["path"] as? String)
        let sums = try #require(region["sums"] as? [String: Int])
        #expect(sums["allocated"] == (try du([path])), "\(path)")
      }
      #expect(
        (object["total"] as? [String: Int])?["allocated"] == (try du(["world", "other"])))
    }
  }

  /// The total of one run of `du`, without the folders' own sizes.
  private func du(_ paths: [String]) throws -> Int {
    let all = try Subprocess.run(
      "/usr/bin/env", ["du", "-c", "-s", "-B1"] + paths.map { folder($0) })
    let folders = try Subprocess.run(
      "/usr/bin/find", paths.map { folder($0) } + ["-type", "d", "-printf", "%b\n"])
    let total = all.text.split(separator: "\n").last?.prefix { $0.isNumber } ?? ""
    let own = folders.text.split(separator: "\n").compactMap { Int($0) }.reduce(0, +) * 512
    return (Int(total) ?? -1) - own
  }

  @Test func conflictingOptionsAreRefused() throws {
    for (arguments, word) in [
      (["--format=json", "--by", "age"], "--format json"),
      (["--format=json", "--sort", "name"], "--format json"),
      (["--by", "owner", "--depth", "2"], "--depth"),
      (["--by", "colour"], "--by: 'colour' is not folder"),
      (["--sort", "szie"], "'size'?"), (["--depth", "-1"], "--depth: '-1' is not a whole number"),
    ] {
      let outcome = try Geomapper.run(["stats"] + arguments + ["world"], in: folder.path)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errorText.contains(word), "\(outcome.errorText)")
    }
  }

  @Test func barsFollowTheLocale() throws {
    let outcome = try Geomapper.start(
      ["stats", "world"], in: folder.path, environment: ["LC_ALL=C.UTF-8"]
    ).finish()
    #expect(outcome.text.contains("████████████████████"))
  }

  @Test func selectedFilesAreAddedUp() throws {
    #expect(try names(["--exclude", "big", "world"]) == ["world", "  small", "  (its own files)"])
    #expect(try names(["--exclude", "small", "--name", "*.bin", "world"]) == ["world", "  big"])
    try folder.makeFile("world/.gitignore", "small\n")
    try folder.makeFolder("world/.git")
    let ignoring = try names(["--gitignore", "world"])
    #expect(ignoring.contains("  big") && !ignoring.contains("  small"))
    // The same for a revision, a list and a snapshot.
    let list = try Geomapper.shell(
      "printf 'world/a/b\\nworld/c\\n' | \"$T\" stats --files-from - --exclude c world",
      in: folder.path)
    #expect(list.text.contains("  a\n") && !list.text.contains("own files"), "\(list.errorText)")
    let sums = try stats(["--format", "json", "--size", "+10k", "world"])
    #expect(sums.hasPrefix(#"{"total":{"folders":5,"files":2,"bytes":110000,"#), "\(sums)")
  }
}
