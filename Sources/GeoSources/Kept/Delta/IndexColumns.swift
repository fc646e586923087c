import GeoCore

/// The index of a snapshot with numbers of blocks in place of offsets, so that it hardly changes
/// when blocks get longer; see ``DeltaFile``. Offsets are those of the blocks.
struct IndexColumns {
  private var numbers: [UInt64: Int] = [:]
  private var columns: [[UInt8]] = [[], [], []]
  private var last = (block: 0, end: Int64(0))

  init(_ offsets: [UInt64]) {
    numbers.reserveCapacity(offsets.count)
    for (number, offset) in offsets.enumerated() { numbers[offset] = number }
  }

  mutating func add(_ slot: IndexSlot) throws(ByteDamage) {
    if slot.offset == 0 {
      columns[0].append(0)
    } else {
      guard let number = numbers[slot.offset] else { throw .malformed }
      columns[0].append(varint: 1 + Int64(number - last.block).zigzag)
      last.block = number
    }
    columns[1].append(varint: UInt64(slot.record))
    columns[2].append(zigzag: Int64(slot.end) - last.end)
    last.end = Int64(slot.end)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for column in columns { bytes.append(varint: UInt64(column.count)) }
    for column in columns { bytes += column }
    return bytes
  }

  static func decode(
    _ bytes: [UInt8], _ count: UInt64, offsets: [UInt64], _ body: (IndexSlot) throws -> Void
  ) throws {
    let bytes = bytes.span
    var reader = ByteReader(0..<bytes.count)
    var lengths: [Int] = []
    for _ in 0..<3 { lengths.append(try reader.takeCount(in: bytes)) }
    var columns: [ByteReader] = []
    for length in lengths { columns.append(ByteReader(try reader.take(length))) }
    var (blocks, records, ends) = (columns[0], columns[1], columns[2])
    var (block, end) = (0, Int64(0))
    for _ in 0..<count {
      var slot = IndexSlot()
      let number = try blocks.takeVarint(in: bytes)
      if number > 0 {
        let difference = Int64(zigzag: number - 1)
        guard abs(difference) <= offsets.count, offsets.indices.contains(block + Int(difference))
        else { throw ByteDamage.malformed }
        block += Int(difference)
        slot.offset = offsets[block]
      }
      let record = try records.takeVarint(in: bytes)
      end = end &+ (try ends.takeDifference(in: bytes))
      guard record <= UInt64(UInt16.max), let known = UInt32(exactly: end) else {
        throw ByteDamage.malformed
      }
      (slot.record, slot.end) = (UInt16(record), known)
      try body(slot)
    }
    guard reader.isAtEnd, blocks.isAtEnd, records.isAtEnd, ends.isAtEnd else {
      throw ByteDamage.malformed
    }
  }
}
