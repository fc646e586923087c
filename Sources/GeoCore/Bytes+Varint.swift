extension [UInt8] {
  /// Adds a number in as few portions of seven bits as it needs, the lowest first; all bytes but the
  /// last have their top bit set (LEB128).
  @inlinable @inline(__always)
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

extension [UInt8] {
  /// The number that was added as a varint at some place, which moves past it.
  ///
  /// - Parameter position: There has to be a whole one, as where the bytes were made by this process.
  @inlinable
  package func varint(at position: inout Int) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = self[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}

extension Int64 {
  /// The number as an unsigned one, small if it is near zero: 0, −1, 1, −2, 2… as 0, 1, 2, 3, 4….
  @inlinable @inline(__always)
  package var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }

  /// The number of which an unsigned one is ``zigzag``.
  @inlinable @inline(__always)
  package init(zigzag number: UInt64) {
    self = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}
