import GeoCore

/// A time in the past as `since` and `kept:WHEN` take it.
enum PastTime: Equatable, Sendable {
  /// The first kept state.
  case first
  /// The last kept state.
  case last
  /// The last kept state at or before a Unix time in seconds, and milliseconds of that second.
  case time(Int64, millisecond: Int64 = 999)

  /// Names of the days of the week, from Monday on.
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// What a time looks like, for messages.
  static let examples = "first, last, yesterday, monday, 3d, 2026-01-31, 2026-01-31T12:00"

  /// Parses `first`, `last`, `yesterday`, a day of the week, a span, a date or a time; nil for other
  /// text.
  ///
  /// A day begins at midnight, and a day of the week is the last such day before today. Words may
  /// have capitals, and days of the week three letters. A span counts back from now.
  ///
  /// - Parameters:
  ///   - now: The present as a Unix time in seconds.
  ///   - zone: The zone of days, and of dates and times without a zone.
  init?(parsing text: [UInt8], now: Int64, zone: LocalZone) {
    let word = String(decoding: text.lowercased, as: UTF8.self)
    switch word {
    case "first": self = .first
    case "last": self = .last
    case "yesterday": self = .time(zone.startOfDay(1, before: now))
    default:
      if let day = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
        let back = (zone.weekday(at: now) - Int64(day) + 6) % 7 + 1
        self = .time(zone.startOfDay(back, before: now))
      } else if let span = TimeSpan.milliseconds(parsing: text) {
        self = .time(now - (span + 999) / 1000)
      } else if let time = Moment.time(parsing: text, in: zone) {
        // A time without a fraction is the whole second, as `keep --list` prints times.
        self = .time(time.seconds, millisecond: time.millisecond ?? 999)
      } else {
        return nil
      }
    }
  }
}
