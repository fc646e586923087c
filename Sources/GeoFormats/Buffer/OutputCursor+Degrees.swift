/// A factor that brings fixed-point degrees to sixteen decimals, so that only divisions by
/// constants remain.
struct DegreesScale {
  /// 10^(16 − digits).
  let factor: UInt64
  /// 1000 degrees: smaller numbers fit 64 bits after scaling.
  let limit: UInt64

  /// The scale for coordinates with `digits` decimals, at most 13.
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
  ///
  /// - Parameters:
  ///   - number: An integer number of 10^-digits degrees.
  ///   - scale: The scale of these digits.
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
