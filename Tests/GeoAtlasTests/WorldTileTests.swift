import GeoTree
import GeoAtlas
import TestSupport
import Testing

@testable import GeoAtlas

/// What a tile keeps in memory, and for how long.
@Suite struct WorldTileTests {
  private let folder: TemporaryFolder
  private let world: World

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFile("w/land/file", "content")
    for name in ["w/land", "w"] { try folder.setModified(name, 1_000_000_000) }
    // Without room in the cache, only listings in use stay in memory.
    world = try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, cacheLimit: 0)
  }

  /// The tiles of zoom 1: one shows the root, the others may be open sea.
  private func addresses() throws -> [TileAddress] {
    try [(0, 0), (0, 1), (1, 0), (1, 1)].map { try #require(TileAddress(zoom: 1, x: $0, y: $1)) }
  }

  @Test func tilesRetainNoListing() throws {
    final class Seen {
      weak var listing: WorldFolder?
    }
    let seen = Seen()
    var tiles: [World.Tile] = []
    for address in try addresses() {
      let source = TileSource(world, Knowledge())
      var walk = TileWalk(address, of: source)
      walk.run(from: source.roots)
      if let folder = walk.folders.last { seen.listing = folder }
      tiles.append(World.Tile(walk))
    }
    #expect(tiles.contains { !$0.folders.isEmpty })
    #expect(seen.listing == nil)
  }

  @Test func stampsDetectChangesWithoutAListing() throws {
    let tiles = try addresses().compactMap { world.tile($0) }
    let stamp = try #require(tiles.lazy.compactMap(\.folders.first).first)
    #expect(stamp.path == Array("w".utf8))
    #expect(world.isUnchangedNow(stamp))
    _ = try folder.makeFile("w/new")
    #expect(!world.isUnchangedNow(stamp))
  }

  /// Hidden folders count: a tint is the same whatever is shown.
  @Test func tintsDontDependOnTheSelection() throws {
    for number in 0..<40 { _ = try folder.makeFile("w/land \(number)/file") }
    var selection = Selection()
    try selection.exclude(Array("land 1*".utf8))
    let root = ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))
    let some = try World(
      roots: [root], layout: .settled, selection: selection, cacheLimit: 0)
    let (whole, part) = (world.reader().root(0), some.reader().root(0))
    #expect(part.folders.count < whole.folders.count)
    for index in 0..<part.folders.count {
      let other = try #require(whole.folders.index(of: part.folders.name(at: index)))
      #expect(part.tints[index] == whole.tints[other])
    }
  }

  @Test func unwantedTilesAreCancelled() throws {
    let (address, before) = (try #require(TileAddress(zoom: 0, x: 0, y: 0)), world.folderReads)
    #expect(world.tile(address, isUnwanted: { true }) == nil)
    #expect(world.folderReads == before)
    #expect(world.tile(address) != nil)
  }
}
