/// Decimal numbers as users type them.
enum DecimalNumber {
  /// Parses digits with at most one point; nil if `text` is anything else.
  static func parse(_ text: some Collection<UInt8>) -> Double? {
    let digits = text.filter { 0x30...0x39 ~= $0 }.count
    let points = text.count - digits
    guard digits > 0, text.count < 40, points == 0 || points == 1 && text.contains(0x2E) else {
      return nil
    }
    return Double(String(decoding: Array(text), as: UTF8.self))
  }
}

enum TimeSpan {
  private static let units: [(letters: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ("w", 604_800_000), ("mo", 30 * 86_400_000), ("y", 365 * 86_400_000),
  ]
  /// A hundred years, in milliseconds.
  private static let longest = 36_525.0 * 86_400_000

  /// Parses `90s`, `1h30m`, `0.5s` or plain seconds as milliseconds; nil if `text` is not a time
  /// span.
  static func milliseconds(parsing text: [UInt8]) -> Int64? {
    var rest = text[...]
    var sum = 0.0
    if rest.isEmpty { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { 0x30...0x39 ~= $0 || $0 == 0x2E }
      rest = rest.dropFirst(number.count)
      let letters = rest.prefix { 0x61...0x7A ~= $0 }
      rest = rest.dropFirst(letters.count)
      guard let value = DecimalNumber.parse(number) else { return nil }
      if letters.isEmpty {
        // A number without a unit must be the whole text.
        guard number.count == text.count else { return nil }
        sum = value * 1000
        continue
      }
      guard let unit = units.first(where: { $0.letters.utf8.elementsEqual(letters) }) else {
        return nil
      }
      sum += value * unit.milliseconds
    }
    return sum <= longest ? Int64(sum.rounded()) : nil
  }

  /// A time span as hours, minutes and seconds: `1:02:03`.
  static func text(seconds: Double) -> String {
    let whole = Int64(max(0, min(seconds, 1e12)).rounded())
    func two(_ number: Int64) -> String { rightAligned("\(number)", 2, "0") }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
