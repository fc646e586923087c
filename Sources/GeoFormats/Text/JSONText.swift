/// The inside of a JSON string.
///
/// `"` and `\` are escaped, and so are all control characters of ASCII and Latin-1.
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
