import GeoAtlas
import GeoTree
import TestSupport
import Testing

@testable import GeoWeb

/// The tiles that clients get at any address: from runs of equal tiles, and where tiles are left
/// out.
@Suite struct RunTests {
  private struct Case: Sendable {
    var tree: Tree
    var range: TileDescent.Range
    /// The seed of the random addresses.
    var seed: UInt64
  }

  /// An address with possible contents: near one of the archive's tiles, at any zoom.
  private static func address(
    near tiles: [UInt64], maximumZoom: Int, using generator: inout SeededGenerator
  ) throws -> TileAddress {
    let number = tiles[generator.number(in: 0...(tiles.count - 1))]
    var address = try #require(HilbertCurve.tile(number))
    while address.zoom < maximumZoom, generator.chance(0.7) {
      address = HilbertCurve.children(of: address)[generator.number(in: 0...3)]
    }
    return address
  }

  /// The tile that a client enlarges where one is missing: the nearest ancestor.
  private static func nearest(
    _ address: TileAddress, in tiles: [UInt64: [UInt8]]
  ) -> (zoom: Int, body: [UInt8])? {
    for up in 0...address.zoom {
      let zoom = address.zoom - up
      let around = TileAddress(zoom: zoom, x: address.x >> up, y: address.y >> up)
      if let body = around.flatMap({ tiles[HilbertCurve.number(of: $0)] }) { return (zoom, body) }
    }
    return nil
  }

  /// The nodes of a tile.
  private static func nodes(_ body: [UInt8]) throws -> Set<UInt64> {
    Set(
      try DecodedTile(body).layers.filter { ["land", "files"].contains($0.name) }
        .flatMap { $0.features.compactMap(\.id) })
  }

  @Test func clientsReceiveTheTilesOfTheWorld() throws {
    let property = Property<Case>("runs") {
      generator in
      let shape = Tree.Shape(
        nodes: generator.number(in: 0...60), folders: generator.chance(0.5) ? 0.2 : 0.6,
        depth: generator.chance(0.3) ? 0.8 : 0.2)
      var tree = Tree.random(shape, roots: 1, using: &generator)
      tree.folders[0].name = Array("w".utf8)
      let complete = generator.number(in: 0...8)
      let range = TileDescent.Range(
        complete: complete, maximumZoom: complete + generator.number(in: 0...8))
      return Case(tree: tree, range: range, seed: generator.next())
    } shrink: { old in
      old.tree.smaller.filter { $0.folders.count == 1 && $0.folders[0].name == Array("w".utf8) }
        .map { Case(tree: $0, range: old.range, seed: old.seed) }
    } fault: { given in
      let folder = try TemporaryFolder()
      try folder.make(given.tree)
      let world = try World(in: folder, labels: ["w"])
      let range = given.range
      let tiles = try DecodedArchive(try world.archived(range)).tiles()
      var generator = SeededGenerator(seed: given.seed)
      let numbers = tiles.keys.sorted()
      for _ in 0..<60 where !numbers.isEmpty {
        let address = try Self.address(
          near: numbers, maximumZoom: range.maximumZoom, using: &generator)
        guard let tile = world.tile(address) else { return "no tile \(address)" }
        let (body, found) = (VectorTile.encode(tile.content), Self.nearest(address, in: tiles))
        let isThere = found?.zoom == address.zoom
        if isThere, found?.body != body { return "\(address) is another" }
        if address.zoom <= range.complete, isThere == body.isEmpty {
          return "\(address) is \(isThere ? "too many" : "missing")"
        }
        let missed = try Self.nodes(body).subtracting(Self.nodes(found?.body ?? []))
        if !missed.isEmpty { return "\(address) hides \(missed), which should be visible" }
      }
      return nil
    }
    if let found = try property.counterexample(cases: 10) { Issue.record("\(found)") }
  }

  /// Within a land, whole subtrees of tiles are equal. The work doubles from zoom to zoom, as coast
  /// lines do, and doesn't quadruple like the tiles.
  @Test func workGrowsWithTheCoastLines() throws {
    let folder = try TemporaryFolder()
    for name in ["w/a", "w/b", "w/c"] { _ = try folder.makeFile(name) }
    let world = try World(in: folder, labels: ["w"])
    func count(_ complete: Int) throws -> (made: Int, there: Int) {
      var (made, there) = (0, 0)
      var descent = TileDescent(through: world, totals: nil) { tile in
        let zoom = tile.content.tile.zoom
        made += 1
        there += (zoom...tile.through).reduce(0) {
          $0 + 1 << (2 * ($1 - zoom))
        }
      }
      try descent.run(
        from: try #require(TileAddress(zoom: 0, x: 0, y: 0)),
        TileDescent.Range(complete: complete, maximumZoom: complete))
      return (made, there)
    }
    let (less, more) = (try count(7), try count(9))
    #expect(more.there > 12 * less.there)
    #expect(more.made < 6 * less.made)
    #expect(more.made * 10 < more.there)
  }
}
