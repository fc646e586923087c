/// Parses moments from text.
package enum Moment {
  /// Unix seconds, rounded down, of `@SECONDS` or of an ISO 8601 date with an optional time; nil
  /// for other text.
  ///
  /// Examples: `2026-01-31`, `2026-01-31T12:00`, `2026-01-31 12:00:59.5+02:00`. A date without a
  /// time is midnight. Without a zone it is UTC, so that the text means the same everywhere.
  package static func seconds(parsing text: [UInt8]) -> Int64? {
    var text = text[...]
    if text.first == UInt8(ascii: "@") {
      text = text.dropFirst()
      let isNegative = text.first == UInt8(ascii: "-")
      return Int64(wholeNumber: isNegative ? text.dropFirst() : text).map { isNegative ? -$0 : $0 }
    }
    return date(parsing: text)?.seconds
  }

  /// Unix seconds as of ``seconds(parsing:)``, and milliseconds; but a text without a zone is a time
  /// on the clocks of `zone`.
  /// The milliseconds are nil if the text has no fraction.
  package static func time(
    parsing text: [UInt8], in zone: LocalZone
  ) -> (seconds: Int64, millisecond: Int64?)? {
    guard let (seconds, millisecond) = date(parsing: text[...], in: zone) else {
      return Self.seconds(parsing: text).map { ($0, nil) }
    }
    let hasFraction = text.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    return (seconds, hasFraction ? millisecond : nil)
  }

  /// Unix milliseconds, rounded down, of an ISO 8601 date with an optional time; nil for other
  /// text.
  package static func milliseconds(parsing text: [UInt8]) -> Int64? {
    guard let (seconds, millisecond) = date(parsing: text[...]) else { return nil }
    return seconds * 1000 + millisecond  // years 0 to 9999
  }

  private static func date(
    parsing text: ArraySlice<UInt8>, in local: LocalZone = .utc
  ) -> (seconds: Int64, millisecond: Int64)? {
    var text = text
    guard let year = text.takeNumber(digits: 4), text.take("-"),
      let month = text.takeNumber(digits: 2), text.take("-"),
      let day = text.takeNumber(digits: 2),
      1...12 ~= month, 1...daysInMonth(month, of: year) ~= day
    else { return nil }
    let midnight = days(year: year, month: month, day: day) * 86400
    if text.isEmpty { return (local.unixSeconds(ofLocal: midnight), 0) }
    guard text.take("T") || text.take("t") || text.take(" ") else { return nil }
    guard let time = takeTime(&text) else { return nil }
    if text.isEmpty {
      return (local.unixSeconds(ofLocal: midnight + time.seconds), time.millisecond)
    }
    guard let zone = takeZone(&text), text.isEmpty else { return nil }
    return (midnight + time.seconds - zone, time.millisecond)
  }

  /// Parses `hh:mm`, `hh:mm:ss` or `hh:mm:ss.f` into seconds; a leap second is the next minute's
  /// first, and `24:00` the midnight after.
  private static func takeTime(
    _ text: inout ArraySlice<UInt8>
  ) -> (seconds: Int64, millisecond: Int64)? {
    guard let hours = text.takeNumber(digits: 2), text.take(":"),
      let minutes = text.takeNumber(digits: 2), 0...24 ~= hours, 0...59 ~= minutes
    else { return nil }
    var seconds: Int64 = 0
    var millisecond: Int64 = 0
    if text.take(":") {
      guard let number = text.takeNumber(digits: 2), 0...60 ~= number else { return nil }
      seconds = number
      if text.take(".") || text.take(",") {
        let fraction = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if fraction.isEmpty { return nil }
        for digit in fraction.prefix(3) { millisecond = millisecond * 10 + Int64(digit - 0x30) }
        for _ in fraction.prefix(3).count..<3 { millisecond *= 10 }
        text = text.dropFirst(fraction.count)
      }
    }
    if hours == 24, minutes > 0 || seconds > 0 || millisecond > 0 { return nil }
    return (hours * 3600 + minutes * 60 + seconds, millisecond)
  }

  /// Parses `Z`, `+hh`, `+hhmm` or `+hh:mm` into seconds east.
  private static func takeZone(_ text: inout ArraySlice<UInt8>) -> Int64? {
    if text.take("Z") || text.take("z") { return 0 }
    let isEast = text.take("+")
    guard isEast || text.take("-"), let hours = text.takeNumber(digits: 2), 0...23 ~= hours
    else { return nil }
    var minutes: Int64 = 0
    if !text.isEmpty {
      _ = text.take(":")
      guard let number = text.takeNumber(digits: 2), 0...59 ~= number else { return nil }
      minutes = number
    }
    let offset = hours * 3600 + minutes * 60
    return isEast ? offset : -offset
  }

  private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 of a date of the Gregorian calendar, years 0 to 9999 (Hinnant,
  /// `days_from_civil`).
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Counts from March, 400 years earlier, so that nothing is negative.
    let shifted = year + 400 - (month <= 2 ? 1 : 0)
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era - 1) * 146_097 + dayOfEra - 719_468
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func take(_ character: UnicodeScalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func takeNumber(digits: Int) -> Int64? {
    if count < digits { return nil }
    guard let number = Int64(wholeNumber: prefix(digits)) else { return nil }
    self = dropFirst(digits)
    return number
  }
}

/// A time zone: how far its clocks are ahead of UTC, at any time.
package struct LocalZone: Sendable {
  /// The seconds that clocks are ahead of UTC at a Unix time; negative in the west.
  private let secondsEast: @Sendable (Int64) -> Int64

  private static let day: Int64 = 86_400

  package init(_ secondsEast: @escaping @Sendable (Int64) -> Int64) {
    self.secondsEast = secondsEast
  }

  package static let utc = LocalZone { _ in 0 }

  /// The Unix time at which clocks show a time.
  /// A time that clocks show twice is the earlier one. A time that they skip is as much later as
  /// they are put forward: 02:30 becomes 03:30.
  /// `local` counts seconds since 1970-01-01 00:00 on the clocks.
  package func unixSeconds(ofLocal local: Int64) -> Int64 {
    // No zone is a day away from UTC.
    let before = secondsEast(local &- Self.day)
    let after = secondsEast(local &+ Self.day)
    if secondsEast(local &- before) == before { return local &- before }
    return secondsEast(local &- after) == after ? local &- after : local &- before
  }

  /// The time on the clocks at a Unix time, as seconds since 1970-01-01 00:00 there.
  package func localSeconds(at seconds: Int64) -> Int64 { seconds &+ secondsEast(seconds) }

  /// The beginning of the day that is `days` before that of `seconds`, as a Unix time.
  package func startOfDay(_ days: Int64, before seconds: Int64) -> Int64 {
    unixSeconds(ofLocal: (day(at: seconds) - days) * Self.day)
  }

  /// The day of the week at a Unix time; 0 is Monday.
  package func weekday(at seconds: Int64) -> Int64 {
    // 1970 began on a Thursday.
    let day = (day(at: seconds) + 3) % 7
    return day < 0 ? day + 7 : day
  }

  private func day(at seconds: Int64) -> Int64 {
    let (days, rest) = localSeconds(at: seconds).quotientAndRemainder(dividingBy: Self.day)
    return rest < 0 ? days - 1 : days
  }
}
