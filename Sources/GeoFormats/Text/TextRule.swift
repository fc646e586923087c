import GeoCore

/// How raw bytes become text of one format.
///
/// Nearly all names are clean: they are copied a block at a time while ``flags(_:)`` looks for a
/// byte that may need more. Only a text in which it finds one is gone through by scalars.
protocol TextRule {
  /// How many bytes one byte of the text can become, at most.
  static var expansion: Int { get }

  /// Has the high bit set of each byte that is not ASCII or may have to be escaped.
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8>

  /// Puts an ASCII character, escaped if need be.
  static func put(ascii byte: UInt8, to cursor: inout OutputCursor)

  /// Puts the well-formed scalar of two bytes or more at `range`, escaped if need be.
  static func put(scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor)
}

extension TextRule {
  /// Puts a whole text by scalars, U+FFFD in place of each maximal subpart that is ill-formed.
  ///
  /// - Returns: Whether all of it was well-formed UTF-8.
  @inline(never)
  static func put(scalarsOf text: Span<UInt8>, to cursor: inout OutputCursor) -> Bool {
    var isValid = true
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        put(ascii: byte, to: &cursor)
        index += 1
        continue
      }
      let step = text.utf8Step(at: index)
      let end = index + step.length
      if step.isValid {
        put(scalar: index..<end, of: text, to: &cursor)
      } else {
        cursor.put("\u{FFFD}")
        isValid = false
      }
      index = end
    }
    return isValid
  }

  /// Puts a text.
  ///
  /// - Returns: Whether all of it was well-formed UTF-8.
  static func put(_ text: Span<UInt8>, to cursor: inout OutputCursor) -> Bool {
    if cursor.put(0..<text.count, of: text, ifClean: Self.self) { return true }
    return put(scalarsOf: text, to: &cursor)
  }
}

extension OutputCursor {
  /// Puts a text that lies in an arena, if nothing in it has to be escaped; else puts nothing.
  ///
  /// - Returns: Whether it was put.
  @inline(__always)
  mutating func put<Rule: TextRule>(
    _ text: Range<Int>, of arena: Span<UInt8>, ifClean rule: Rule.Type
  ) -> Bool {
    let fullBlocks = text.count & ~15
    var flags = SIMD16<UInt8>(repeating: 0)
    var offset = 0
    while offset < fullBlocks {
      let block = arena.block(at: text.lowerBound + offset)
      flags |= Rule.flags(block)
      store(block, at: offset)
      offset += 16
    }
    let rest = text.count - fullBlocks
    if rest > 0 {
      let block = arena.block(at: text.lowerBound + offset, count: rest)
      // i + 128 − rest has the high bit set where i ≥ rest: what follows the text doesn't count.
      flags |= Rule.flags(block) & ~(Self.indices &+ UInt8(truncatingIfNeeded: 128 &- rest))
      store(block, at: offset)
    }
    if flags.hasHighBits { return false }
    advance(text.count)
    return true
  }

  /// Puts a text that was clean once more.
  ///
  /// It is read from where it came from: a load of what was just stored in other parts stalls.
  @inline(__always)
  mutating func putAgain(_ text: Range<Int>, of arena: Span<UInt8>) {
    let fullBlocks = text.count & ~15
    var offset = 0
    while offset < fullBlocks {
      store(arena.block(at: text.lowerBound + offset), at: offset)
      offset += 16
    }
    let rest = text.count - fullBlocks
    if rest > 0 { store(arena.block(at: text.lowerBound + offset, count: rest), at: offset) }
    advance(text.count)
  }

  private static var indices: SIMD16<UInt8> {
    SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  }
}

extension Span<UInt8> {
  /// The sixteen bytes from `offset` on. The load is bounds-checked; it counts as unsafe only
  /// because it doesn't ask for alignment, and any bits make bytes.
  @inline(__always)
  fileprivate func block(at offset: Int) -> SIMD16<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// At least `count` bytes from `offset` on, fewer than sixteen, and any after them.
  @inline(__always)
  fileprivate func block(at offset: Int, count: Int) -> SIMD16<UInt8> {
    if offset <= self.count - 16 { return block(at: offset) }
    return lastBlock(at: offset, count: count)
  }

  /// The same at the end of the arena, where a whole block would reach beyond it.
  @inline(never)
  private func lastBlock(at offset: Int, count: Int) -> SIMD16<UInt8> {
    var words = SIMD2<UInt64>(repeating: 0)
    if count >= 8 {
      words[0] = loadWord(at: offset)
      words[1] = loadWord(at: offset + count - 8) >> UInt64(8 * (16 - count))
    } else if count >= 4 {
      let high = UInt64(loadHalfWord(at: offset + count - 4))
      words[0] = UInt64(loadHalfWord(at: offset)) | high << UInt64(8 * (count - 4))
    } else {
      for index in 0..<count { words[0] |= UInt64(self[offset + index]) << UInt64(8 * index) }
    }
    return unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
  }
}

extension SIMD16<UInt8> {
  /// Whether the high bit of any byte is set.
  @inline(__always)
  fileprivate var hasHighBits: Bool {
    // The same sixteen bytes as two words.
    let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0
  }
}
