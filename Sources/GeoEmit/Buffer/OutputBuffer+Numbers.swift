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
