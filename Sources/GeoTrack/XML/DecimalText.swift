/// Parses decimal numbers of track files.
enum DecimalText {
  /// The powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The double nearest to a decimal number, with or without an exponent; nil if the text is not a
  /// number.
  ///
  /// A number of up to fifteen digits and a small power of ten are exact as doubles, so one
  /// division rounds correctly (W. D. Clinger, How to Read Floating Point Numbers Accurately,
  /// 1990). Longer numbers are parsed by the standard library.
  static func parse(_ text: Span<UInt8>) -> Double? {
    var index = 0
    var end = text.count
    while index < end, XMLSyntax.isSpace(text[index]) { index += 1 }
    while end > index, XMLSyntax.isSpace(text[end - 1]) { end -= 1 }
    let start = index
    let isNegative = index < end && text[index] == UInt8(ascii: "-")
    if isNegative || index < end && text[index] == UInt8(ascii: "+") { index += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    var hasPoint = false
    while index < end {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if 0x30...0x39 ~= byte {
        digits += 1
        if digits > 15 { return parseSlowly(text, start..<end) }
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)  // fifteen digits at most
        if hasPoint { decimals += 1 }
      } else {
        return parseSlowly(text, start..<end)
      }
      index += 1
    }
    if digits == 0 { return nil }
    let value = Double(mantissa) / powers[decimals]
    return isNegative ? -value : value
  }

  /// Parses long numbers, and those with an exponent.
  private static func parseSlowly(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
    let bytes = [UInt8](copying: text.extracting(range))
    // No hexadecimals, no "inf".
    guard bytes.count <= 400, bytes.allSatisfy("0123456789+-.eE".utf8.contains) else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }
}
