/// Character data or an attribute in double quotes of XML 1.0.
///
/// The white space that a parser would normalise is escaped; what a document may not hold at all
/// becomes U+FFFD.
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
