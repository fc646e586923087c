import GeoCore

/// Small numbers as Parquet packs them: runs of equal ones, or eight at a time bit by bit (its hybrid of
/// run lengths and bit packing).
enum ParquetBits {
  /// Numbers of `width` bits, all of them bit-packed; the last eight are filled up with zeros.
  static func packed(_ numbers: [UInt32], width: Int) -> [UInt8] {
    let groups = (numbers.count + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(groups * width + 5)
    bytes.append(varint: UInt64(groups) << 1 | 1)
    var pending: UInt64 = 0
    var count = 0
    for index in 0..<(8 * groups) {
      if index < numbers.count { pending |= UInt64(numbers[index]) << UInt64(count) }
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }
    return bytes
  }

  /// How many bits numbers up to one take; at least 1.
  static func width(upTo number: Int) -> Int {
    max(1, Int.bitWidth - max(number, 0).leadingZeroBitCount)
  }

  /// The definition levels of an optional column, led by their length: which rows have a value.
  ///
  /// - Returns: The bytes, and how many rows have none.
  static func levels(_ count: Int, isPresent: (Int) -> Bool) -> (bytes: [UInt8], nulls: Int) {
    var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
    var present = 0
    for row in 0..<count where isPresent(row) {
      bits[row >> 3] |= 1 << UInt8(row & 7)
      present += 1
    }
    var bytes: [UInt8] = []
    if present == count || present == 0 {
      bytes.append(varint: UInt64(count) << 1)
      bytes.append(present == 0 ? 0 : 1)
    } else {
      bytes.append(varint: UInt64(bits.count) << 1 | 1)
      bytes += bits
    }
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return (length + bytes, count - present)
  }
}
