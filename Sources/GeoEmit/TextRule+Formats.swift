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

/// A CSV field (RFC 4180) without the quotes around it.
///
/// What needs quotes around the field raises a flag as well; see ``needsQuotes(_:)``.
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

/// Percent-encoding that keeps `/`: exact for any bytes.
enum PercentText {
  static let expansion = 3

  /// Puts a path; letters, digits and `-._~/` stand for themselves.
  static func put(_ path: Span<UInt8>, to cursor: inout OutputCursor) {
    for index in 0..<path.count {
      let byte = path[index]
      if isPlain(byte) {
        cursor.put(byte: byte)
      } else {
        cursor.put(byte: UInt8(ascii: "%"))
        cursor.put(hexDigit: byte >> 4, ten: UInt8(ascii: "A"))
        cursor.put(hexDigit: byte & 15, ten: UInt8(ascii: "A"))
      }
    }
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      return true
    default: return false
    }
  }
}

extension OutputCursor {
  /// Puts a digit of base 16.
  ///
  /// - Parameters:
  ///   - digit: 0 to 15.
  ///   - ten: The letter for 10, and with it the case.
  @inline(__always)
  mutating func put(hexDigit digit: UInt8, ten: UInt8) {
    put(byte: digit < 10 ? UInt8(ascii: "0") + digit : ten + (digit - 10))
  }
}
