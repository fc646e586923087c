/// The inside of a JSON string that stands in the script element of a page.
///
/// Nothing in it can end the element: `<` is escaped.
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
