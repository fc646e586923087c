/// A CSV field (RFC 4180) without the quotes around it.
///
/// What needs quotes around the field raises a flag as well; see ``needsQuotes(_:)``.
enum CSVText: TextRule {
  static let expansion = 3

  /// The columns that all tables of nodes end with.
  static let laterColumns: [StaticString] = ["name", "special", "rawPath"]

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

  /// Whether a field that holds the text has to stand in quotes.
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
