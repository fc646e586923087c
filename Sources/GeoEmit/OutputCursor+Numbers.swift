/// Decimal text. Eight digits are made at a time, side by side in one word, by the method of
/// P. Khuong ("How to print integers really fast", 2017): each multiplication by a reciprocal
/// divides all parts of the word at once. The operators that wrap around are used only where the
/// parts of a word keep to their own bits; the bounds are written next to them.
extension OutputCursor {
  /// Bytes that a 64-bit number takes at most, its sign included.
  static let longestNumber = 20

  /// Bytes that ``put(degrees:scale:)`` advances by at most, for any number.
  static let longestDegrees = 24

  /// 10^8: eight digits fill a word.
  private static let wordOfDigits: UInt64 = 100_000_000

  /// "00000000".
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The eight digits of a number below 10^8, one a byte from 0 to 9, the first in the lowest.
  @inline(__always)
  private static func eightDigits(_ number: UInt64) -> UInt64 {
    // Two numbers below 10^4, 32 bits apart.
    let upper = number / 10_000
    let halves = upper | (number &- upper &* 10_000) &<< 32
    // ⌊n · 10486 / 2^20⌋ = ⌊n / 100⌋ for n < 10^4; the product has 27 bits.
    let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
    let pairs = (halves &- hundreds &* 100) &<< 16 | hundreds
    // ⌊n · 103 / 2^10⌋ = ⌊n / 10⌋ for n < 100; the product has 14 bits.
    let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
    return tens &+ (pairs &- tens &* 10) &<< 8
  }

  /// Puts all eight digits of a number below 10^8.
  @inline(__always)
  private mutating func put(eightDigits number: UInt64) {
    store(Self.eightDigits(number) | Self.zeros)
    advance(8)
  }

  /// Puts a number below 10^8 without leading zeros.
  @inline(__always)
  private mutating func put(upToEightDigits number: UInt64) {
    let digits = Self.eightDigits(number)
    let skipped = min(digits.trailingZeroBitCount / 8, 7)  // zero itself is one digit
    store((digits | Self.zeros) &>> UInt64(8 * skipped))
    advance(8 - skipped)
  }

  /// Puts a number in decimal.
  @inline(__always)
  mutating func put(_ number: UInt64) {
    if number < Self.wordOfDigits { return put(upToEightDigits: number) }
    let upper = number / Self.wordOfDigits
    let lower = number % Self.wordOfDigits
    if upper < Self.wordOfDigits {
      put(upToEightDigits: upper)
    } else {
      put(upToEightDigits: upper / Self.wordOfDigits)
      put(eightDigits: upper % Self.wordOfDigits)
    }
    put(eightDigits: lower)
  }

  /// Puts a number in decimal, with a minus sign if it is negative.
  @inline(__always)
  mutating func put(_ number: Int64) { put(putSign(of: number)) }

  /// Puts a minus sign if the number is negative, without a branch, as signs are hard to predict.
  ///
  /// - Returns: The number's magnitude.
  @inline(__always)
  private mutating func putSign(of number: Int64) -> UInt64 {
    store(UInt64(UInt8(ascii: "-")))
    let mask = number >> 63  // 0 or −1
    advance(Int(mask & 1))
    return UInt64(bitPattern: (number ^ mask) &- mask)
  }

  /// What ``put(degrees:scale:)`` wants to be told: 10^(13 − digits).
  ///
  /// - Parameter digits: Decimals of the coordinates, at most 13.
  static func degreesScale(digits: UInt8) -> UInt64 {
    precondition(digits <= 13, "coordinates have at most 13 decimals")
    var scale: UInt64 = 1
    for _ in digits..<13 { scale *= 10 }
    return scale
  }

  /// Puts fixed-point degrees: sign, whole degrees, and the decimals without trailing zeros.
  ///
  /// The number is brought to 13 decimals first, so that only divisions by constants are left.
  ///
  /// - Parameters:
  ///   - number: Degrees in integers of 10^-digits.
  ///   - scale: ``degreesScale(digits:)`` of these digits.
  @inline(__always)
  mutating func put(degrees number: Int64, scale: UInt64) {
    let (scaled, overflows) = putSign(of: number).multipliedReportingOverflow(by: scale)
    let unit: UInt64 = 10_000_000_000_000
    if overflows || scaled >= 1000 * unit {
      return put(manyDegrees: number.magnitude, scale: scale)
    }

    // Up to three whole digits and the point, the digits that are not needed shifted out.
    let whole = scaled / unit
    let hundreds = whole / 100
    let tens = whole / 10 &- hundreds &* 10
    let ones = whole &- whole / 10 &* 10
    let skipped = (whole < 100 ? 1 : 0) + (whole < 10 ? 1 : 0)
    let text = hundreds | tens &<< 8 | ones &<< 16 | 0x2E30_3030
    store(text &>> UInt64(8 * skipped))
    advance(3 - skipped)
    let fraction = scaled &- whole &* unit
    if fraction != 0 { put(fraction: fraction) }
  }

  /// Puts thirteen decimals without trailing zeros, behind a point that is already in place.
  ///
  /// - Parameter fraction: Units of 10^-13, above 0 and below 10^13.
  @inline(__always)
  private mutating func put(fraction: UInt64) {
    let sixteen = fraction &* 1000  // below 10^16
    let upper = sixteen / Self.wordOfDigits
    let lower = sixteen &- upper &* Self.wordOfDigits
    let upperDigits = Self.eightDigits(upper)
    store(upperDigits | Self.zeros, at: 1)
    if lower == 0 {
      advance(9 - upperDigits.leadingZeroBitCount / 8)
    } else {
      let lowerDigits = Self.eightDigits(lower)
      store(lowerDigits | Self.zeros, at: 9)
      advance(17 - lowerDigits.leadingZeroBitCount / 8)
    }
  }

  /// The same for 1000 degrees and more, which no map has: digit by digit.
  @inline(never)
  private mutating func put(manyDegrees number: UInt64, scale: UInt64) {
    let unit = 10_000_000_000_000 / scale
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
