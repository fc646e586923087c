import Foundation
import GeoAtlas
import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

/// An archive has the tiles of its world.
@Suite struct ArchiveTests {
  /// Down to the complete zoom, all tiles that aren't empty; deeper, only those in which a node
  /// first appears. Each equals the tile of a separate walk.
  @Test func hasTheTilesOfTheWorld() throws {
    struct Case: Sendable {
      var tree: Tree
      var range: TileDescent.Range
    }
    let property = Property<Case>("archive") { generator in
      let shape = Tree.Shape(
        nodes: generator.number(in: 0...120), folders: generator.chance(0.5) ? 0.3 : 0.7,
        depth: generator.chance(0.3) ? 0.8 : 0.2)
      var tree = Tree.random(shape, roots: 1, using: &generator)
      tree.folders[0].name = Array("w".utf8)
      return Case(
        tree: tree,
        range: TileDescent.Range(
          complete: generator.number(in: 0...6), maximumZoom: generator.number(in: 0...6)))
    } shrink: { old in
      old.tree.smaller.filter { $0.folders.count == 1 && $0.folders[0].name == Array("w".utf8) }
        .map { Case(tree: $0, range: old.range) }
    } fault: { given in
      let folder = try TemporaryFolder()
      try folder.make(given.tree)
      let world = try World(in: folder, labels: ["w"])
      var range = given.range
      range.complete = min(range.complete, range.maximumZoom)
      let archive = try DecodedArchive(try world.archived(range))
      let tiles = try archive.tiles()
      for number in 0..<HilbertCurve.first(ofZoom: range.maximumZoom + 1) {
        guard let address = HilbertCurve.tile(number), let tile = world.tile(address) else {
          return "no tile \(number)"
        }
        let body = VectorTile.encode(tile.content)
        let isNew = try comesIntoSight(body, address.zoom)
        let isWanted = !tile.content.isEmpty && (address.zoom <= range.complete || isNew)
        if isWanted != (tiles[number] != nil) {
          return "\(address) is \(isWanted ? "missing" : "too many")"
        }
        if let found = tiles[number], found != body { return "\(address) is another" }
      }
      return nil
    }
    if let found = try property.counterexample(cases: 10) { Issue.record("\(found)") }
  }

  /// Whether a tile shows a node that tiles of lower zooms don't show.
  private func comesIntoSight(_ body: [UInt8], _ zoom: Int) throws -> Bool {
    try DecodedTile(body).layers.contains { layer in
      ["land", "files"].contains(layer.name)
        && layer.features.contains { $0.properties["minzoom"] == .unsigned(UInt64(zoom)) }
    }
  }

  @Test func threadsDontChangeTheArchive() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 18)
    let tree = Tree.random(Tree.Shape(nodes: 150), roots: 2, using: &generator)
    try folder.make(Tree.Folder(Array("a".utf8), tree.folders[0].contents))
    try folder.make(Tree.Folder(Array("b".utf8), tree.folders[1].contents))
    let world = try World(in: folder, labels: ["a", "b"])
    let range = TileDescent.Range(complete: 4, maximumZoom: 8)
    let one = try world.archived(range, threads: 1)
    for threads in [2, 7] { #expect(try world.archived(range, threads: threads) == one) }
  }

  /// Equal tiles are stored once; within a large land, tiles look alike.
  @Test func storesEqualTilesOnce() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("w/only")
    let archive = try DecodedArchive(
      try World(in: folder, labels: ["w"]).archived(TileDescent.Range(complete: 7, maximumZoom: 7)))
    let tiles = try archive.tiles()
    #expect(Set(archive.entries.map(\.offset)).count == Set(tiles.values).count)
    #expect(archive.entries.count < tiles.count)
    #expect(archive.number(72) == tiles.count)
  }

  /// The stated size of the first zooms is that of the archive.
  @Test(arguments: [0, 2, 5])
  func entriesOfFirstZoomsFindTheirTiles(maximumZoom: Int) throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 3)
    let tree = Tree.random(Tree.Shape(nodes: 200), roots: 1, using: &generator)
    try folder.make(Tree.Folder(Array("w".utf8), tree.folders[0].contents))
    let archive = try WorldArchive(
      of: try World(in: folder, labels: ["w"]),
      range: TileDescent.Range(complete: min(3, maximumZoom), maximumZoom: maximumZoom), threads: 1)
    var bytes: [UInt8] = []
    try archive.write(failing: { $0 }) { (part: Span<UInt8>) throws(Errno) in
      for index in part.indices { bytes.append(part[index]) }
    }
    let decoded = try DecodedArchive(bytes)
    let tiles = try decoded.tiles()
    for zoom in 0...3 {
      let end = HilbertCurve.first(ofZoom: zoom + 1)
      let entries = try archive.beginning(to: zoom)
      for number in 0..<end {
        let entry = entries.first { $0.tile <= number && number < $0.tile + UInt64($0.run) }
        let reported = try entry.map { try decoded.unpacked(Int($0.offset), Int($0.length)) }
        #expect(reported == tiles[number], "tile \(number) of those to zoom \(zoom)")
      }
      #expect(entries.allSatisfy { $0.tile < end })
    }
  }

  /// The whole file, byte for byte. With GEOMAPPER_RECORD_GOLDEN set to a folder, it is written
  /// there.
  @Test func equalsTheGoldenFile() throws {
    let folder = try TemporaryFolder()
    for name in ["w/a.txt", "w/land/b.txt", "w/land/deep/c.txt", "w/land/deep/d.txt"] {
      _ = try folder.makeFile(name, name)
      try folder.setModified(name, 1_000_000_000)
    }
    for name in ["w/land/deep", "w/land", "w"] { try folder.setModified(name, 1_100_000_000) }
    let bytes = try World(in: folder, labels: ["w"])
      .archived(TileDescent.Range(complete: 2, maximumZoom: 5))
    let golden = Bundle.module.bundleURL.appendingPathComponent("Golden")
    #expect(try Golden.difference(of: bytes, from: "small.pmtiles", in: golden) == nil)
  }
}
