import GeoCore
import GeoFormats
import GeoProjection
import TestSupport
import Testing

@testable import GeoAtlas

/// Random content of a tile, and what a reader has to find in it.
struct RandomContent: Sendable, CustomStringConvertible {
  var content: TileContent
  /// The given names in the order of the nodes, as bytes that may not be text.
  var landPaths: [[UInt8]] = []
  var spotNames: [[UInt8]] = []

  var description: String { "\(content.tile): \(landPaths), \(spotNames)" }

  init(using generator: inout SeededGenerator) throws {
    let engine = try GeoProjectionEngine(
      layout: .settled, labels: NameTable([Self.name(&generator)], kind: .directory))
    let zoom = generator.number(in: 0...6)
    // Around the middle of the world, where there is land.
    let (middle, reach) = ((1 << zoom) / 2, min((1 << zoom) / 2, 2))
    let (x, y) = (
      middle - generator.number(in: 0...reach), middle - generator.number(in: 0...reach)
    )
    let tile = try #require(TileAddress(zoom: zoom, x: max(0, x), y: max(0, y)))
    content = TileContent(tile, by: engine)
    var places = engine.roots
    let names = Set((0..<generator.number(in: 0...12)).map { _ in Self.name(&generator) })
    engine.placeFolders(
      NameTable(names.sorted { $0.lexicographicallyPrecedes($1) }, kind: .directory),
      in: engine.roots[0], fileCount: 3, into: &places)
    for place in engine.roots + places where content.draw(place) {
      let path = Self.name(&generator) + [UInt8(ascii: "/")] + Self.name(&generator)
      landPaths.append(path)
      var node = Self.node(of: place, &generator)
      if generator.chance(0.8) { node.tint = UInt8(generator.number(in: 0...5)) }
      content.add(
        land: node, at: place, label: engine.chart(place.land.centre),
        path: path.span, name: Self.last(of: path).span)
    }
    for _ in 0..<generator.number(in: 0...20) {
      let folder = content.add(text: Self.name(&generator).span)
      for _ in 0..<generator.number(in: 1...3) {
        let name = Self.name(&generator)
        spotNames.append(name)
        let point = content.tile.point(
          at: TilePoint(
            x: Int64(generator.number(in: -64...4160)),
            y: Int64(generator.number(in: -64...4160))))
        var node = Self.node(of: engine.roots[0], &generator)
        if generator.chance(0.2) { node.record.entry = .symlink }
        content.add(
          spot: node, at: point, digits: 9, folder: folder, name: name.span,
          isFile: generator.chance(0.9))
      }
    }
  }

  private static func last(of path: [UInt8]) -> [UInt8] {
    Array(path[(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)...].dropFirst())
  }

  /// A few bytes, often the same ones, and sometimes not text.
  private static func name(_ generator: inout SeededGenerator) -> [UInt8] {
    let words: [[UInt8]] = [
      Array("usr".utf8), Array("größe".utf8), [0xFF], Array("a\"\\b".utf8), [0xE2, 0x82],
      Array("\u{1F30D}".utf8), Array("x".utf8), [1, 9, 0x7F], Array("%41~".utf8),
    ]
    return (0..<generator.number(in: 1...3)).flatMap { _ in
      words[generator.number(in: 0...(words.count - 1))]
    }
  }

  private static func node(
    of place: FolderPlace, _ generator: inout SeededGenerator
  ) -> TileContent.Node {
    var node = TileContent.Node(
      FeatureRecord(
        id: generator.next() >> 11, kind: place.kind, depth: Int(place.depth),
        minzoom: UInt8(generator.number(in: 0...64))))
    let edges: [Int64] = [0, 1, 127, 128, .max, Int64(generator.next() >> 1)]
    if generator.chance(0.8) {
      node.record.size = edges[generator.number(in: 0...(edges.count - 1))]
    }
    if generator.chance(0.8) {
      let time = edges[generator.number(in: 0...(edges.count - 1))]
      node.record.modified = generator.chance(0.5) ? time : ~time
    }
    node.record.isUnreadable = generator.chance(0.2)
    if place.isLanded, generator.chance(0.5) {
      node.record.totals = FolderTotals(
        files: edges[generator.number(in: 0...3)], bytes: edges[generator.number(in: 0...5)],
        allocated: nil)
      node.record.newest = generator.chance(0.5) ? ~edges[generator.number(in: 0...5)] : nil
      node.record.type = generator.chance(0.5) ? "code" : nil
    }
    return node
  }
}
