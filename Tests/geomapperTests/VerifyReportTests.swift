import Foundation
import TestSupport
import Testing

/// The report of `geomapper verify`.
@Suite struct VerifyReportTests {
  private func makeTree() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for part in ["a", "b", "c"] {
      try folder.makeFolder("t/\(part)/in")
      for name in ["one", "two"] { try folder.makeFile("t/\(part)/\(name)") }
    }
    return folder
  }

  @Test func reportsACorrectMap() throws {
    let folder = try makeTree()
    #expect(try Geomapper.run(["map", "-o", "t.json", "t"], in: folder.path).status == 0)
    let outcome = try Geomapper.run(["verify", "t.json"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.hasPrefix("t.json: 7 folders and 6 files are as they have to be\n"))
    #expect(try Geomapper.run(["verify", "-q", "t.json"], in: folder.path).output.isEmpty)
  }

  @Test func reportsATreeInBothLayouts() throws {
    let folder = try makeTree()
    let outcome = try Geomapper.run(["verify", "t"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("settled: 7 folders") && outcome.text.contains("pinned: 7"))
    let one = try Geomapper.run(["verify", "--layout", "pinned", "t"], in: folder.path)
    #expect(!one.text.contains("settled"))
  }

  @Test func reportsAChangedDigit() throws {
    let folder = try makeTree()
    let map = try Geomapper.run(["map", "t"], in: folder.path).text
    let id = try #require(map.range(of: "\"id\":"))
    var changed = map
    let digit = map[id.upperBound]
    changed.replaceSubrange(
      id.upperBound...id.upperBound, with: digit == "9" ? "8" : "9")
    try folder.makeFile(bytes: Array("t.json".utf8), Array(changed.utf8))
    let outcome = try Geomapper.run(["verify", "t.json"], in: folder.path)
    #expect(outcome.status == 4)
    #expect(outcome.text.hasPrefix("t.json, line 2, t: its feature is another one\n  must be {"))
  }

  @Test func partialMapsNameUncheckedParts() throws {
    let folder = try makeTree()
    let map = ["map", "--name", "one", "-o", "t.json", "t"]
    #expect(try Geomapper.run(map, in: folder.path).status == 0)
    let outcome = try Geomapper.run(["verify", "t.json"], in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("part of a map: 3 folders"))
    #expect(outcome.text.contains("not checked: 3 minzooms"))
    #expect(outcome.text.contains("not checked: how many entries were left out"))
  }

  @Test func uncheckableFilesAreRefused() throws {
    let folder = try makeTree()
    try folder.makeFile("empty")
    try folder.makeFile(bytes: Array("words".utf8), Array("some words\n".utf8))
    for (arguments, status, text) in [
      (["verify", "none"], 2, "none"), (["verify", "t", "empty"], 2, "either"),
      (["verify", "/dev/null"], 2, "regular file"),
    ] as [([String], Int32, String)] {
      let outcome = try Geomapper.run(arguments, in: folder.path)
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.errorText.contains(text), "\(arguments): \(outcome.errorText)")
    }
    let empty = try Geomapper.run(["verify", "empty"], in: folder.path)
    #expect(empty.status == 4 && empty.text.contains("the file is empty"))
    let words = try Geomapper.run(["verify", "words"], in: folder.path)
    #expect(words.status == 2 && words.errorText.contains("maps are checked as geojson"))
  }
}
