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

  /// Whether valid UTF-8 that begins as a name and consists of name bytes is a name.
  static func isName(_ text: Span<UInt8>) -> Bool {
    if (0..<text.count).allSatisfy({ text[$0] < 0x80 }) { return true }
    let scalars = String(decoding: [UInt8](copying: text), as: UTF8.self).unicodeScalars
    return scalars.enumerated().allSatisfy { index, scalar in
      scalar.isASCII || isNameStart(scalar) || index > 0 && isNameFurther(scalar)
    }
  }

  /// Whether a name may begin with a character that isn't ASCII.
  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether a name may have a character that isn't ASCII after its first one only.
  private static func isNameFurther(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }

  private static func isAllowed(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Appends a text with its references replaced.
  static func decode(
    _ range: Range<Int>, of bytes: [UInt8], to text: inout [UInt8]
  ) throws(Failure) {
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
  static func validate(_ range: Range<Int>, of bytes: [UInt8], isVerbatim: Bool) throws(Failure) {
    let span = bytes.span.extracting(range)
    try check(span)
    if isVerbatim { return }
    var index = 0
    while index < span.count {
      index += span[index] == UInt8(ascii: "&") ? try reference(in: span, at: index).length : 1
    }
  }

  private static func check(_ span: Span<UInt8>) throws(Failure) {
    if !span.isValidUTF8 { throw .damage("a text is not UTF-8") }
    for index in 0..<span.count {
      if span[index] < 0x20, !isSpace(span[index]) {
        throw .damage("a text holds a control character")
      }
      // U+FFFE and U+FFFF
      if span[index] == 0xEF, span[index + 1] == 0xBF, span[index + 2] >= 0xBE {
        throw .damage("a text holds a character that XML doesn't have")
      }
    }
  }

  /// The length of the reference `&…;` and its character.
  private static func reference(
    in span: Span<UInt8>, at start: Int
  ) throws(Failure) -> (length: Int, scalar: Unicode.Scalar) {
    var end = start + 1
    while end < span.count, end - start < 12, span[end] != UInt8(ascii: ";") { end += 1 }
    guard end < span.count, span[end] == UInt8(ascii: ";"), end > start + 1 else {
      throw .damage("an '&' begins no entity")
    }
    let length = end - start + 1
    let name = span.extracting((start + 1)..<end)
    if name[0] == UInt8(ascii: "#") { return (length, try character(of: name)) }
    if name.isText("amp") { return (length, "&") }
    if name.isText("lt") { return (length, "<") }
    if name.isText("gt") { return (length, ">") }
    if name.isText("quot") { return (length, "\"") }
    if name.isText("apos") { return (length, "'") }
    let entity = Failure.quoted(String(decoding: [UInt8](copying: name), as: UTF8.self))
    throw .damage("the entity \(entity) isn't known; XML has amp, lt, gt, quot and apos alone")
  }

  /// The character of a reference `#65` or `#x41`.
  private static func character(of name: Span<UInt8>) throws(Failure) -> Unicode.Scalar {
    let isHex = name.count > 1 && name[1] == UInt8(ascii: "x")
    let start = isHex ? 2 : 1
    var value: UInt32 = 0
    for index in start..<max(name.count, start) {
      guard let digit = Character(Unicode.Scalar(name[index])).hexDigitValue, isHex || digit < 10
      else { throw .damage("a character reference has no number") }
      // Clamped to an invalid character, so that it can't overflow.
      value = min(value * (isHex ? 16 : 10) + UInt32(digit), 0x11_0000)
    }
    guard name.count > start, isAllowed(value), let scalar = Unicode.Scalar(value) else {
      throw .damage("a character reference names no character that XML has")
    }
    return scalar
  }
}
