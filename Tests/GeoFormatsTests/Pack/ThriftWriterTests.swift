import TestSupport
import Testing

@testable import GeoFormats

/// Structures can be read by the rules of the compact protocol.
@Suite struct ThriftWriterTests {
  /// Decoded values of the protocol's types.
  indirect enum Value: Equatable {
    case bool(Bool)
    case integer(Int)
    case binary([UInt8])
    case list([Value])
    case structure([Int: Value])
  }

  /// Decodes what was written.
  struct Reader {
    let bytes: [UInt8]
    var offset = 0

    mutating func byte() -> UInt8 {
      defer { offset += 1 }
      return bytes[offset]
    }

    mutating func varint() -> UInt64 {
      var number: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        let next = byte()
        number |= UInt64(next & 0x7F) << shift
        if next < 0x80 { return number }
        shift += 7
      }
    }

    mutating func zigzag() -> Int {
      let number = varint()
      return Int(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    }

    mutating func value(_ kind: UInt8) -> Value {
      switch kind {
      case 1: return .bool(true)
      case 2: return .bool(false)
      case 3: return .integer(Int(Int8(bitPattern: byte())))
      case 4, 5, 6: return .integer(zigzag())
      case 8:
        let count = Int(varint())
        defer { offset += count }
        return .binary(Array(bytes[offset..<(offset + count)]))
      case 9:
        let head = byte()
        let count = head >> 4 == 15 ? Int(varint()) : Int(head >> 4)
        return .list((0..<count).map { _ in value(head & 15) })
      default: return structure()
      }
    }

    mutating func structure() -> Value {
      var fields: [Int: Value] = [:]
      var last = 0
      while true {
        let head = byte()
        if head == 0 { return .structure(fields) }
        last = head >> 4 == 0 ? zigzag() : last + Int(head >> 4)
        fields[last] = value(head & 15)
      }
    }
  }

  private func read(_ bytes: [UInt8]) -> Value {
    var reader = Reader(bytes: bytes)
    let value = reader.structure()
    #expect(reader.offset == bytes.count)
    return value
  }

  @Test func allTypes() {
    let long = [UInt8](repeating: 7, count: 300)
    let bytes = ThriftWriter.structure { writer in
      writer.set(1, true)
      writer.set(2, int: -1)
      writer.set(3, long: .max)
      writer.set(4, long: .min)
      writer.set(5, long)
      writer.set(21, false)
      writer.set(22) { inner in
        inner.set(8, int: 300)
        inner.set(9) { _ in }
      }
      // The field number continues after a structure, whatever the structure contains.
      writer.set(23, int: -56)
      writer.list(24, of: .int, count: 20)
      for number in 0..<20 { writer.element(number - 10) }
      writer.list(300, of: .structure, count: 2)
      writer.element { $0.set(1, int: 5) }
      writer.element(written: ThriftWriter.structure { $0.set(2, [1]) })
      writer.list(301, of: .binary, count: 1)
      writer.element([UInt8](repeating: 1, count: 2))
    }
    #expect(
      read(bytes)
        == .structure([
          1: .bool(true), 2: .integer(-1), 3: .integer(.max), 4: .integer(.min), 5: .binary(long),
          21: .bool(false), 22: .structure([8: .integer(300), 9: .structure([:])]),
          23: .integer(-56), 24: .list((0..<20).map { .integer($0 - 10) }),
          300: .list([.structure([1: .integer(5)]), .structure([2: .binary([1])])]),
          301: .list([.binary([1, 1])]),
        ]))
  }
}

/// Packing and unpacking small numbers.
@Suite struct ParquetBitsTests {
  /// Decodes packed runs by the format's rules.
  private func unpacked(_ bytes: [UInt8], width: Int, count: Int) -> [UInt32] {
    var reader = ThriftWriterTests.Reader(bytes: bytes)
    var numbers: [UInt32] = []
    while numbers.count < count {
      let head = reader.varint()
      if head & 1 == 0 {
        var value: UInt32 = 0
        for index in 0..<((width + 7) / 8) { value |= UInt32(reader.byte()) << UInt32(8 * index) }
        numbers += [UInt32](repeating: value, count: Int(head >> 1))
        continue
      }
      let start = 8 * reader.offset
      for index in 0..<(8 * Int(head >> 1)) {
        var value: UInt32 = 0
        for bit in 0..<width {
          let place = start + index * width + bit
          value |= UInt32(bytes[place / 8] >> UInt8(place % 8) & 1) << UInt32(bit)
        }
        numbers.append(value)
      }
      reader.offset += Int(head >> 1) * width
    }
    #expect(reader.offset == bytes.count)
    return Array(numbers.prefix(count))
  }

  @Test func packedNumbersRoundTrip() throws {
    let property = Property<[UInt32]>(
      "packed numbers come back",
      generate: { generator in
        let most = UInt32(1) << UInt32.random(in: 0...17, using: &generator)
        let count = Int.random(in: 1...100, using: &generator)
        return (0..<count).map { _ in UInt32.random(in: 0..<most, using: &generator) }
      },
      fault: { numbers in
        let width = ParquetBits.width(upTo: Int(numbers.max() ?? 0))
        let packed = ParquetBits.packed(numbers, width: width)
        return unpacked(packed, width: width, count: numbers.count) == numbers ? nil : "others"
      })
    let found = try property.counterexample(cases: 300)
    #expect(found == nil, "\(found.map(\.description) ?? "")")
  }

  @Test(arguments: [1, 7, 8, 9, 200])
  func levelsMarkRowsWithAValue(count: Int) {
    for step in [1, 2, 3, 1000] {
      for isPresent in [{ (row: Int) in row % step == 0 }, { (row: Int) in row % step != 0 }] {
        let (bytes, nulls) = ParquetBits.levels(count, isPresent: isPresent)
        let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
        #expect(length == bytes.count - 4)
        let levels = unpacked(Array(bytes.dropFirst(4)), width: 1, count: count)
        #expect(levels == (0..<count).map { isPresent($0) ? 1 : 0 })
        #expect(nulls == levels.count { $0 == 0 })
      }
    }
  }
}
