import GeoAtlas
import GeoScan
import GeoTile
import TestSupport
import Testing

@testable import GeoServe

/// What a tile that is kept has in memory, and how long it holds.
@Suite struct CachedTileTests {
  private let folder: TemporaryFolder
  private let world: World

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFile("w/land/file", "content")
    for name in ["w/land", "w"] { try folder.setModified(name, 1_000_000_000) }
    // Without room for listings there are only those that somebody holds.
    world = try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, cacheLimit: 0)
  }

  private func tile(noting note: (WorldFolder) -> Void = { _ in }) throws -> CachedTile {
    // One of these shows the root; the others may be open sea.
    let walks = try [(0, 0), (0, 1), (1, 0), (1, 1)].map { x, y in
      var walk = TileWalk(try #require(TileAddress(zoom: 1, x: x, y: y)), of: world, for: nil)
      walk.run()
      return walk
    }
    let walk = try #require(walks.first { !$0.folders.isEmpty })
    let address = try #require(TileAddress(zoom: 1, x: 0, y: 0))
    walk.folders.forEach(note)
    return CachedTile(
      walk.content, TileKey(tile: address, format: .vector, isPacked: false),
      folders: walk.folders.map(\.witness), made: 0, changes: 0)
  }

  @Test func holdsNoListing() throws {
    final class Seen {
      weak var listing: WorldFolder?
      var count = 0
    }
    let seen = Seen()
    let tile = try tile { folder in
      seen.listing = folder
      seen.count += 1
    }
    #expect(seen.count > 0 && seen.count == tile.folders.count)
    #expect(seen.listing == nil)
  }

  @Test func knowsWithoutAListingWhetherItHolds() throws {
    let tile = try tile()
    let witness = try #require(tile.folders.first)
    #expect(witness.path == Array("w".utf8))
    #expect(world.isUnchangedNow(witness))
    _ = try folder.makeFile("w/new")
    #expect(!world.isUnchangedNow(witness))
  }
}
