import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoPipeline

/// Folders hidden on the map are not opened on disk.
@Suite struct PruningTests {
  private func makeTree(seed: UInt64) throws -> TemporaryFolder {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    try folder.makeFolder("world")
    try fill(folder, "world", levels: 5, &generator)
    return folder
  }

  private func fill(
    _ folder: TemporaryFolder, _ path: String, levels: Int, _ generator: inout SeededGenerator
  ) throws {
    for index in 0..<generator.number(in: 0...4) {
      try folder.makeFile("\(path)/file\(index)", "x")
    }
    guard levels > 0 else { return }
    for index in 0..<generator.number(in: 0...4) {
      let below = "\(path)/folder\(index)"
      try folder.makeFolder(below)
      try fill(folder, below, levels: levels - 1, &generator)
    }
  }

  private func survey(
    _ folder: TemporaryFolder, _ filter: MapFilter
  ) async throws -> (nodes: [NodeBatch.Record], opened: Int) {
    var request = MapRequest(
      roots: [ScanRoot(label: Array("world".utf8), directory: Array(folder("world").utf8))])
    request.filter = filter
    let survey = try MapJob(request)
    var nodes: [NodeBatch.Record] = []
    for try await batch in try await survey.begin(output: { NodeOutput() }) {
      nodes += batch.content.records
    }
    return (nodes, await survey.openedFolders)
  }

  @Test(arguments: TestScale.seeds(6)) func opensExactlyTheShownFolders(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed)
    let all = try await survey(folder, MapFilter())
    let folders = all.nodes.filter { $0.kind != .poi }
    #expect(all.opened == folders.count)

    for zoom in 0...12 {
      let found = try await survey(folder, MapFilter(zoom: zoom))
      #expect(found.opened == folders.count { $0.minzoom <= zoom }, "seed \(seed), zoom \(zoom)")
      #expect(found.nodes.map(\.seed) == all.nodes.filter { $0.minzoom <= zoom }.map(\.seed))
    }
    for depth in 0...6 {
      let found = try await survey(folder, MapFilter(maximumDepth: depth))
      #expect(found.opened == folders.count { $0.depth < depth }, "seed \(seed), depth \(depth)")
      #expect(found.nodes.map(\.seed) == all.nodes.filter { $0.depth <= depth }.map(\.seed))
    }
  }

  @Test(arguments: TestScale.seeds(6)) func opensOnlyFoldersInTheBox(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed)
    let all = try await survey(folder, MapFilter())
    for node in all.nodes where node.kind == .poi {
      var scale = 1.0
      for _ in 0..<node.digits { scale *= 10 }
      let x = Double(node.coordinate.longitude) / scale
      let y = Double(node.coordinate.latitude) / scale
      let box = try BoundingBox(west: x, south: y, east: x, north: y)
      let found = try await survey(folder, MapFilter(box: box))
      // The file, its ancestors, and the few other folders whose bounding boxes contain it.
      #expect(found.nodes.contains { $0.seed == node.seed })
      #expect(found.opened == found.nodes.count { $0.kind != .poi })
      #expect(found.opened >= node.depth)
    }
    let sea = try BoundingBox(west: -180, south: 85, east: -179, north: 86)
    let nothing = try await survey(folder, MapFilter(box: sea))
    #expect(nothing.opened == 0)
    #expect(nothing.nodes.isEmpty)
  }
}
