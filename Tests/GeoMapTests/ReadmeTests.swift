import Foundation
import GeoMap
import Testing

/// The code in the README.
@Suite struct ReadmeTests {
  @Test func tourOfTheLibraryRuns() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      component: "geomapper-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(component: "country/state"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("12345".utf8).write(to: folder.appending(component: "country/poi.txt"))

    // README: begin
    var found: [GeoNode] = []
    let world = GeoWorld(folder: folder)
    for try await batch in try await world.nodes() {
      for node in batch { found.append(node) }
    }
    // README: end
    #expect(found.map(\.nodeType) == [.continent, .country, .poi, .state])
    #expect(found.map(\.size) == [1, 2, 5, 0])
    #expect(found.map(\.depth) == [0, 1, 2, 2])
    #expect(found[2].name == "poi.txt")
    #expect(found[2].path == folder.lastPathComponent + "/country/poi.txt")
    #expect(try Data(contentsOf: found[2].fileURL) == Data("12345".utf8))
    #expect(Set(found.map(\.id)).count == 4)
    #expect(found.allSatisfy { abs($0.coordinate.latitude) <= 84 })
  }

  @Test func theReadmeShowsTheTour() throws {
    let source = URL(filePath: #filePath)
    let lines = try String(contentsOf: source, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    func line(of marker: String) throws -> Int {
      try #require(lines.firstIndex { $0.drop { $0 == " " } == "// README: \(marker)" })
    }
    let tour = lines[(try line(of: "begin") + 1)..<(try line(of: "end"))]
    #expect(tour.count > 2)
    #expect(tour.allSatisfy { $0.hasPrefix("    ") })
    let block = """
      ```swift
      import Foundation
      import GeoMap

      let folder = URL(filePath: "/usr/share")
      \(tour.map { $0.dropFirst(4) }.joined(separator: "\n"))
      for node in found.prefix(10) { print(node.path, node.coordinate) }
      ```

      """

    let repository = source.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(
      contentsOf: repository.appending(component: "README.md"), encoding: .utf8)
    #expect(readme.contains(block))
  }
}
