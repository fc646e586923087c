import Foundation
import GeoMap
import GeoPipeline
import GeoScan
import TestSupport
import Testing

/// Values of one's own, in the library.
@Suite struct LayerTests {
  let folder: TemporaryFolder
  let world: GeoWorld

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("w/a/one", "12345")
    try folder.makeFile("w/a/b/two", "1")
    try folder.makeFile("w/three", "12")
    world = GeoWorld(folder: URL(filePath: folder("w"), directoryHint: .isDirectory))
  }

  private func values(_ world: GeoWorld) async throws -> [String: [String: LayerValue]] {
    var values: [String: [String: LayerValue]] = [:]
    for try await batch in try await world.nodes() {
      for node in batch { values[node.path] = node.values }
    }
    return values
  }

  private func features(_ world: GeoWorld) async throws -> String {
    var bytes: [UInt8] = []
    for try await chunk in try world.features() { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  private let layers = [
    MapLayer(name: "n", values: [("a/one", 2), ("w/a/b/two", 3.5), ("elsewhere/x", 1)]),
    MapLayer(name: "m", how: .mean, values: [("a/one", 1), ("three", 4)]),
    MapLayer(name: "t", values: [("a/one", "x"), ("./a//b/two", "y"), ("three", 5)]),
  ]

  private let expected: [String: [String: LayerValue]] = [
    "w": [
      "n": 5.5, "m": 2.5, "m_count": 2, "t": "x", "t_share": 0.625,
    ],
    "w/a": ["n": 5.5, "m": 1.0, "m_count": 1, "t": "x", "t_share": 0.8333],
    "w/a/b": ["n": 3.5, "t": "y", "t_share": 1.0],
    "w/a/one": ["n": 2.0, "m": 1.0, "t": "x"], "w/a/b/two": ["n": 3.5, "t": "y"],
    "w/three": ["m": 4.0, "t": "5"],
  ]

  @Test func nodesAndMapsHaveValues() async throws {
    var world = world
    world.layers = layers
    #expect(try await values(world) == expected)
    let map = try await features(world)
    #expect(map.contains("\"n\":5.5,\"m\":2.5,\"m_count\":2,\"t\":\"x\",\"t_share\":0.625"))
    #expect(map.contains("\"unmatched\":{\"n\":1}"))
    let stats = try await world.stats()
    #expect(stats.values.first == expected["w"])
    #expect(stats.unmatchedCount == 1 && stats.unmatchedPaths == ["w/elsewhere/x"])
    #expect(try await self.world.stats().unmatchedCount == 0)
    // A sequence is read each time.
    #expect(try await values(world) == expected)
    #expect(try await self.world.stats().values.isEmpty)
  }

  @Test func everySourceTakesThem() async throws {
    var bytes: [UInt8] = []
    for try await chunk in try world.snapshot() { bytes += chunk }
    try folder.makeFile(bytes: Array("s".utf8), bytes)
    var kept = GeoWorld(snapshot: try Snapshot(opening: Array(folder("s").utf8)))
    kept.layers = layers
    #expect(try await values(kept) == expected)
    // Absolute paths are those of the folder that the snapshot is of.
    kept.layers = [MapLayer(name: "n", values: [(folder("w/a/one"), 2)])]
    #expect(try await values(kept)["w/a/one"]?["n"] == 2)

    try folder.makeFile("list", "/nowhere/w/a/one\n/nowhere/w/three\n")
    var listed = GeoWorld(folder: URL(filePath: "/nowhere/w", directoryHint: .isDirectory))
    listed.list = ListSource(file: URL(filePath: folder("list")))
    listed.layers = [MapLayer(name: "n", values: [("a/one", 2), ("/nowhere/w/three", 1)])]
    await #expect(throws: MapError.self) { try await listed.nodes() }
    let inList = try await values(listed.indexed())
    #expect(inList["w"] == ["n": 3], "\(inList)")
  }

  @Test func filesAndGitAreRead() async throws {
    try folder.makeFile("x.csv", "path,hit,found\na/one,1,4\nthree,3,4\n")
    let file = URL(filePath: folder("x.csv"))
    var world = world
    world.layers = [MapLayer(file: file)]
    #expect(try await values(world)["w"] == ["hit": 4, "found": 8])
    world.layers = [MapLayer(file: file, column: "hit/found", name: "c", how: .ratio), .owner]
    #expect(try await values(world)["w"]?["c"] == 0.5)
    #expect(try await values(world)["w/three"]?["owner"]?.word?.isEmpty == false)
    world.layers = [.git(.commits)]
    await #expect(throws: MapError.self) { try await world.nodes() }
  }

  @Test func messagesSayWhatIsWrong() async throws {
    for (layer, what) in [
      (MapLayer(name: "size", values: [("three", 1)]), "has a member 'size' already"),
      (MapLayer(name: "a b", values: [("three", 1)]), "can't be the name of a layer"),
      (
        MapLayer(name: "n", values: [("three", 1), ("w/three", 2)]), "has a value already by line 1"
      ),
      (MapLayer(name: "n", how: .sum, values: [("three", "x")]), "'x' is not a number"),
      (MapLayer(name: "n", values: [("three", .number(.infinity))]), "number 1: it is not finite"),
      (MapLayer(name: "n", how: .ratio, values: [("three", 1)]), "two columns of a file"),
    ] {
      var world = world
      world.layers = [layer]
      do {
        _ = try await world.nodes()
        Issue.record("no error: \(what)")
      } catch {
        #expect("\(error)".contains(what), "\(error)")
      }
    }
  }

  @Test func nodesWithValuesAreCoded() async throws {
    var world = world
    world.layers = layers
    for try await batch in try await world.nodes() {
      for node in batch {
        let data = try JSONEncoder().encode(node)
        #expect(
          try JSONDecoder().decode(GeoNode.self, from: data).values.count == node.values.count)
        #expect(try JSONDecoder().decode(GeoNode.self, from: data).values["t"] == node.values["t"])
      }
    }
  }
}
