import GeoCore

/// A number in a table, by the grammar of JSON.
enum LayerNumber {
  /// An integer whose magnitude is below 2^53.
  case whole(Int64)
  case fraction(Double)

  /// Reads a number; nil if the text is not a number, or not finite.
  init?(_ text: Span<UInt8>) {
    let count = text.count
    var index = count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    let isNegative = index == 1
    let start = index
    // The digits without the point, while they are below 2^53.
    var (digits, scale): (UInt64?, Int) = (0, 0)
    func takeDigits() {
      while index < count, Self.isDigit(text[index]) {
        digits = digits.flatMap { digits in
          let more = 10 * digits + UInt64(text[index] - UInt8(ascii: "0"))
          return more < 1 << 53 ? more : nil
        }
        index += 1
      }
    }
    takeDigits()
    if index == start || text[start] == UInt8(ascii: "0") && index > start + 1 { return nil }
    if index == count, let digits {
      self = .whole(isNegative ? -Int64(digits) : Int64(digits))
      return
    }
    if index < count, text[index] == UInt8(ascii: ".") {
      index += 1
      let start = index
      takeDigits()
      if index == start { return nil }
      scale = index - start
    }
    var hasExponent = false
    if index < count, text[index] | 0x20 == UInt8(ascii: "e") {
      hasExponent = true
      index += 1
      if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
        index += 1
      }
      let start = index
      while index < count, Self.isDigit(text[index]) { index += 1 }
      if index == start { return nil }
    }
    if index < count { return nil }
    let number: Double
    if let digits, !hasExponent, scale < Self.powers.count {
      // Exact: both numbers are, and the quotient is rounded once.
      number = (isNegative ? -1 : 1) * Double(digits) / Self.powers[scale]
    } else {
      let parsed = Double(String(decoding: [UInt8](copying: text), as: UTF8.self))
      guard let parsed, parsed.isFinite else { return nil }
      number = parsed
    }
    self = .fraction(number == 0 ? 0 : number)
  }

  /// The powers of 10 that a double holds exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  var double: Double {
    switch self {
    case .whole(let number): Double(number)
    case .fraction(let number): number
    }
  }

  /// The two numbers of a ratio; nil if the text has none. Those of a denominator of 0 are no value.
  static func ratio(_ text: Span<UInt8>) -> (numerator: Double, denominator: Double)? {
    var slash = 0
    while slash < text.count, text[slash] != .slash { slash += 1 }
    if slash == text.count { return nil }
    guard let a = LayerNumber(text.extracting(..<slash)),
      let b = LayerNumber(text.extracting((slash + 1)...))
    else { return nil }
    return (a.double, b.double)
  }
}
