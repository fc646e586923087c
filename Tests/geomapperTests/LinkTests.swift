import Foundation
import TestSupport
import Testing

/// `--follow` and `--links`.
@Suite struct LinkTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/file", "hello")
    try folder.makeFile("elsewhere/inner/other")
  }

  private func map(_ arguments: String..., status: Int32 = 0) throws -> WrittenMap {
    let outcome = try Geomapper.run(["map"] + arguments + ["src"], in: folder.path)
    #expect(outcome.status == status, "\(outcome.errorText)")
    return try WrittenMap(outcome.output)
  }

  @Test func withoutLinksNothingChanges() throws {
    try folder.makePipe("src/pipe")
    let usual = try Geomapper.run(["map", "src"], in: folder.path)
    for option in ["-L", "--follow", "--links"] {
      #expect(try Geomapper.run(["map", option, "src"], in: folder.path).output == usual.output)
    }
  }

  @Test func linksToFoldersAreFolders() throws {
    try folder.makeLink("src/b", to: "../elsewhere")
    #expect(try map()["src/b"]?["special"] as? String == "symlink")
    let written = try map("-L")
    #expect(
      written.paths == [
        "src", "src/a", "src/a/file", "src/b", "src/b/inner", "src/b/inner/other",
      ])
    let link = try #require(written["src/b"])
    #expect(link["kind"] as? String == "country")
    #expect(link["size"] as? Int == 1)
    #expect(link["lon"] != nil)
    #expect(link["special"] == nil)
    #expect(written.summary == ["folders": 4, "files": 2, "unreadable": 0])
  }

  /// Questions and checks agree with the map.
  @Test func answersFollowLinks() throws {
    try folder.makeLink("src/b", to: "../elsewhere")
    try folder.makeLink("src/a/up", to: "..")
    try folder.makeFile("src/deep/er/still")
    func expect(_ line: String, status: Int32 = 0, says words: String = "") throws {
      let outcome = try Geomapper.run(line.split(separator: " ").map(String.init), in: folder.path)
      #expect(outcome.status == status, "\(line): \(outcome.errorText)")
      let said = outcome.text + outcome.errorText
      #expect(words.isEmpty || said.contains(words), "\(line): \(said)")
    }
    let written = try map("-L")
    let lines = try Geomapper.run(["map", "-L", "--format", "geojsonl", "src"], in: folder.path)
      .text
    let other = try #require(
      lines.split(separator: "\n").first { $0.contains("\"path\":\"src/b/inner/other\"") })
    for path in ["src/b/inner/other", "./src/../src/b/inner/other", folder("src/b/inner/other")] {
      try expect("locate -L --root src --format geojsonl \(path)", says: String(other))
    }
    try expect("locate --root src src/b/inner/other", status: 1, says: "is not on the map")
    // A loop doesn't lead to its target, but the intended path is on the map.
    try expect("locate -L --root src --format csv src/a/up/a/file", says: "src/a/file,poi,2")
    try expect("route -L --root src src/a/file src/b/inner", says: "(holds both)")
    let inner = try #require(written["src/b/inner"])
    let place = try #require([inner["lon"], inner["lat"]] as? [Double])
    try expect("whereis -L --root src \(place[0]),\(place[1])", says: "src/b/inner\n")
    try expect("locate --max-depth 1 --root src src/deep/er", status: 1, says: "is not on the map")
    try expect("verify -L --layout settled src", says: "found right: 7 folders and 3 files")
    try expect(
      "verify -L --exclude inner --max-depth 1 --layout settled src",
      says: "found right: 4 folders and 0 files")
    try expect("map -q -o map.geojson src")
    try expect("verify -L map.geojson", status: 2, says: "is checked as it is")
    try expect("verify --exclude x map.geojson", status: 2, says: "is checked as it is")
    for way in ["--sample 60s", "--since elsewhere", "--history"] {
      try expect("serve -L \(way) src", status: 2, says: "everything is read once")
    }
  }

  @Test func linksToFilesAreFiles() throws {
    try folder.setModified("src/a/file", 1000)
    try folder.makeLink("src/to-file", to: "a/file")
    try folder.makePipe("pipe")
    try folder.makeLink("src/to-pipe", to: "../pipe")
    let written = try map("-L")
    #expect(written["src/to-file"]?["size"] as? Int == 5)
    #expect(written["src/to-file"]?["modified"] as? Int == 1000)
    #expect(written["src/to-file"]?["special"] == nil)
    #expect(written["src/to-pipe"]?["special"] as? String == "fifo")
    let plain = try map("-L", "--no-stat")
    #expect(plain["src/to-file"]?["special"] == nil)
    #expect(plain["src/to-pipe"]?["special"] as? String == "fifo")
    #expect(try map("-L", "--type=p").paths == ["src/to-pipe"])
  }

  @Test func brokenLinksStayLinks() throws {
    try folder.makeLink("src/nowhere", to: "missing")
    try folder.makeLink("src/self", to: "self")
    try folder.makeLink("src/through-a-file", to: "a/file/x")
    try folder.makeLink("src/long", to: String(repeating: "x", count: 300))
    let links = ["src/long", "src/nowhere", "src/self", "src/through-a-file"]
    let usual = try map()
    for option in ["--no-stat", "--links", "--threads=1"] {
      let written = try map("-L", option)
      for path in links { #expect(written[path]?["special"] as? String == "symlink") }
    }
    let written = try map("-L")
    for path in links { #expect(written[path] as NSDictionary? == usual[path] as NSDictionary?) }
    #expect(try map("-L", "--type", "l").paths == links)
  }

  @Test(.enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"))
  func inaccessibleLinksAreUnreadable() throws {
    try folder.makeLink("src/closed", to: "../elsewhere/inner")
    try folder.setMode("elsewhere", 0)
    let outcome = try Geomapper.run(
      ["map", "-L", "src"], in: folder.path, launcher: Geomapper.unprivileged ?? [])
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "geomapper: src/closed: Permission denied\n")
    let link = try #require(try WrittenMap(outcome.output)["src/closed"])
    #expect(link["special"] as? String == "symlink")
    #expect(link["unreadable"] as? Bool == true)
    #expect(link["size"] == nil)
  }

  @Test func loopsAreShownWithoutContents() throws {
    try folder.makeLink("src/a/to-self", to: ".")
    try folder.makeLink("src/a/to-root", to: "..")
    try folder.makeLink("src/a/to-root-again", to: folder("src"))
    let usual = try map("-L")
    for path in ["src/a/to-self", "src/a/to-root", "src/a/to-root-again"] {
      let loop = try #require(usual[path])
      #expect(loop["loop"] as? Bool == true)
      #expect(loop["size"] == nil)
      #expect(loop["lon"] != nil)
      #expect(loop["modified"] != nil)
    }
    #expect(usual.paths.count == 6)
    // Loops are detected even if folders aren't opened.
    for options in [["--max-depth=2"], ["--max-depth=2", "--no-stat"]] {
      let written = try map(["-L"] + options)
      #expect(written["src/a/to-root"]?["loop"] as? Bool == true)
    }
    let text = try Geomapper.run(["map", "-L", "src"], in: folder.path).text
    #expect(text.contains(#","loop":true}}"#))
  }

  private func map(_ arguments: [String]) throws -> WrittenMap {
    let outcome = try Geomapper.run(["map"] + arguments + ["src"], in: folder.path)
    #expect(outcome.status == 0)
    return try WrittenMap(outcome.output)
  }

  @Test func foldersLinkedToEachOtherAreLoops() throws {
    try folder.makeFolder("src/b")
    try folder.makeLink("src/a/to-b", to: "../b")
    try folder.makeLink("src/b/to-a", to: "../a")
    let written = try map("-L")
    #expect(
      written.features.filter { $0["loop"] != nil }.compactMap { $0["path"] as? String } == [
        "src/a/to-b/to-a", "src/b/to-a/to-b",
      ])
    #expect(written["src/b/to-a/file"]?["size"] as? Int == 5)
  }

  @Test func returningFromOutsideIsALoop() throws {
    // It isn't a loop itself, but it leads above the root, and so to the root again.
    try folder.makeLink("src/up", to: "..")
    let written = try map("-L")
    #expect(written["src/up/src"]?["loop"] as? Bool == true)
    #expect(written["src/up/elsewhere/inner/other"] != nil)
  }

  @Test func sharedTargetsAreRepeated() throws {
    for level in 0..<6 {
      try folder.makeFolder("src/\(level)")
      for side in ["l", "r"] where level < 5 {
        try folder.makeLink("src/\(level)/\(side)", to: "../\(level + 1)")
      }
    }
    // From level n down, there are 2^(6 − n) − 1 folders.
    #expect(try map("-L").summary["folders"] == 2 + 63 + 31 + 15 + 7 + 3 + 1)
  }

  @Test func hardLinksAreCounted() throws {
    try FileManager.default.linkItem(atPath: folder("src/a/file"), toPath: folder("src/b"))
    try folder.makeFile("src/c")
    try folder.makeLink("src/d", to: "b")
    let written = try map("--links")
    #expect(written["src/a/file"]?["links"] as? Int == 2)
    #expect(written["src/b"]?["links"] as? Int == 2)
    for path in ["src", "src/a", "src/c", "src/d"] { #expect(written[path]?["links"] == nil) }
    #expect(try map()["src/b"]?["links"] == nil)
    // The number of the link's target.
    #expect(try map("-L", "--links")["src/d"]?["links"] as? Int == 2)
    let text = try Geomapper.run(["map", "--links", "src"], in: folder.path).text
    #expect(text.contains(#""links":2}}"#))
  }

  @Test func linksOptionNeedsMetadataAndGeoJSON() throws {
    for (options, word) in [
      (["--links", "--format=csv"], "--format csv"), (["--links", "--no-stat"], "--no-stat"),
    ] {
      let outcome = try Geomapper.run(["map"] + options + ["src"], in: folder.path)
      #expect(outcome.status == 2)
      #expect(outcome.errorText.contains("--links"))
      #expect(outcome.errorText.contains(word))
    }
  }

  @Test(arguments: [1, 4]) func withFewDescriptorsLinksAreFollowedToo(threads: Int) throws {
    // A comb whose levels are links.
    var place = "src"
    for level in 0..<60 {
      try folder.makeFile("levels/\(level)/beside/file")
      try folder.makeLink("\(place)/on", to: folder("levels/\(level)"))
      try folder.makeFolder("\(place)/z")
      place = "levels/\(level)"
    }
    let usual = try Geomapper.shell("\"$T\" map -L --threads \(threads) src", in: folder.path)
    #expect(usual.status == 0)
    #expect(try WrittenMap(usual.output).summary["folders"] == 2 + 60 + 60 + 60)
    for limit in [20, 32] {
      let scarce = try Geomapper.shell(
        "ulimit -n \(limit); \"$T\" map -L --threads \(threads) src", in: folder.path)
      #expect(scarce.status == 0)
      #expect(scarce.output == usual.output, "ulimit -n \(limit)")
    }
  }
}
