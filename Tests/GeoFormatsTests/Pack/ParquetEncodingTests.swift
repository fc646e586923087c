import GeoFormats
import GeoCore
import TestSupport
import Testing

@testable import GeoFormats

/// A reader of the format's encodings, which takes a bit at a time, finds the written values.
@Suite struct ParquetEncodingTests {
  struct Reader {
    let bytes: [UInt8]
    var offset = 0

    mutating func varint() -> UInt64 {
      var number: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        let next = bytes[offset]
        offset += 1
        number |= UInt64(next & 0x7F) << shift
        if next < 0x80 { return number }
        shift += 7
      }
    }

    mutating func zigzag() -> Int64 {
      let number = varint()
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func deltas() -> [Int64] {
      let (block, parts, count) = (Int(varint()), Int(varint()), Int(varint()))
      #expect(block % 128 == 0 && block / parts % 32 == 0)
      var numbers = [zigzag()]
      while numbers.count < count {
        let least = zigzag()
        let widths = bytes[offset..<(offset + parts)]
        offset += parts
        for width in widths where numbers.count < count {
          let start = offset
          offset += Int(width) * (block / parts) / 8
          for index in 0..<(block / parts) where numbers.count < count {
            var rest: UInt64 = 0
            for bit in 0..<Int(width) {
              let place = index * Int(width) + bit
              let isSet = bytes[start + place / 8] >> UInt8(place % 8) & 1 == 1
              if isSet { rest |= 1 << UInt64(bit) }
            }
            numbers.append(numbers[numbers.count - 1] &+ least &+ Int64(bitPattern: rest))
          }
        }
      }
      return Array(numbers.prefix(count))
    }

    mutating func lengths() -> [[UInt8]] {
      deltas().map { length in
        defer { offset += Int(length) }
        return Array(bytes[offset..<(offset + Int(length))])
      }
    }

    mutating func prefixes() -> [[UInt8]] {
      var last: [UInt8] = []
      let shared = deltas()
      return zip(shared, lengths()).map { shared, rest in
        last = last.prefix(Int(shared)) + rest
        return last
      }
    }
  }

  private func written(_ body: (inout OutputBuffer) -> Void) -> Reader {
    var buffer = OutputBuffer(capacity: 0)
    body(&buffer)
    var bytes: [UInt8] = []
    buffer.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
    return Reader(bytes: bytes)
  }

  private func expectSame(_ numbers: [Int64], _ comment: Comment) {
    var reader = written { ParquetEncoding.appendDeltas(numbers.span, to: &$0) }
    #expect(reader.deltas() == numbers, comment)
    #expect(reader.offset == reader.bytes.count, comment)
  }

  @Test(arguments: [0, 1, 2, 32, 33, 34, 128, 129, 130, 161, 1000])
  func integersRoundTrip(count: Int) {
    for seed in TestScale.seeds(8) {
      var generator = SeededGenerator(seed: seed)
      for width in [0, 1, 7, 8, 31, 33, 53, 63, 64] {
        let numbers = (0..<count).map { _ in
          let word = UInt64.random(in: 0 ... .max, using: &generator)
          return Int64(bitPattern: width == 0 ? 0 : word >> UInt64(64 - width))
        }
        expectSame(numbers, "seed \(seed), width \(width)")
        expectSame(numbers.sorted(), "seed \(seed), width \(width), in order")
      }
    }
  }

  @Test func differencesWrapAround() {
    expectSame([.min, .max, 0, .max, .min, -1, 1], "far apart")
    expectSame((0..<300).map { $0 % 2 == 0 ? .min : .max }, "to and fro")
  }

  @Test func smallDifferencesTakeFewBytes() {
    let numbers = (0..<1280).map { 1_000_000_007 * Int64($0) }
    let reader = written { ParquetEncoding.appendDeltas(numbers.span, to: &$0) }
    #expect(reader.bytes.count < 120)
  }

  @Test func textsRoundTrip() {
    for seed in TestScale.seeds(40) {
      var generator = SeededGenerator(seed: seed)
      var bytes: [UInt8] = []
      let texts = (0..<generator.number(in: 0...200)).map { _ in
        let text = (0..<generator.number(in: 0...20)).map { _ in
          UInt8(generator.number(in: 0...2))
        }
        bytes += text
        return text
      }
      var end = 0
      let ranges = texts.map { text in
        defer { end += text.count }
        return end..<(end + text.count)
      }
      var reader = written { ParquetEncoding.appendPrefixes(ranges, of: bytes.span, to: &$0) }
      #expect(reader.prefixes() == texts, "seed \(seed)")
      #expect(reader.offset == reader.bytes.count, "seed \(seed)")
      reader = written {
        ParquetEncoding.appendPrefixes(ranges, of: bytes.span, isSharing: false, to: &$0)
      }
      #expect(reader.prefixes() == texts, "seed \(seed)")
      #expect(reader.offset == reader.bytes.count, "seed \(seed)")
      reader = written { ParquetEncoding.appendLengths(ranges, of: bytes.span, to: &$0) }
      #expect(reader.lengths() == texts, "seed \(seed)")
      #expect(reader.offset == reader.bytes.count, "seed \(seed)")
    }
  }

  @Test func boundsContainTheirBoxes() {
    for seed in TestScale.seeds(20) {
      var generator = SeededGenerator(seed: seed)
      let extents: [Double] = [1e-7, 1e-3, 1, 300]
      let extent = extents[generator.number(in: 0...3)]
      let west = Double.random(in: -180...(180 - extent), using: &generator)
      var rows = ParquetRows()
      for key in 0..<UInt64(50) {
        let longitude = Double.random(in: west...(west + extent), using: &generator)
        var record = [UInt8](repeating: 0, count: NodeRecord.path + 4)
        for byte in 0..<8 {
          record[NodeRecord.longitude + byte] = UInt8(
            truncatingIfNeeded: longitude.bitPattern >> UInt64(8 * byte))
        }
        rows.add(record.span, sortedBy: key)
      }
      func edges(_ source: ParquetColumn.Source) -> [Double] {
        let column = ParquetColumn(
          name: "edge", physical: .float, encoding: .listed, source: source)
        let page = ParquetPage(column, rows, WriterOptions())
        let dictionary = page.dictionary?.bytes ?? []
        return page.body.withBytes { bytes in
          // The bit width, and a run of packed numbers.
          #expect(bytes[0] == 8 && bytes[1] == 7 << 1 | 1)
          return (0..<50).map { row in
            let float = dictionary.span.loadHalfWord(at: 4 * Int(bytes[2 + row]))
            return Double(Float(bitPattern: float))
          }
        }
      }
      let step = max(extent / 64, 0x1p-16)
      for (row, (low, high)) in zip(edges(.west), edges(.east)).enumerated() {
        let box = rows.boxes[row]
        #expect(low <= box.west && box.west < low + step, "seed \(seed)")
        #expect(high >= box.east && box.east > high - step, "seed \(seed)")
        #expect(low >= -180 && high <= 180, "seed \(seed)")
      }
    }
  }
}
