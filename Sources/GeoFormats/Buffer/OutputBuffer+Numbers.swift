extension OutputBuffer {
  /// Adds a number in decimal.
  public mutating func append(_ number: UInt64) {
    var cursor = self.cursor(reserving: OutputCursor.longestNumber)
    cursor.put(number)
    commit(cursor)
  }

  /// Adds a number in decimal, with a minus sign if it is negative.
  public mutating func append(_ number: Int64) {
    var cursor = self.cursor(reserving: OutputCursor.longestNumber)
    cursor.put(number)
    commit(cursor)
  }

  /// Adds a Unix time as ISO 8601 has it, in UTC: `2026-11-20T08:00:00Z`.
  ///
  /// - Returns: Whether it lies in the years 1 to 9999; if not, nothing is added.
  public mutating func append(time seconds: Int64) -> Bool {
    guard let time = CivilTime(unixSeconds: seconds) else { return false }
    var cursor = self.cursor(reserving: 32)
    cursor.put(time)
    commit(cursor)
    return true
  }

  /// Adds a Unix time in milliseconds as RFC 3339 has it, in UTC: `2026-11-20T08:00:00.000Z`.
  ///
  /// - Returns: Whether it lies in the years 1 to 9999; if not, nothing is added.
  @discardableResult
  package mutating func append(milliseconds: Int64) -> Bool {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let millisecond = remainder < 0 ? remainder + 1000 : remainder
    guard let time = CivilTime(unixSeconds: remainder < 0 ? quotient - 1 : quotient) else {
      return false
    }
    var cursor = self.cursor(reserving: 32)
    cursor.put(time, millisecond: UInt64(millisecond))
    commit(cursor)
    return true
  }

  /// Adds a finite number as the shortest decimal text that reads back as the same double, never
  /// with an exponent.
  package mutating func append(decimal value: Double) {
    let text = Array(value.description.utf8)
    guard let mark = text.firstIndex(of: UInt8(ascii: "e")) else {
      // "5.0" is "5".
      let isWhole = text.suffix(2).elementsEqual(".0".utf8)
      return append(text.span.extracting(0..<(isWhole ? text.count - 2 : text.count)))
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text[(isNegative ? 1 : 0)..<mark].filter { $0 != UInt8(ascii: ".") }
    let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) ?? 0
    if isNegative { append("-") }
    if exponent < 0 {
      append("0.")
      for _ in 1..<max(-exponent, 1) { append("0") }
      append(digits.span)
    } else {
      append(digits.span)
      for _ in 0..<max(0, exponent + 1 - digits.count) { append("0") }
    }
  }

  /// Adds degrees as decimal text: sign, whole degrees, and the decimals without trailing zeros.
  ///
  /// There is no point if no decimal is left, never an exponent, and zero has no sign.
  ///
  /// - Parameters:
  ///   - degrees: An integer number of 10^-digits degrees.
  ///   - digits: 0 to 13.
  public mutating func append(degrees: Int64, digits: UInt8) {
    var cursor = self.cursor(reserving: OutputCursor.longestDegrees)
    cursor.put(degrees: degrees, DegreesScale(digits: digits))
    commit(cursor)
  }
}

extension OutputBuffer {
  /// Adds the eight bytes of a number, the lowest first.
  package mutating func append(little number: UInt64) {
    var cursor = self.cursor(reserving: 8)
    cursor.put(little: number)
    commit(cursor)
  }

  /// Adds the four bytes of a number, the lowest first.
  package mutating func append(little number: UInt32) {
    var cursor = self.cursor(reserving: 4)
    cursor.put(little: number)
    commit(cursor)
  }
}
