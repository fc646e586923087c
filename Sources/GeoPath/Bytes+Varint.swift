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

extension Int64 {
  /// The number as an unsigned one, small if it is near zero: 0, −1, 1, −2, 2… as 0, 1, 2, 3, 4….
  @inlinable @inline(__always)
  package var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}
