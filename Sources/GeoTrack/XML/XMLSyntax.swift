import GeoCore

/// Characters and references of XML 1.0.
enum XMLSyntax {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static func skipSpaces(in bytes: [UInt8], _ index: inout Int, _ end: Int) {
    while index < end, isSpace(bytes[index]) { index += 1 }
  }

  /// Whether a name may begin with a byte; all bytes of non-ASCII characters are accepted.
  static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...0xFF:
      true
    default: false
    }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    isNameStart(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// Whether XML allows a character.
  private static func isAllowed(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Appends a text with its references replaced.
  ///
  /// - Parameters:
  ///   - range: Range of the text, without quotes and markup.
  ///   - text: Receives the result.
  /// - Throws: `TrackError.Fault` if the text is malformed.
  static func decode(
    _ range: Range<Int>, of bytes: [UInt8], to text: inout [UInt8]
  ) throws(TrackError.Fault) {
    let span = bytes.span.extracting(range)
    try check(span)
    var index = 0
    while index < span.count {
      let byte = span[index]
      if byte != UInt8(ascii: "&") {
        text.append(byte)
        index += 1
        continue
      }
      let (length, scalar) = try reference(in: span, at: index)
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      index += length
    }
  }

  /// Checks that a text can be copied into a document unchanged.
  static func validate(
    _ range: Range<Int>, of bytes: [UInt8], isVerbatim: Bool
  ) throws(TrackError.Fault) {
    let span = bytes.span.extracting(range)
    try check(span)
    if isVerbatim { return }
    var index = 0
    while index < span.count {
      index += span[index] == UInt8(ascii: "&") ? try reference(in: span, at: index).length : 1
    }
  }

  private static func check(_ span: Span<UInt8>) throws(TrackError.Fault) {
    if !span.isValidUTF8 { throw .xml("a text is not UTF-8") }
    for index in 0..<span.count where span[index] < 0x20 && !isSpace(span[index]) {
      throw .xml("a text holds a control character")
    }
  }

  /// The length of the reference `&…;` and its character.
  private static func reference(
    in span: Span<UInt8>, at start: Int
  ) throws(TrackError.Fault) -> (length: Int, scalar: Unicode.Scalar) {
    var end = start + 1
    while end < span.count, end - start < 12, span[end] != UInt8(ascii: ";") { end += 1 }
    guard end < span.count, span[end] == UInt8(ascii: ";"), end > start + 1 else {
      throw .xml("an '&' begins no entity")
    }
    let length = end - start + 1
    let name = span.extracting((start + 1)..<end)
    if name[0] == UInt8(ascii: "#") { return (length, try character(of: name)) }
    if name.isText("amp") { return (length, "&") }
    if name.isText("lt") { return (length, "<") }
    if name.isText("gt") { return (length, ">") }
    if name.isText("quot") { return (length, "\"") }
    if name.isText("apos") { return (length, "'") }
    var bytes: [UInt8] = []
    for index in 0..<name.count { bytes.append(name[index]) }
    throw .entity(String(decoding: bytes, as: UTF8.self))
  }

  /// The character of a reference `#65` or `#x41`.
  private static func character(
    of name: Span<UInt8>
  ) throws(TrackError.Fault) -> Unicode.Scalar {
    let isHex = name.count > 1 && name[1] == UInt8(ascii: "x")
    var value: UInt32 = 0
    var digits = 0
    for index in (isHex ? 2 : 1)..<max(name.count, isHex ? 2 : 1) {
      let digit: UInt32
      switch name[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(name[index] - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex:
        digit = UInt32(name[index] - UInt8(ascii: "a")) + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex:
        digit = UInt32(name[index] - UInt8(ascii: "A")) + 10
      default: throw .xml("a character reference has no number")
      }
      // Clamped to an invalid character, so that it can't overflow.
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
      digits += 1
    }
    guard digits > 0, isAllowed(value), let scalar = Unicode.Scalar(value) else {
      throw .xml("a character reference names no character that XML has")
    }
    return scalar
  }
}

/// Decodes a document to UTF-8.
///
/// XML requires UTF-8 and UTF-16; old GPS receivers write ISO-8859-1 and US-ASCII.
struct XMLDecoder {
  enum Encoding {
    case utf8
    case ascii
    case latin1
    case utf16(isBigEndian: Bool)

    /// Whether the first bytes suffice to detect it, so that a declaration changes nothing.
    var isUnicode: Bool {
      switch self {
      case .utf8, .utf16: true
      case .ascii, .latin1: false
      }
    }
  }

  var encoding = Encoding.utf8
  /// An incomplete UTF-16 unit or surrogate pair at the end of the last piece.
  private var rest: [UInt8] = []

  /// The encoding that the first bytes indicate, and the length of the byte order mark.
  static func detect(_ bytes: [UInt8]) -> (encoding: Encoding, mark: Int) {
    let head = bytes.prefix(4)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if head.starts(with: [0x00, 0x3C, 0x00]) { return (.utf16(isBigEndian: true), 0) }
    if head.starts(with: [0x3C, 0x00]) { return (.utf16(isBigEndian: false), 0) }
    return (.utf8, 0)
  }

  /// Applies the encoding of the XML declaration.
  ///
  /// - Returns: Whether it is supported and agrees with the first bytes.
  mutating func declare(_ name: String) -> Bool {
    let name = name.lowercased()
    if case .utf16 = encoding { return name.hasPrefix("utf-16") || name == "iso-10646-ucs-2" }
    switch name {
    case "utf-8", "utf8": return true
    case "us-ascii", "ascii": encoding = .ascii
    case "iso-8859-1", "latin1", "latin-1", "iso8859-1": encoding = .latin1
    default: return false
    }
    return true
  }

  /// Appends bytes as UTF-8.
  ///
  /// - Returns: Whether the bytes are valid in the encoding. UTF-8 is appended unchecked; names and
  ///   texts are validated where they are used.
  mutating func append(_ piece: [UInt8], to text: inout [UInt8]) -> Bool {
    switch encoding {
    case .utf8: text.append(contentsOf: piece)
    case .ascii:
      let end = piece.firstIndex { $0 >= 0x80 } ?? piece.count
      text.append(contentsOf: piece[..<end])
      return end == piece.count
    case .latin1:
      for byte in piece {
        if byte < 0x80 {
          text.append(byte)
        } else {
          text.append(0xC0 | byte >> 6)
          text.append(0x80 | byte & 0x3F)
        }
      }
    case .utf16(let isBigEndian): return append(utf16: piece, isBigEndian, to: &text)
    }
    return true
  }

  private mutating func append(
    utf16 piece: [UInt8], _ isBigEndian: Bool, to text: inout [UInt8]
  ) -> Bool {
    let bytes = rest + piece
    func unit(at index: Int) -> UInt32 {
      let (a, b) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
      return isBigEndian ? a << 8 | b : b << 8 | a
    }
    var index = 0
    while index + 1 < bytes.count {
      var value = unit(at: index)
      var length = 2
      if 0xD800..<0xDC00 ~= value {
        if index + 3 >= bytes.count { break }
        let low = unit(at: index + 2)
        guard 0xDC00..<0xE000 ~= low else { return false }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        length = 4
      }
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
        return false
      }
      text.append(contentsOf: encoded)
      index += length
    }
    rest = Array(bytes[index...])
    return true
  }

  /// Whether the last piece ended within a character.
  var isWithinCharacter: Bool { !rest.isEmpty }
}
