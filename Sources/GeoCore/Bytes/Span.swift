extension Span<UInt8> {
  /// The first eight bytes as a big-endian number, padded with zeros.
  @inlinable
  package var bigEndianPrefix: UInt64 {
    if count >= 8 { return loadWord(at: 0).byteSwapped }
    if count >= 4 {
      // Bytes that are in both halves are the same in both.
      let (first, last) = (loadHalfWord(at: 0), loadHalfWord(at: count - 4))
      return (UInt64(first) | UInt64(last) &<< UInt64(8 * (count - 4))).byteSwapped
    }
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(self[index]) << UInt64(56 - 8 * index) }
    return word
  }

  /// The eight bytes from `offset` on as a little-endian number.
  ///
  /// The load is bounds-checked. It is marked unsafe only because it may be unaligned, and every
  /// bit pattern is a valid number.
  @inlinable
  package func loadWord(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The eight bytes from `offset` on as a little-endian number, without a bounds check, for loops
  /// that have checked their whole range: `offset` is at most `count - 8`.
  @unsafe @inlinable
  package func loadWord(uncheckedAt offset: Int) -> UInt64 {
    UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  @inlinable
  package func loadHalfWord(at offset: Int) -> UInt32 {
    UInt32(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inlinable
  package func equals(_ other: Span<UInt8>) -> Bool {
    if count != other.count { return false }
    var index = 0
    while index + 8 <= count {
      if loadWord(at: index) != other.loadWord(at: index) { return false }
      index += 8
    }
    // Some of the last eight bytes may be compared twice.
    if index > 0 { return loadWord(at: count - 8) == other.loadWord(at: count - 8) }
    while index < count {
      if self[index] != other[index] { return false }
      index += 1
    }
    return true
  }

  /// The number of equal bytes from two places on, each with at least `limit` bytes.
  @inlinable @inline(__always)
  package func common(_ a: Int, _ b: Int, _ limit: Int) -> Int {
    var length = 0
    while length + 8 <= limit {
      let difference = loadWord(at: a &+ length) ^ loadWord(at: b &+ length)
      if difference != 0 { return length + difference.trailingZeroBitCount >> 3 }
      length += 8
    }
    while length < limit, self[a &+ length] == self[b &+ length] { length += 1 }
    return length
  }

  /// Whether the bytes of one range come before those of another in lexicographic order.
  @inlinable
  package func orders(_ a: Range<Int>, before b: Range<Int>) -> Bool {
    extracting(a).orders(before: extracting(b))
  }

  @inlinable
  package func orders(before other: Span<UInt8>) -> Bool {
    let common = Swift.min(count, other.count)
    var index = 0
    while index + 8 <= common {
      let (a, b) = (loadWord(at: index), other.loadWord(at: index))
      if a != b { return a.byteSwapped < b.byteSwapped }
      index += 8
    }
    while index < common {
      if self[index] != other[index] { return self[index] < other[index] }
      index += 1
    }
    return count < other.count
  }
}

extension [UInt8] {
  @inlinable
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  @inlinable @inline(__always)
  package mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension MutableSpan<UInt8> {
  /// Overwrites the bytes from `offset` on with others.
  @inlinable @inline(__always)
  package mutating func overwrite(from offset: Int, with other: Span<UInt8>) {
    precondition(offset >= 0 && offset + other.count <= count)
    // Safe: every bit pattern is a valid byte.
    var bytes = unsafe mutableBytes
    var index = 0
    while index + 8 <= other.count {
      bytes.storeBytes(
        of: other.loadWord(at: index).littleEndian, toByteOffset: offset + index, as: UInt64.self)
      index += 8
    }
    if index == other.count { return }
    if index > 0 {
      // Writes the last eight bytes, some of them a second time.
      index = other.count - 8
      bytes.storeBytes(
        of: other.loadWord(at: index).littleEndian, toByteOffset: offset + index, as: UInt64.self)
      return
    }
    while index < other.count {
      bytes.storeBytes(of: other[index], toByteOffset: offset + index, as: UInt8.self)
      index += 1
    }
  }
}

/// One step through bytes that are meant to be UTF-8.
@frozen @usableFromInline package struct UTF8Step: BitwiseCopyable, Sendable, Equatable {
  /// The number of bytes: 1 to 4 if well-formed, otherwise 1 to 3.
  @usableFromInline package let length: Int
  /// Whether the bytes are a well-formed scalar; if not, U+FFFD replaces them.
  @usableFromInline package let isValid: Bool

  @inlinable
  package init(length: Int, isValid: Bool) {
    self.length = length
    self.isValid = isValid
  }
}

extension Span<UInt8> {
  /// The scalar at `index`, or the maximal subpart of an ill-formed sequence there.
  ///
  /// Follows table 3-7 and the practice "U+FFFD substitution of maximal subparts" of the Unicode
  /// standard, chapter 3, as `String(decoding:as:)` does.
  @inlinable
  package func utf8Step(at index: Int) -> UTF8Step {
    let lead = self[index]
    if lead < 0x80 { return UTF8Step(length: 1, isValid: true) }
    // The bounds of the second byte exclude overlong forms, surrogates and what is above U+10FFFF.
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { low = 0xA0 } else if lead == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { low = 0x90 } else if lead == 0xF4 { high = 0x8F }
    default: return UTF8Step(length: 1, isValid: false)
    }
    for step in 1..<length {
      let next = index + step
      guard next < count, self[next] >= low, self[next] <= high else {
        return UTF8Step(length: step, isValid: false)
      }
      low = 0x80
      high = 0xBF
    }
    return UTF8Step(length: length, isValid: true)
  }

  @inlinable package var isValidUTF8: Bool {
    var index = 0
    while index < count {
      let step = utf8Step(at: index)
      if !step.isValid { return false }
      index += step.length
    }
    return true
  }
}

extension Span<UInt8> {
  /// Two lower-case hex digits for each byte.
  package var hexDigits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    func append(_ half: UInt8) {
      digits.append(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10)
    }
    for index in indices {
      append(self[index] >> 4)
      append(self[index] & 15)
    }
    return digits
  }
}
