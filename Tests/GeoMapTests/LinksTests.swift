import Foundation
import GeoMap
import TestSupport
import Testing

/// Links and totals in the library.
@Suite struct LinksTests {
  private func nodes(of world: GeoWorld) async throws -> [String: GeoNode] {
    var nodes: [String: GeoNode] = [:]
    for try await batch in try await world.nodes() {
      #expect(batch.faults.isEmpty)
      for node in batch { nodes[node.path] = node }
    }
    return nodes
  }

  @Test func nodesHaveLinksLoopsAndTotals() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/file", "12345")
    try folder.makeLink("a/up", to: "..")
    try folder.makeLink("b", to: "a")
    try FileManager.default.linkItem(atPath: folder("a/file"), toPath: folder("again"))
    var world = GeoWorld(roots: [.init(label: "r", folder: URL(filePath: folder.path))])
    let usual = try await nodes(of: world)
    #expect(usual["r/b"]?.entryKind == .symlink)
    #expect(usual["r/again"]?.links == nil)
    #expect(usual["r"]?.totals == nil)

    world.scan.followsLinks = true
    world.scan.countsLinks = true
    world.includesTotals = true
    world.scan.staysOnFileSystem = true
    let followed = try await nodes(of: world)
    #expect(followed["r/b"]?.nodeType == .country)
    #expect(followed["r/b/file"]?.size == 5)
    #expect(followed["r/b/file"]?.links == 2)
    #expect(followed["r/b/up"]?.isLoop == true)
    #expect(followed["r/b/up"]?.totals == nil)
    #expect(followed["r/b"]?.isLoop == false)
    #expect(followed["r/b"]?.links == nil)
    #expect(followed["r"]?.totals?.files == 1)
    #expect(followed["r"]?.totals?.bytes == 5)
    #expect(followed["r/b"]?.totals == followed["r"]?.totals)
  }
}
