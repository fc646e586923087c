import Foundation
import GeoCore
import GeoFormats
import GeoProjection
import TestSupport
import Testing

@testable import GeoAtlas

/// A whole tile, byte for byte, in each format. Its lands and points are made up, so only a change
/// of the formats, the chart or the coast lines changes it. With GEOMAPPER_RECORD_GOLDEN set to a
/// folder, it is written there.
@Suite struct GoldenTests {
  @Test(arguments: [(TileFormat.vector, "sample.mvt"), (.geojson, "sample.geojson")])
  func sample(format: TileFormat, name: String) throws {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Golden")
    let difference = try Golden.difference(
      of: format.encode(try sample()), from: name, in: folder)
    #expect(difference == nil)
  }

  @Test(arguments: [(TileFormat.vector, "nothing.mvt"), (.geojson, "nothing.geojson")])
  func nothing(format: TileFormat, name: String) throws {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Golden")
    let tile = try #require(TileAddress(zoom: 30, x: 1 << 30 - 1, y: 0))
    let difference = try Golden.difference(
      of: format.encode(TileContent(tile, by: try engine())), from: name, in: folder)
    #expect(difference == nil)
  }

  private func engine() throws -> GeoProjectionEngine {
    try GeoProjectionEngine(
      layout: .settled, labels: NameTable([Array("usr".utf8)], kind: .directory))
  }

  private func sample() throws -> TileContent {
    let engine = try engine()
    var content = TileContent(try #require(TileAddress(zoom: 2, x: 1, y: 2)), by: engine)
    for (depth, path) in ["usr", "usr/größe", "usr/größe/a \"b\"\n", "usr/größe/c"].enumerated() {
      // Each land is in the middle of its parent; the last is so small that its line is coarse.
      let (middle, half) = (Int64(3) << 59, Int64(1) << Int64(60 - 2 * depth))
      let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)] as [(Int64, Int64)]
      let points = corners.map { PlanPoint(x: middle + $0 * half, y: 5 << 59 + $1 * half) }
      let place = FolderPlace(
        seed: 0x0123_4567_89AB_CDEF &* UInt64(depth + 1),
        land: Quad(points[0], points[1], points[2], points[3]), depth: Int32(depth),
        digits: 6, minzoom: UInt8(depth), isLanded: true)
      let isSeen = content.draw(place)
      #expect(isSeen)
      var node = TileContent.Node(
        FeatureRecord(
          id: place.id, kind: place.kind, depth: depth, minzoom: UInt8(depth)))
      node.record.size = depth == 2 ? nil : Int64(depth * 300)
      node.record.modified = depth == 2 ? nil : 1_763_640_000 - Int64(depth) * 1_800_000_000
      node.record.isUnreadable = depth == 2
      if depth == 1 {
        node.record.totals = FolderTotals(files: 3, bytes: 1200, allocated: nil)
        (node.record.newest, node.record.type) = (1_763_000_000, "text")
      }
      let name = path.split(separator: "/").last.map { Array($0.utf8) } ?? []
      content.add(
        land: node, at: place, label: engine.chart(place.land.centre),
        path: Array(path.utf8).span, name: name.span)
    }
    addSpots(to: &content)
    return content
  }

  private func addSpots(to content: inout TileContent) {
    let folder = content.add(text: Array("usr/größe".utf8).span)
    let noText = content.add(text: (Array("usr/".utf8) + [0xE2, 0x82]).span)
    let kinds: [EntryKind] = [.regular, .symlink, .fifo, .socket, .block, .character]
    for (index, kind) in kinds.enumerated() {
      var node = TileContent.Node(
        FeatureRecord(
          id: UInt64(index) << 45 | 77, kind: .poi, depth: index + 2, minzoom: UInt8(index * 12)))
      node.record.size = [0, 127, 128, .max, nil, nil][index]
      node.record.modified = [0, -1, .max, .min, nil, 1][index]
      node.record.entry = kind
      node.record.isUnreadable = index == 4
      let name: [UInt8] = index == 5 ? [0xFF, 0x22, 0x01] : Array("file \(index)".utf8)
      let place = content.tile.point(
        at: TilePoint(x: Int64(index) * 833 - 64, y: 4160 - Int64(index) * 500))
      content.add(
        spot: node, at: place, digits: UInt8(6 + index), folder: index == 3 ? noText : folder,
        name: name.span, isFile: index != 1)
    }
  }
}
