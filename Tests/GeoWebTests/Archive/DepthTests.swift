import Foundation
import GeoAtlas
import GeoCore
import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

/// The depth of an archive without gaps.
@Suite struct DepthTests {
  private func bytes(_ archive: WorldArchive) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try archive.write(failing: { $0 }) { (part: Span<UInt8>) throws(Errno) in
      for index in part.indices { bytes.append(part[index]) }
    }
    return bytes
  }

  /// The archive of a world, as if it had these nodes.
  private func archive(
    of world: World, _ nodes: [(zoom: UInt8, count: Int)]
  ) throws -> WorldArchive {
    var numbers = NodesByZoom()
    for (zoom, count) in nodes { for _ in 0..<count { numbers.add(zoom, depth: 1) } }
    return try WorldArchive.complete(of: world, numbers, threads: 2)
  }

  /// It ends where the last node appears; and before, if the sizes of the first zooms and the
  /// number of nodes tell that it would be too large. It equals the archive made with
  /// its zoom.
  @Test func depthFollowsNodesAndSize() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 29)
    let tree = Tree.random(Tree.Shape(nodes: 40), roots: 1, using: &generator)
    try folder.make(Tree.Folder(Array("w".utf8), tree.folders[0].contents))
    let world = try World(in: folder, labels: ["w"])
    for last in [0, 3, 4, 5] {
      let archive = try archive(of: world, [(0, 1), (UInt8(last), 1)])
      #expect(archive.header.maximumZoom == last)
      let range = TileDescent.Range(complete: last, maximumZoom: last)
      #expect(try bytes(archive) == world.archived(range), "zoom \(last)")
    }
    // With so many nodes, zoom 5 takes half of the size by estimate, and zoom 6 twice as much.
    let many = try archive(of: world, [(0, 1), (5, 200_000), (24, 1)])
    #expect(many.header.maximumZoom == 5)
  }

  /// Where no node is shown, nothing is made, whatever the depth.
  @Test func hiddenNodesTakeNoTime() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/a/b/c/d/e/f/g/one")
    var selection = Selection()
    selection.requireKinds([.symlink])
    let world = try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, selection: selection, cacheLimit: 1 << 24)
    let range = TileDescent.Range(complete: 26, maximumZoom: 26)
    #expect(try WorldArchive(of: world, range: range, threads: 2).counts.tiles == 0)
  }

  /// An empty world has nothing at the deepest zoom either.
  @Test func anEmptyWorldIsDoneAtOnce() throws {
    let folder = try TemporaryFolder()
    let world = try World(in: folder, labels: [])
    #expect(try archive(of: world, []).counts.tiles == 0)
    #expect(try archive(of: world, [(24, 1)]).counts.tiles == 0)
  }

  /// The metadata names every property in the tiles, also with totals and towns.
  @Test func theMetadataNamesEveryProperty() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 7)
    let tree = Tree.random(Tree.Shape(nodes: 120), roots: 1, using: &generator)
    try folder.make(Tree.Folder(Array("w".utf8), tree.folders[0].contents))
    let archive = try DecodedArchive(
      try World(in: folder, labels: ["w"]).archived(TileDescent.Range(complete: 4, maximumZoom: 7)))
    let metadata = try archive.unpacked(archive.number(24), archive.number(32))
    for tile in try archive.tiles().values {
      #expect(try DecodedTile(tile).fault(against: metadata) == nil)
    }
  }
}
