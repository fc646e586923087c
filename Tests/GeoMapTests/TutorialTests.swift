import Foundation
import GeoMap
import TestSupport
import Testing

/// The tutorial's program: what is compiled here is what the tutorial shows.
@Suite struct TutorialTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func shown(_ name: String) throws -> String {
    try String(
      contentsOf: Self.repository.appending(path: "Sources/GeoMap/GeoMap.docc/Tutorial/\(name)"),
      encoding: .utf8)
  }

  private func compiled(_ name: String) throws -> String {
    try String(
      contentsOf: Self.repository.appending(path: "Tests/GeoMapTests/Tutorial/\(name)"),
      encoding: .utf8)
  }

  @Test func shownProgramsEqualCompiledOnes() throws {
    #expect(try shown("describe-5.swift") == compiled("Describe.swift"))
    #expect(try shown("save-1.swift") == compiled("Save.swift"))
  }

  /// Every step keeps the lines of the step before, except for one changed line.
  @Test func stepsBuildOnEachOther() throws {
    for step in 1...4 {
      let before = try shown("describe-\(step).swift").split(separator: "\n")
      let after = try shown("describe-\(step + 1).swift").split(separator: "\n")
      let removals = after.difference(from: before).removals.count
      #expect(removals == (step == 1 ? 1 : 0), "step \(step)")
    }
  }

  @Test func programsDescribeAndSaveAFolder() async throws {
    let folder = try TemporaryFolder()
    for path in ["world/a/b/one", "world/a/b/two", "world/three"] {
      try folder.makeFile(path, "1")
    }
    let world = URL(filePath: folder("world"))
    let lines = try await describe(world)
    #expect(lines.count == 10)
    for (line, start) in zip(
      lines,
      [
        "continent world at ", "poi three at ", "country a at ", "the last node is world/a/b/two",
        "it lies in world", "it lies in world/a", "it lies in world/a/b", "0 m to two", "",
        "",
      ])
    {
      #expect(line.hasPrefix(start))
    }
    #expect(lines[8].hasSuffix(" m to one"))
    #expect(lines[9].hasSuffix(" km from the root, over 4 stops"))

    let file = URL(filePath: folder("map.geojson"))
    try await save(world, to: file)
    let map = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    #expect((map["features"] as? [Any])?.count == 6)
  }
}
