import Foundation
import GeoAtlas
import GeoTree
import TestSupport
import Testing

@testable import GeoWeb

/// The depth of an archive without gaps.
@Suite struct DepthTests {
  private struct Case: Sendable {
    var tree: Tree
    var sparse: TileDescent.Range
  }

  private static let deepest = 7

  private func bytes(_ archive: WorldArchive) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try archive.write { (part: Span<UInt8>) throws(Never) in
      for index in part.indices { bytes.append(part[index]) }
    }
    return bytes
  }

  /// It is the deepest zoom at which the archive is at most twice as large as a sparse one; the
  /// archive equals the one requested with that zoom.
  @Test func isAsDeepAsItsSizeAllows() throws {
    let property = Property<Case>("depth") { generator in
      let shape = Tree.Shape(
        nodes: generator.number(in: 0...30), folders: generator.chance(0.5) ? 0.2 : 0.6,
        depth: generator.chance(0.3) ? 0.8 : 0.2)
      var tree = Tree.random(shape, roots: 1, using: &generator)
      tree.folders[0].name = Array("w".utf8)
      let complete = generator.number(in: 0...3)
      return Case(
        tree: tree,
        sparse: TileDescent.Range(
          complete: complete, deepest: complete + generator.number(in: 0...4)))
    } shrink: { old in
      old.tree.smaller.filter { $0.folders.count == 1 && $0.folders[0].name == Array("w".utf8) }
        .map { Case(tree: $0, sparse: old.sparse) }
    } fault: { given in
      let folder = try TemporaryFolder()
      try folder.make(given.tree)
      let world = try World(in: folder, labels: ["w"])
      let archive = try WorldArchive.complete(
        of: world, notTwiceAsLargeAs: given.sparse, deepest: Self.deepest, threads: 2)
      let most = 2 * (try world.archived(given.sparse).count)
      let zoom = archive.header.deepest
      let found = try bytes(archive)
      if found != (try world.archived(TileDescent.Range(complete: zoom, deepest: zoom))) {
        return "not the archive down to zoom \(zoom)"
      }
      if found.count > most { return "\(found.count) bytes at zoom \(zoom), more than \(most)" }
      if zoom == Self.deepest { return nil }
      let next = try world.archived(
        TileDescent.Range(complete: zoom + 1, deepest: zoom + 1))
      return next.count > most ? nil : "zoom \(zoom + 1) takes \(next.count) bytes, of \(most)"
    }
    if let found = try property.counterexample(cases: 4) { Issue.record("\(found)") }
  }

  /// The combined run contains the sparse archive, and the number of threads makes no difference.
  @Test func aCutIsTheArchiveOfThatRange() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 28)
    let tree = Tree.random(Tree.Shape(nodes: 60), roots: 1, using: &generator)
    try folder.make(Tree.Folder(Array("w".utf8), tree.folders[0].contents))
    let world = try World(in: folder, labels: ["w"])
    let range = TileDescent.Range(complete: 5, deepest: 7)
    let (one, more) = (
      TileWork(world, totals: nil, range: range, probeShare: 2),
      TileWork(world, totals: nil, range: range, probeShare: 2)
    )
    let tiles = try one.run(threads: 1)
    _ = try more.run(threads: 3)
    for (complete, deepest) in [(5, 7), (2, 7), (2, 4), (4, 4), (0, 7)] {
      let range = TileDescent.Range(complete: complete, deepest: deepest)
      let cut = try WorldArchive(tiles.cut(to: range), of: world)
      #expect(try bytes(cut) == world.archived(range), "\(range)")
    }
    #expect(one.probed.parents == more.probed.parents)
    #expect(one.probed.children == more.probed.children)
    #expect(one.probed.children > one.probed.parents)
  }

  /// An empty world has nothing at the deepest zoom either.
  @Test func anEmptyWorldIsDoneAtOnce() throws {
    let folder = try TemporaryFolder()
    let archive = try WorldArchive.complete(
      of: try World(in: folder, labels: []),
      notTwiceAsLargeAs: TileDescent.Range(complete: 0, deepest: 0), deepest: 24, threads: 1)
    #expect(archive.counts.tiles == 0)
  }

  /// The metadata names every property in the tiles, also with totals and towns.
  @Test func theMetadataNamesEveryProperty() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 7)
    let tree = Tree.random(Tree.Shape(nodes: 120), roots: 1, using: &generator)
    try folder.make(Tree.Folder(Array("w".utf8), tree.folders[0].contents))
    let archive = try DecodedArchive(
      try World(in: folder, labels: ["w"]).archived(TileDescent.Range(complete: 4, deepest: 7)))
    let metadata = try archive.unpacked(archive.number(24), archive.number(32))
    for tile in try archive.tiles().values {
      #expect(try DecodedTile(tile).fault(against: metadata) == nil)
    }
  }
}
