import Foundation
import GeoMap
import TestSupport
import Testing

/// Tiles and their style, without a server.
@Suite struct WorldTileTests {
  private let folder: TemporaryFolder
  private let world: GeoWorld

  init() throws {
    folder = try TemporaryFolder()
    for index in 0..<60 { try folder.makeFile("world/d\(index % 7)/e\(index % 3)/f\(index)", "1") }
    try folder.makeFile(bytes: Array("world/".utf8) + [0xFF], [1])
    world = GeoWorld(folder: URL(filePath: folder("world")))
  }

  @Test(arguments: [0, 2, 3, 4])
  func tilesEqualTheMap(zoom: Int) async throws {
    let reader = try world.reader()
    var filtered = world
    filtered.filter.zoom = zoom
    var nodes: Set<UInt64> = []
    for try await batch in try await filtered.nodes() { nodes.formUnion(batch.map { $0.id >> 11 }) }
    var (ids, shown): (Set<UInt64>, Set<UInt64>) = ([], [])
    for x in 0..<(1 << zoom) {
      for y in 0..<(1 << zoom) {
        let tile = try #require(MapTile(checking: zoom, x: x, y: y))
        let vector = try DecodedTile(Array(try #require(try await reader.tile(tile))))
        for name in ["land", "files"] {
          for feature in vector[name]?.features ?? [] { ids.insert(try #require(feature.id)) }
        }
        let json = try #require(try await reader.tile(tile, format: .geojson))
        let collection = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        for feature in collection?["features"] as? [[String: Any]] ?? [] {
          shown.insert(UInt64(try #require(feature["id"] as? Int)))
        }
      }
    }
    #expect(ids == nodes)
    #expect(shown == nodes)
  }

  @Test func thereIsNoneBeyondTheDeepestZoom() throws {
    let lookup = try world.lookup()
    for (zoom, isThere) in [(30, true), (31, false), (60, false)] {
      let tile = try #require(MapTile(checking: zoom, x: 0, y: 0))
      #expect((lookup.tile(tile) != nil) == isThere)
    }
  }

  @Test func tileJSONDescribesTheTiles() throws {
    let address = "https://example.org/\"/{z}/{x}/{y}.mvt"
    let lookup = try world.lookup()
    let json = try JSONSerialization.jsonObject(with: GeoReader(lookup).tileJSON(tiles: address))
    let description = try #require(json as? [String: Any])
    #expect(description["tiles"] as? [String] == [address])
    let bounds = try #require(description["bounds"] as? [Double])
    let coast = try #require(lookup.coastline(of: Array("world".utf8)))
    #expect(bounds[0] == coast.map(\.longitude).min() && bounds[3] == coast.map(\.latitude).max())
    #expect(lookup.world.folderReads <= 1)
    let style = try JSONSerialization.jsonObject(with: GeoReader.style(tiles: address))
    let sources = (style as? [String: Any])?["sources"] as? [String: [String: Any]]
    #expect(sources?["geomapper"]?["tiles"] as? [String] == [address])
  }
}
