/// Why bytes of a binary format can't be used.
@frozen @usableFromInline package enum ByteDamage: Error, Equatable {
  /// A checksum is wrong, or bytes are missing.
  case changed
  /// The bytes violate the format, though their checksum may be right.
  case malformed
}

/// Reads numbers from a range of bytes, which the caller passes to each call. Never reads past the
/// end.
@frozen @usableFromInline package struct ByteReader: Sendable {
  @usableFromInline package var position: Int
  @usableFromInline package let end: Int

  @inlinable
  package init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  @inlinable package var isAtEnd: Bool { position == end }
  @inlinable package var remaining: Int { end - position }

  /// Takes a number of up to 64 bits (LEB128).
  @inlinable @inline(__always)
  package mutating func takeVarint(in bytes: Span<UInt8>) throws(ByteDamage) -> UInt64 {
    guard position < end else { throw .malformed }
    let first = bytes[position]
    if first < 0x80 {
      position += 1
      return UInt64(first)
    }
    if position + 8 <= end {
      // Combines up to eight groups of seven bits at once.
      var word = bytes.loadWord(at: position)
      let ends = ~word & 0x8080_8080_8080_8080
      if ends != 0 {
        let bits = UInt64(ends.trailingZeroBitCount)
        position += Int(bits >> 3) + 1
        word &= 0x7F7F_7F7F_7F7F_7F7F & (.max &>> (63 &- bits))
        word = word & 0x007F_007F_007F_007F | (word & 0x7F00_7F00_7F00_7F00) >> 1
        word = word & 0x0000_3FFF_0000_3FFF | (word & 0x3FFF_0000_3FFF_0000) >> 2
        return word & 0x0FFF_FFFF | (word & 0x0FFF_FFFF_0000_0000) >> 4
      }
    }
    // Static, so that the reader itself can stay in registers.
    let (number, next) = try Self.varint(at: position, until: end, in: bytes)
    position = next
    return number
  }

  /// Decodes a number of any length; also returns the position after it.
  @usableFromInline @inline(never)
  static func varint(
    at position: Int, until end: Int, in bytes: Span<UInt8>
  ) throws(ByteDamage) -> (number: UInt64, next: Int) {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for index in position..<end {
      let byte = bytes[index]
      // The tenth byte holds one bit.
      if shift == 63, byte > 1 { throw .malformed }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return (number, index + 1) }
      shift += 7
    }
    throw .malformed
  }

  @inlinable @inline(__always)
  package mutating func takeDifference(in bytes: Span<UInt8>) throws(ByteDamage) -> Int64 {
    Int64(zigzag: try takeVarint(in: bytes))
  }

  /// Takes the count of elements that follow, each at least one byte long.
  package mutating func takeCount(in bytes: Span<UInt8>) throws(ByteDamage) -> Int {
    let number = try takeVarint(in: bytes)
    guard number <= UInt64(remaining) else { throw .malformed }
    return Int(number)
  }

  /// Takes a length, then the bytes.
  package mutating func takeText(in bytes: Span<UInt8>) throws(ByteDamage) -> [UInt8] {
    let range = try take(try takeCount(in: bytes))
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    for index in range { text.append(bytes[index]) }
    return text
  }

  /// Skips bytes; returns their range.
  @inlinable @inline(__always)
  package mutating func take(_ count: Int) throws(ByteDamage) -> Range<Int> {
    guard count <= remaining else { throw .malformed }
    defer { position += count }
    return position..<(position + count)
  }

  @inlinable
  package mutating func takeLittle<Number: FixedWidthInteger>(
    _ type: Number.Type, in bytes: Span<UInt8>
  ) throws(ByteDamage) -> Number {
    var number: Number = 0
    for index in try take(Number.bitWidth / 8).reversed() {
      number = number << 8 | Number(truncatingIfNeeded: bytes[index])
    }
    return number
  }
}
