import GeoCore

/// How raw bytes become text of one format.
///
/// Nearly all names need no escaping: they are copied in blocks while ``flags(_:)`` looks for bytes
/// that may need it. Only a text with such a byte is processed scalar by scalar.
protocol TextRule {
  /// The maximum number of bytes that one byte of the text becomes.
  static var expansion: Int { get }

  /// Sets the high bit of each byte that is not ASCII or may need escaping.
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8>

  /// Puts an ASCII character, escaped if needed.
  static func put(ascii byte: UInt8, to cursor: inout OutputCursor)

  /// Puts the well-formed scalar of two bytes or more at `range`, escaped if needed.
  static func put(scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor)
}

extension TextRule {
  /// Puts a text scalar by scalar, with U+FFFD for each ill-formed maximal subpart.
  ///
  /// - Returns: Whether it is valid UTF-8.
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
  /// - Returns: Whether it is valid UTF-8.
  static func put(_ text: Span<UInt8>, to cursor: inout OutputCursor) -> Bool {
    if cursor.put(0..<text.count, of: text, ifClean: Self.self) { return true }
    return put(scalarsOf: text, to: &cursor)
  }
}

extension OutputCursor {
  /// Puts a text of an arena if nothing in it needs escaping; else puts nothing.
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
      // i + 128 − rest has the high bit set where i ≥ rest, which masks the bytes after the text.
      flags |= Rule.flags(block) & ~(Self.indices &+ UInt8(truncatingIfNeeded: 128 &- rest))
      store(block, at: offset)
    }
    if flags.hasHighBits { return false }
    advance(text.count)
    return true
  }

  /// Puts a text again that needed no escaping.
  ///
  /// It is read from the arena: loading bytes that were just stored in other blocks would stall.
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
  /// The sixteen bytes at `offset`. The load is bounds-checked; it counts as unsafe only because it
  /// is unaligned, and any bits are valid bytes.
  @inline(__always)
  fileprivate func block(at offset: Int) -> SIMD16<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// A block with `count` bytes from `offset` on, fewer than sixteen, and any bytes after them.
  @inline(__always)
  fileprivate func block(at offset: Int, count: Int) -> SIMD16<UInt8> {
    if offset <= self.count - 16 { return block(at: offset) }
    return lastBlock(at: offset, count: count)
  }

  /// The same at the end of the arena, where a whole block would exceed it.
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

/// UTF-8 without escaping; ill-formed bytes are repaired.
enum PlainText: TextRule {
  static let expansion = 3

  @inline(__always)
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> { block }

  @inline(__always)
  static func put(ascii byte: UInt8, to cursor: inout OutputCursor) { cursor.put(byte: byte) }

  @inline(__always)
  static func put(
    scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    cursor.put(text.extracting(range))
  }
}

/// A CSV field (RFC 4180) without quotes around it.
///
/// Bytes that need quotes around the field set a flag as well; see ``needsQuotes(_:)``.
enum CSVText: TextRule {
  static let expansion = 3

  @inline(__always)
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Of ASCII: each difference is 0 for one of `"`, `,`, LF and CR.
    ((block ^ 0x22) &- 1) | ((block ^ 0x2C) &- 1) | ((block ^ 0x0A) &- 1) | ((block ^ 0x0D) &- 1)
      | block
  }

  static func put(ascii byte: UInt8, to cursor: inout OutputCursor) {
    if byte == UInt8(ascii: "\"") { cursor.put(byte: byte) }
    cursor.put(byte: byte)
  }

  static func put(
    scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    cursor.put(text.extracting(range))
  }

  /// Whether a field with this text needs quotes.
  static func needsQuotes(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: return true
      default: break
      }
    }
    return false
  }
}

/// The inside of a JSON string.
///
/// `"`, `\` and all control characters of ASCII and Latin-1 are escaped.
enum JSONText: TextRule {
  static let expansion = 6

  @inline(__always)
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Of ASCII: x ^ 2 is below 0x21 for the controls and `"`; x ^ 0x5C is 0 for `\`; x + 1 has the
    // high bit for DEL.
    ((block ^ 2) &- 0x21) | ((block ^ 0x5C) &- 1) | (block &+ 1) | block
  }

  static func put(ascii byte: UInt8, to cursor: inout OutputCursor) {
    switch byte {
    case UInt8(ascii: "\""): cursor.put("\\\"")
    case UInt8(ascii: "\\"): cursor.put("\\\\")
    case 0x08: cursor.put("\\b")
    case 0x09: cursor.put("\\t")
    case 0x0A: cursor.put("\\n")
    case 0x0C: cursor.put("\\f")
    case 0x0D: cursor.put("\\r")
    case 0x20...0x7E: cursor.put(byte: byte)
    default: put(control: byte, to: &cursor)
    }
  }

  static func put(
    scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    // U+0080 to U+009F are C2 80 to C2 9F: the second byte is the number.
    let second = text[range.lowerBound + 1]
    if text[range.lowerBound] == 0xC2 && second < 0xA0 {
      put(control: second, to: &cursor)
    } else {
      cursor.put(text.extracting(range))
    }
  }

  private static func put(control byte: UInt8, to cursor: inout OutputCursor) {
    cursor.put("\\u00")
    cursor.put(hexDigit: byte >> 4, ten: UInt8(ascii: "a"))
    cursor.put(hexDigit: byte & 15, ten: UInt8(ascii: "a"))
  }
}

/// XML 1.0 character data, or an attribute's value in double quotes.
///
/// White space that a parser would normalise is escaped; characters that XML forbids become U+FFFD.
enum XMLText: TextRule {
  static let expansion = 6

  @inline(__always)
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Of ASCII: x ^ 2 is below 0x21 for the controls and `"`; x ^ 0x26 is 0 for `&`; `<` and `>`
    // differ in bit 1.
    ((block ^ 2) &- 0x21) | ((block ^ 0x26) &- 1) | (((block | 2) ^ 0x3E) &- 1) | block
  }

  static func put(ascii byte: UInt8, to cursor: inout OutputCursor) {
    switch byte {
    case UInt8(ascii: "&"): cursor.put("&amp;")
    case UInt8(ascii: "<"): cursor.put("&lt;")
    case UInt8(ascii: ">"): cursor.put("&gt;")
    case UInt8(ascii: "\""): cursor.put("&quot;")
    case 0x09: cursor.put("&#9;")
    case 0x0A: cursor.put("&#10;")
    case 0x0D: cursor.put("&#13;")
    case 0x00..<0x20: cursor.put("\u{FFFD}")
    default: cursor.put(byte: byte)
    }
  }

  static func put(
    scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    let start = range.lowerBound
    if text[start] == 0xEF && text[start + 1] == 0xBF && text[start + 2] >= 0xBE {
      cursor.put("\u{FFFD}")
    } else {
      cursor.put(text.extracting(range))
    }
  }
}

/// The inside of a JSON string in the script element of a page.
///
/// `<` is escaped, so that nothing can end the element.
enum ScriptText: TextRule {
  static let expansion = JSONText.expansion

  @inline(__always)
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    JSONText.flags(block) | ((block ^ UInt8(ascii: "<")) &- 1)
  }

  static func put(ascii byte: UInt8, to cursor: inout OutputCursor) {
    if byte == UInt8(ascii: "<") {
      cursor.put("\\u003c")
    } else {
      JSONText.put(ascii: byte, to: &cursor)
    }
  }

  static func put(
    scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    JSONText.put(scalar: range, of: text, to: &cursor)
  }
}
