import Foundation
import GeoCore
import GeoFormats
import TestSupport
import Testing

/// Whole maps, byte for byte. With GEOMAPPER_RECORD_GOLDEN set to a folder, they are written there.
@Suite struct GoldenTests {
  /// The formats whose features are written in the order of the map.
  private static let streamed = OutputFormat.allCases.filter { $0 != .parquet }

  @Test(arguments: streamed)
  func sample(format: OutputFormat) throws {
    try expectGolden(
      "sample.\(format.rawValue)",
      rows(of: map(sampleWorld, header: sampleHeader, as: format), format))
  }

  @Test(arguments: OutputFormat.allCases.filter(\.isGeoJSON))
  func tippecanoe(format: OutputFormat) throws {
    try expectGolden(
      "tippecanoe.\(format.rawValue)",
      map(sampleWorld, header: sampleHeader, as: format, tippecanoe: true))
  }

  @Test(arguments: streamed.filter { $0.traits.contains(.totals) })
  func totals(format: OutputFormat) throws {
    var world = sampleWorld
    for index in world.indices.dropLast() {
      world[index].feature.totals = FolderTotals(
        files: Int64(index), bytes: .max - Int64(index), allocated: 512 * Int64(index))
      world[index].shape.tint = UInt8(index)
    }
    try expectGolden(
      "totals.\(format.rawValue)",
      rows(of: map(world, header: sampleHeader, as: format, totals: true), format))
  }

  @Test(arguments: streamed)
  func nothing(format: OutputFormat) throws {
    let header = MapHeader(layout: .pinned, labels: [Array("usr".utf8)], isPartial: true)
    try expectGolden(
      "nothing.\(format.rawValue)", rows(of: map([], header: header, as: format), format))
  }

  /// The text itself; for a page, the data in it.
  private func rows(of text: [UInt8], _ format: OutputFormat) -> [UInt8] {
    guard format == .html else { return text }
    let (head, tail) = (PageFrame.bare.head, PageFrame.bare.tail)
    #expect(text.starts(with: head))
    #expect(text.suffix(tail.count).elementsEqual(tail))
    return Array(text.dropFirst(head.count).dropLast(tail.count))
  }

  private func expectGolden(_ name: String, _ text: [UInt8]) throws {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Golden")
    if let difference = try Golden.difference(of: text, from: name, in: folder) {
      Issue.record("\(difference)")
    }
  }
}
