/// A time in UTC in the years 1 to 9999, by the Gregorian calendar throughout.
package struct CivilTime: Equatable {
  /// 1 to 9999.
  var year: UInt64
  /// 1 to 12.
  var month: UInt64
  /// 1 to 31.
  var day: UInt64
  /// Seconds since midnight.
  var second: UInt64

  /// 0001-01-01T00:00:00Z in Unix time.
  private static let first: Int64 = -62_135_596_800
  /// 9999-12-31T23:59:59Z in Unix time.
  private static let last: Int64 = 253_402_300_799
  /// The Unix times that have a text.
  package static let unixSeconds = first...last
  private static let secondsInDay: UInt64 = 86_400

  /// The time of a Unix time; nil outside of the years 1 to 9999.
  ///
  /// By H. Hinnant's `civil_from_days`: years that begin in March have their leap day at the end,
  /// so months follow from the day of the year by a linear formula.
  @inline(__always)
  init?(unixSeconds: Int64) {
    guard unixSeconds >= Self.first && unixSeconds <= Self.last else { return nil }
    let elapsed = UInt64(unixSeconds - Self.first)
    second = elapsed % Self.secondsInDay
    let days = elapsed / Self.secondsInDay + 306  // since 0000-03-01
    let era = days / 146_097  // of 400 years
    let dayOfEra = days % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }
}

extension OutputCursor {
  /// Puts a time in ISO 8601: `2026-11-20T08:00:00Z`.
  @inline(__always)
  mutating func put(_ time: CivilTime) {
    putWithoutZone(time)
    put(byte: UInt8(ascii: "Z"))
  }

  /// Puts a Unix time with milliseconds: `2026-11-20T08:00:00.000Z`.
  ///
  /// - Returns: Whether it is in the years 1 to 9999; if not, nothing is put.
  @discardableResult
  mutating func put(milliseconds: Int64) -> Bool {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let isBefore = remainder < 0
    let millisecond = UInt64(isBefore ? remainder + 1000 : remainder)
    guard let time = CivilTime(unixSeconds: isBefore ? quotient - 1 : quotient) else {
      return false
    }
    putWithoutZone(time)
    put(byte: UInt8(ascii: "."))
    put(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond / 100 % 10))
    putTwoDigits(millisecond % 100)
    put(byte: UInt8(ascii: "Z"))
    return true
  }

  @inline(__always)
  private mutating func putWithoutZone(_ time: CivilTime) {
    putTwoDigits(time.year / 100)
    putTwoDigits(time.year % 100)
    put(byte: UInt8(ascii: "-"))
    putTwoDigits(time.month)
    put(byte: UInt8(ascii: "-"))
    putTwoDigits(time.day)
    put(byte: UInt8(ascii: "T"))
    putTwoDigits(time.second / 3600)
    put(byte: UInt8(ascii: ":"))
    putTwoDigits(time.second / 60 % 60)
    put(byte: UInt8(ascii: ":"))
    putTwoDigits(time.second % 60)
  }
}

extension CivilTime {
  /// A Unix time in ISO 8601; `@SECONDS` outside of the years 1 to 9999.
  package static func text(unixSeconds: Int64) -> String {
    guard let time = CivilTime(unixSeconds: unixSeconds) else { return "@\(unixSeconds)" }
    func digits(_ number: UInt64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
    let (hour, minute) = (digits(time.second / 3600, 2), digits(time.second / 60 % 60, 2))
    return "\(date)T\(hour):\(minute):\(digits(time.second % 60, 2))Z"
  }
}
