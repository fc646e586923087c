import Foundation
import GeoMap
import TestSupport
import Testing

/// The library can map parts, too.
@Suite struct WorldShardTests {
  private func paths(_ world: GeoWorld) async throws -> [String] {
    var paths: [String] = []
    for try await batch in try await world.nodes() { paths += batch.map(\.path) }
    return paths
  }

  @Test func aManifestYieldsThatPart() async throws {
    let folder = try TemporaryFolder()
    for name in ["a/b/c/1", "a/b/2", "a/3", "d/4"] { try folder.makeFile("tree/\(name)") }
    let world = GeoWorld(folder: URL(filePath: folder("tree")))
    var part = world
    part.shard = try world.shard(of: Array("tree/a/b".utf8))
    #expect(try await paths(part) == ["tree/a/b", "tree/a/b/2", "tree/a/b/c", "tree/a/b/c/1"])
    #expect(throws: MapError.self) { try world.shard(of: Array("tree/none".utf8)) }
    #expect(throws: MapError.self) { try world.shard(of: Array("other".utf8)) }

    var found: [String] = []
    for manifest in try world.split(into: 2).manifests {
      part.shard = try ShardManifest(text: manifest.text)
      found += try await paths(part)
    }
    #expect(try await found.sorted() == paths(world).sorted())

    try folder.makeFolder("tree/new")
    part.shard = try world.shard(of: Array("tree".utf8))
    _ = try await paths(part)
    try folder.makeFolder("tree/newer")
    await #expect(throws: MapError.self) { try await paths(part) }
  }
}
