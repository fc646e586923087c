import GeoFormats
import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoFormats

/// A whole file, read by the rules of the format.
@Suite struct FlatGeobufFileTests {
  private static let header = MapHeader(
    layout: .settled, labels: [Array("r".utf8)], isPartial: false)

  /// Records of points, one for each file, in folders of ten.
  private func records(_ count: Int) -> [UInt8] {
    let writer = FeatureWriter(format: .flatgeobuf)
    var buffer = OutputBuffer(capacity: 0)
    var generator = SeededGenerator(seed: 7)
    for start in stride(from: 0, to: count, by: 10) {
      writer.enterFolder(path: Array("r/\(start)".utf8))
      let range = start..<min(start + 10, count)
      let places = range.map {
        FilePlace(
          seed: UInt64($0 + 1) << 11,
          coordinate: Coordinate(
            longitude: Int64.random(in: -180_000...180_000, using: &generator),
            latitude: Int64.random(in: -80_000...80_000, using: &generator)))
      }
      _ = writer.writeFiles(
        NameTable(range.map { Array("file \($0)".utf8) }), 0..<range.count, places: places,
        facts: range.map { EntryFacts(size: Int64($0), modified: -1, status: .known) },
        FileBatch(depth: 2, digits: 3, minzoom: 5), to: &buffer)
    }
    return buffer.bytes
  }

  /// The file assembled from records that come in batches of `batch` bytes.
  private func file(_ records: [UInt8], batch: Int, threads: Int = 1) throws -> [UInt8] {
    let assembler = FlatGeobufAssembler(Self.header, WriterOptions(), threads: threads)
    var pending: [UInt8] = []
    var (offset, number) = (0, 0)
    while offset < records.count {
      let end = Record.end(records.span, at: offset)
      pending += records[offset..<end]
      offset = end
      number += 1
      if number % batch == 0 {
        try assembler.add(pending.span)
        pending = []
      }
    }
    try assembler.add(pending.span)
    try assembler.finish()
    var bytes: [UInt8] = []
    while true {
      var buffer = OutputBuffer(capacity: 0)
      guard try assembler.write(to: &buffer) else { return bytes }
      bytes += buffer.bytes
    }
  }

  /// So many features that several blocks are read ahead, both of the index's leaves and of the
  /// features.
  @Test func threadsDontChangeTheFile() throws {
    let records = records(40_000)
    let one = try file(records, batch: 1000)
    let isSame = try file(records, batch: 1000, threads: 3) == one
    #expect(isSame)
    #expect(one.count > 4 << 20)
  }

  @Test(arguments: [0, 1, 16, 17, 3000])
  func headerIndexAndFeatures(count: Int) throws {
    let bytes = try file(records(count), batch: 64)
    #expect(bytes.starts(with: [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62]))
    let header = FlatBufferReader(bytes, at: 8)
    #expect(header.root.text(0) == "r")
    #expect(header.root.byte(2) == (count > 0 ? FlatGeobuf.Geometry.point.rawValue : nil))
    #expect(header.root.long(8) == (count > 0 ? UInt64(count) : nil))
    #expect(header.root.short(9) == (count > 0 ? 16 : 0))
    let columns = header.root.tables(7).map { $0.text(0) }
    #expect(columns.prefix(3) == ["id", "path", "name"] && columns.last == "rawPath")

    var nodes = count == 0 ? 0 : count
    var level = count
    while count > 0 {
      level = (level + 15) / 16
      nodes += level
      if level == 1 { break }
    }
    var offset = 8 + 4 + header.length + nodes * PackedTree.node
    var last: UInt64 = 0
    var names: Set<String> = []
    let curve = WorldCurve()
    while offset < bytes.count {
      // Features are aligned relative to the first.
      let feature = FlatBufferReader(bytes, at: offset)
      #expect((4 + feature.length) % 8 == 0)
      let position = try #require(feature.root.table(0)?.doubles(1))
      #expect(feature.root.table(0)?.byte(6) == FlatGeobuf.Geometry.point.rawValue)
      let key = curve.index(longitude: position[0], latitude: position[1])
      #expect(key >= last)
      last = key
      let properties = try #require(feature.root.bytes(1))
      // The name is the third column, after id and path.
      let path = Int(properties[12]) | Int(properties[13]) << 8
      #expect(Array(properties[10..<12]) == [1, 0])
      names.insert(String(decoding: properties[16..<(16 + path)], as: UTF8.self))
      offset += 4 + feature.length
    }
    #expect(offset == bytes.count)
    #expect(names.count == count)
  }

  @Test func batchesDontChangeTheFile() throws {
    let records = records(500)
    let whole = try file(records, batch: 1000)
    for batch in [1, 3, 100] { #expect(try file(records, batch: batch) == whole) }
  }
}
