import GeoCore
import GeoFormats
import GeoSystem

/// A time in the past that an option or an operand names: WHEN in the help.
enum When: Equatable, Sendable {
  case first
  case last
  /// A Unix time in seconds, up to these milliseconds of the last second.
  case time(Int64, millisecond: Int64 = 999)

  /// Names of the days of the week, from Monday on.
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  static let examples = "yesterday, monday, 7d, 2026-01-31, 2026-01-31T12:00"

  /// Parses a time; nil for other text. A time in the future is a failure, and so is a number that
  /// is no date.
  ///
  /// A day begins at midnight, and a day of the week is the last such day before today. Words may
  /// have capitals, and days of the week three letters. A span counts back from now.
  init?(parsing text: [UInt8], now: Int64, zone: LocalZone) throws(Failure) {
    let word = String(decoding: text.lowercased, as: UTF8.self)
    switch word {
    case "first": self = .first
    case "last": self = .last
    case "now": self = .time(now)
    case "today": self = .time(zone.startOfDay(0, before: now))
    case "yesterday": self = .time(zone.startOfDay(1, before: now))
    default:
      if let day = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
        let back = (zone.weekday(at: now) - Int64(day) + 6) % 7 + 1
        self = .time(zone.startOfDay(back, before: now))
      } else if let time = Moment.time(parsing: Self.separated(text), in: zone) {
        if time.seconds > now { throw .wrong(text, "is in the future") }
        // A time without a fraction is the whole second, as `keep --list` prints times.
        self = .time(time.seconds, millisecond: time.millisecond ?? 999)
      } else if DecimalNumber.parse(text) != nil {
        throw .wrong(text, "is a number without a unit (try 90s, 7d, 2026-01-31 or @\(text.shown))")
      } else if let span = TimeSpan.milliseconds(parsing: text) {
        self = .time(now - (span + 999) / 1000)
      } else {
        return nil
      }
    }
  }

  init?(parsing text: [UInt8]) throws(Failure) {
    try self.init(
      parsing: text, now: ThisProcess.unixNanoseconds / 1_000_000_000, zone: .ofThisProcess)
  }

  /// The text with dashes if it is a date of eight digits.
  private static func separated(_ text: [UInt8]) -> [UInt8] {
    guard text.count == 8, text.allSatisfy({ 0x30...0x39 ~= $0 }) else { return text }
    return Array([text[..<4], text[4..<6], text[6...]].joined(separator: [UInt8(ascii: "-")]))
  }

  /// Whether a text names the same time at every moment and in every zone.
  fileprivate static func isExact(_ text: [UInt8]) -> Bool {
    guard let time = Moment.time(parsing: text, in: .utc) else { return false }
    return Moment.time(parsing: text, in: LocalZone { _ in 3600 })?.seconds == time.seconds
  }
}

struct GivenTime: Equatable {
  let text: [UInt8]
  /// Unix time; nil for a path, whose time of change is meant.
  private(set) var seconds: Int64?

  /// Parses the value of an option; if it may be a file, other text is its path.
  init(parsing text: [UInt8], mayBeFile: Bool = false) throws(Failure) {
    self.text = text
    switch try When(parsing: text) {
    case .time(let seconds, _)?: self.seconds = seconds
    case .first?, .last?: throw .wrong(text, "is for kept states (try \(When.examples))")
    case nil: if !mayBeFile { throw .wrong(text, "is not a time (try \(When.examples))") }
    }
  }

  /// The time in full, if the text doesn't have it.
  var exactText: String? {
    guard let seconds, !When.isExact(text) else { return nil }
    return CivilTime.text(unixSeconds: seconds)
  }
}
