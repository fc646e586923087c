/// Decimal text. Eight digits are made at a time, side by side in one word, by the method of
/// P. Khuong ("How to print integers really fast", 2017): each multiplication by a reciprocal
/// divides all parts of the word at once. The operators that wrap around are used only where the
/// parts of a word keep to their own bits; the bounds are written next to them.
///
/// Words are taken for bytes with the lowest first, as all machines have it that Swift runs on.
extension OutputCursor {
  /// Bytes that a 64-bit number takes at most, its sign included.
  static let longestNumber = 20

  /// 10^8: eight digits fill a word.
  static let wordOfDigits: UInt64 = 100_000_000

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

  /// The digits of two numbers below 10^8, in the same way.
  ///
  /// The steps are those of ``eightDigits(_:)``, taken by vector instructions of 128 bits. The
  /// masks change nothing: they tell the compiler that a shorter multiplication will do.
  @inline(__always)
  static func sixteenDigits(_ first: UInt64, _ second: UInt64) -> SIMD16<UInt8> {
    let numbers = SIMD2(first, second) & 0xFFFF_FFFF
    // ⌊n · 109951163 / 2^40⌋ = ⌊n / 10^4⌋ for n < 10^8; the product has 54 bits.
    let uppers = (numbers &* 109_951_163) &>> 40
    let halves = (numbers &- (uppers & 0xFFFF_FFFF) &* 10_000) &<< 32 &+ uppers
    // From here on the same bits are taken for numbers of 32 or 16 bits.
    let fours = unsafe unsafeBitCast(halves, to: SIMD4<UInt32>.self)
    let hundreds = ((fours & 0x3FFF) &* 10_486) &>> 20
    let ones =
      unsafe unsafeBitCast(fours, to: SIMD8<UInt16>.self)
      &- unsafeBitCast(hundreds, to: SIMD8<UInt16>.self) &* 100
    let twos = unsafe unsafeBitCast(ones, to: SIMD4<UInt32>.self) &<< 16 &+ hundreds
    let pairs = unsafe unsafeBitCast(twos, to: SIMD8<UInt16>.self)
    let tens = (pairs &* 103) &>> 10
    return unsafe unsafeBitCast((pairs &- tens &* 10) &<< 8 &+ tens, to: SIMD16<UInt8>.self)
  }

  /// Puts eight digits without leading zeros.
  @inline(__always)
  private mutating func put(significant digits: UInt64) {
    let skipped = min(digits.trailingZeroBitCount / 8, 7)  // zero itself is one digit
    store((digits | Self.zeros) &>> UInt64(8 * skipped))
    advance(8 - skipped)
  }

  /// Puts a number in decimal.
  @inline(__always)
  mutating func put(_ number: UInt64) {
    if number < Self.wordOfDigits { return put(significant: Self.eightDigits(number)) }
    let upper = number / Self.wordOfDigits
    let lower = number % Self.wordOfDigits
    if upper < Self.wordOfDigits / 10 || upper >= Self.wordOfDigits { return put(any: number) }
    // Sixteen digits, as nearly all ids have.
    store(Self.sixteenDigits(upper, lower) | UInt8(ascii: "0"))
    advance(16)
  }

  /// Puts a number of more than eight digits.
  @inline(never)
  private mutating func put(any number: UInt64) {
    put(number / Self.wordOfDigits)
    store(Self.eightDigits(number % Self.wordOfDigits) | Self.zeros)
    advance(8)
  }

  /// Puts a number in decimal, with a minus sign if it is negative.
  @inline(__always)
  mutating func put(_ number: Int64) { put(putSign(of: number)) }

  /// Puts a minus sign if the number is negative, without a branch, as signs are hard to predict.
  ///
  /// - Returns: The number's magnitude.
  @inline(__always)
  mutating func putSign(of number: Int64) -> UInt64 {
    store(UInt64(UInt8(ascii: "-")))
    let mask = number >> 63  // 0 or −1
    advance(Int(mask & 1))
    return UInt64(bitPattern: (number ^ mask) &- mask)
  }

  /// Puts a size and a time with some text between them.
  ///
  /// Nearly all sizes have up to eight digits and all times since 2001 ten: these are made
  /// together.
  @inline(__always)
  mutating func put(size: Int64, _ separator: StaticString, time: Int64) {
    let last = 10 * Self.wordOfDigits  // of nine digits, and one
    if UInt64(bitPattern: size) >= Self.wordOfDigits
      || UInt64(bitPattern: time) &- last >= 9 * last
    {
      put(size)
      put(separator)
      return put(time)
    }
    let upper = UInt64(bitPattern: time) / Self.wordOfDigits
    let digits = Self.sixteenDigits(
      UInt64(bitPattern: size), UInt64(bitPattern: time) &- upper &* Self.wordOfDigits)
    let words = unsafe unsafeBitCast(digits, to: SIMD2<UInt64>.self)
    put(significant: words[0])
    put(separator)
    putTwoDigits(upper)
    store(words[1] | Self.zeros)
    advance(8)
  }

  /// Puts a number below 100 with two digits.
  @inline(__always)
  mutating func putTwoDigits(_ number: UInt64) {
    let tens = (number &* 103) &>> 10
    store(tens | (number &- tens &* 10) &<< 8 | 0x3030)
    advance(2)
  }
}
