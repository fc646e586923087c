/// A factor that brings fixed-point degrees to sixteen decimals, so that only divisions by
/// constants remain.
struct DegreesScale {
  /// 10^(16 − digits).
  let factor: UInt64
  /// 1000 degrees: smaller numbers fit 64 bits after scaling.
  let limit: UInt64

  init(digits: UInt8) {
    precondition(digits <= 13, "coordinates have at most 13 decimals")
    var factor: UInt64 = 1000
    for _ in digits..<13 { factor *= 10 }
    self.factor = factor
    limit = 1000 * (OutputCursor.degree / factor)
  }
}

extension OutputCursor {
  /// The maximum number of bytes by which ``put(degrees:_:)`` advances, for any number.
  static let longestDegrees = 24

  /// 10^16.
  fileprivate static let degree: UInt64 = 10_000_000_000_000_000

  /// Puts fixed-point degrees: sign, whole degrees, and the decimals without trailing zeros.
  @inline(__always)
  mutating func put(degrees number: Int64, _ scale: DegreesScale) {
    let magnitude = putSign(of: number)
    if magnitude >= scale.limit { return put(manyDegrees: magnitude, scale) }
    let scaled = magnitude &* scale.factor  // below 10^19
    let whole = scaled / Self.degree
    put(whole: UInt32(truncatingIfNeeded: whole))
    let fraction = scaled &- whole &* Self.degree
    if fraction != 0 { put(fraction: fraction) }
  }

  /// Puts up to three digits and stores the point after them, without advancing over it.
  @inline(__always)
  private mutating func put(whole: UInt32) {
    // ⌊n · 41 / 2^12⌋ = ⌊n / 100⌋ for n < 1000, ⌊n · 103 / 2^10⌋ = ⌊n / 10⌋ for n < 100.
    let hundreds = (whole &* 41) &>> 12
    let rest = whole &- hundreds &* 100
    let tens = (rest &* 103) &>> 10
    let ones = rest &- tens &* 10
    let text = hundreds | tens &<< 8 | ones &<< 16 | 0x2E30_3030
    let skipped = (whole < 100 ? 1 : 0) + (whole < 10 ? 1 : 0)
    store(UInt64(text &>> UInt32(8 * skipped)))
    advance(3 - skipped)
  }

  /// Puts the point, and sixteen decimals without trailing zeros.
  ///
  /// - Parameter fraction: Units of 10^-16, above 0 and below 10^16; the point is already stored.
  @inline(__always)
  private mutating func put(fraction: UInt64) {
    let upper = fraction / Self.wordOfDigits
    let lower = fraction &- upper &* Self.wordOfDigits
    let digits = Self.sixteenDigits(upper, lower)
    store(digits | UInt8(ascii: "0"), at: 1)
    // The last digit other than 0 is the highest byte other than 0.
    let words = unsafe unsafeBitCast(digits, to: SIMD2<UInt64>.self)
    if lower == 0 {
      advance(9 - words[0].leadingZeroBitCount / 8)
    } else {
      advance(17 - words[1].leadingZeroBitCount / 8)
    }
  }

  /// The same for 1000 degrees and more, which no map has: digit by digit.
  @inline(never)
  private mutating func put(manyDegrees number: UInt64, _ scale: DegreesScale) {
    let unit = Self.degree / scale.factor
    put(number / unit)
    var rest = number % unit
    if rest == 0 { return }
    put(byte: UInt8(ascii: "."))
    var place = unit / 10
    while rest > 0 {
      put(byte: UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }
}

/// A time in UTC in the years 1 to 9999, by the Gregorian calendar throughout.
package struct CivilTime: Equatable {
  var year: UInt64
  var month: UInt64
  var day: UInt64
  /// Seconds since midnight.
  var second: UInt64

  /// 0001-01-01T00:00:00Z in Unix time.
  private static let first: Int64 = -62_135_596_800
  /// 9999-12-31T23:59:59Z in Unix time.
  private static let last: Int64 = 253_402_300_799
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
    var buffer = OutputBuffer(capacity: 32)
    return buffer.append(time: unixSeconds) ? buffer.text : "@\(unixSeconds)"
  }
}

extension OutputCursor {
  /// The maximum length of a finite number: the least with its sign and all of its zeros.
  static let longestDecimal = 360

  /// Puts a finite number as the shortest decimal text that reads back as the same double, without
  /// an exponent.
  mutating func put(decimal value: Double) {
    if value.magnitude < 0x1p53, value == value.rounded(.towardZero) { return put(Int64(value)) }
    let text = Array(value.description.utf8)
    guard let exponentStart = text.firstIndex(of: UInt8(ascii: "e")) else {
      return put(text.span)
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text[(isNegative ? 1 : 0)..<exponentStart].filter { $0 != UInt8(ascii: ".") }
    let exponent = Int(String(decoding: text[(exponentStart + 1)...], as: UTF8.self)) ?? 0
    if isNegative { put("-") }
    if exponent < 0 {
      put("0.")
      for _ in 1..<max(-exponent, 1) { put("0") }
      put(digits.span)
    } else {
      put(digits.span)
      for _ in 0..<max(0, exponent + 1 - digits.count) { put("0") }
    }
  }
}
