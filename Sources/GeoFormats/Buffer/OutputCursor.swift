import GeoCore

/// A position in reserved memory at which bytes are put without checks.
///
/// The caller of ``OutputBuffer/cursor(reserving:)`` gives an upper bound of the bytes to put.
/// Debug builds check it byte by byte, release builds once, when the cursor is committed. A `put`
/// may store up to ``OutputBuffer/slack`` bytes more than it advances.
@safe struct OutputCursor {
  private(set) var next: UnsafeMutablePointer<UInt8>
  /// The end of the reservation, before the slack.
  private let end: UnsafeMutablePointer<UInt8>

  @inline(__always)
  init(next: UnsafeMutablePointer<UInt8>, end: UnsafeMutablePointer<UInt8>) {
    unsafe self.next = next
    unsafe self.end = end
  }

  /// Bytes left in the reservation.
  @inline(__always)
  var capacity: Int { unsafe end - next }

  /// Moves forward over `length` stored bytes.
  @inline(__always)
  mutating func advance(_ length: Int) {
    assert(unsafe length >= 0 && length <= end - next, "the reservation was too small")
    unsafe next += length
  }

  @inline(__always)
  mutating func rewind(to position: OutputPosition) {
    assert(unsafe position.place <= next)
    unsafe next = position.place
  }

  @inline(__always)
  var position: OutputPosition { unsafe OutputPosition(place: next) }

  /// Stores a word, little-endian, `offset` bytes ahead, without moving.
  @inline(__always)
  func store(_ word: UInt64, at offset: Int = 0) {
    assert(unsafe offset >= 0 && offset + 8 <= end - next + OutputBuffer.slack)
    unsafe UnsafeMutableRawPointer(next + offset).storeBytes(
      of: word.littleEndian, as: UInt64.self)
  }

  /// Stores sixteen bytes `offset` bytes ahead, without moving.
  @inline(__always)
  func store(_ block: SIMD16<UInt8>, at offset: Int = 0) {
    assert(unsafe offset >= 0 && offset + 16 <= end - next + OutputBuffer.slack)
    unsafe UnsafeMutableRawPointer(next + offset).storeBytes(of: block, as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  mutating func put(byte: UInt8) {
    unsafe next.pointee = byte
    advance(1)
  }

  @inline(__always)
  mutating func put(_ bytes: Span<UInt8>) {
    let start = unsafe next
    advance(bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe start.initialize(from: base, count: source.count)
    }
  }

  /// Puts a literal, whose constant length the compiler turns into a few moves.
  @inline(__always)
  mutating func put(_ literal: StaticString) {
    let start = unsafe next
    advance(literal.utf8CodeUnitCount)
    unsafe start.initialize(from: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  /// Puts a prepared text.
  ///
  /// It is copied in whole blocks of 32 bytes, which for texts of some dozen bytes is faster than a
  /// call of `memcpy`.
  @inline(__always)
  mutating func put(_ text: PaddedText) { put(text, count: text.count) }

  @inline(__always)
  mutating func put(_ text: PaddedText, count: Int) {
    assert(count >= 0 && count <= text.bytes.count - PaddedText.padding)
    let start = unsafe next
    advance(count)
    unsafe text.bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      var done = 0
      repeat {
        let block = unsafe UnsafeRawPointer(base + done).loadUnaligned(as: SIMD32<UInt8>.self)
        unsafe UnsafeMutableRawPointer(start + done).storeBytes(of: block, as: SIMD32<UInt8>.self)
        done &+= 32  // far below the size of memory
      } while done < count
    }
  }

  /// Puts the `count` bytes from `position` on again.
  mutating func repeatBytes(from position: OutputPosition, count: Int) {
    assert(unsafe count >= 0 && position.place + count <= next)
    let start = unsafe next
    advance(count)
    unsafe start.initialize(from: position.place, count: count)
  }

  /// Stores four bytes, little-endian, `offset` bytes after a position that the cursor has passed.
  @inline(__always)
  func store(_ number: UInt32, at position: OutputPosition, offset: Int = 0) {
    assert(unsafe offset >= 0 && position.place + offset + 4 <= next)
    unsafe UnsafeMutableRawPointer(position.place + offset).storeBytes(
      of: number.littleEndian, as: UInt32.self)
  }

  /// Stores a byte at a position that the cursor has passed.
  func store(byte: UInt8, at position: OutputPosition) {
    assert(unsafe position.place < next)
    unsafe position.place.pointee = byte
  }

  @inline(__always)
  func store(_ number: UInt16, at position: OutputPosition, offset: Int) {
    assert(unsafe offset >= 0 && position.place + offset + 2 <= next)
    unsafe UnsafeMutableRawPointer(position.place + offset).storeBytes(
      of: number.littleEndian, as: UInt16.self)
  }

  @inline(__always)
  func count(since position: OutputPosition) -> Int { unsafe next - position.place }
}

/// A position that a cursor has passed.
@safe struct OutputPosition {
  fileprivate let place: UnsafeMutablePointer<UInt8>

  @inline(__always)
  fileprivate init(place: UnsafeMutablePointer<UInt8>) { unsafe self.place = place }
}

/// Decimal text. Eight digits are made at a time in one word, by the method of P. Khuong ("How to
/// print integers really fast", 2017): each multiplication by a reciprocal divides all parts of the
/// word at once. Wrapping operators are used only where the parts of a word stay within their bits;
/// the bounds are written next to them.
///
/// Words are little-endian, as on all machines that Swift supports.
extension OutputCursor {
  /// The maximum length of a 64-bit number with its sign.
  static let longestNumber = 20

  /// 10^8: eight digits fill a word.
  static let wordOfDigits: UInt64 = 100_000_000

  /// "00000000".
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The eight digits of a number below 10^8, one per byte from 0 to 9, the first in the lowest
  /// byte.
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

  /// The digits of two numbers below 10^8, likewise.
  ///
  /// The steps are those of ``eightDigits(_:)``, with vector instructions of 128 bits. The masks
  /// change nothing, but let the compiler choose a shorter multiplication.
  @inline(__always)
  static func sixteenDigits(_ first: UInt64, _ second: UInt64) -> SIMD16<UInt8> {
    let numbers = SIMD2(first, second) & 0xFFFF_FFFF
    // ⌊n · 109951163 / 2^40⌋ = ⌊n / 10^4⌋ for n < 10^8; the product has 54 bits.
    let uppers = (numbers &* 109_951_163) &>> 40
    let halves = (numbers &- (uppers & 0xFFFF_FFFF) &* 10_000) &<< 32 &+ uppers
    // From here on the same bits are numbers of 32 or 16 bits.
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

  @inline(__always)
  mutating func put(_ number: UInt64) {
    if number < Self.wordOfDigits { return put(significant: Self.eightDigits(number)) }
    let upper = number / Self.wordOfDigits
    let lower = number % Self.wordOfDigits
    if upper < Self.wordOfDigits / 10 || upper >= Self.wordOfDigits { return put(any: number) }
    // Nearly all ids have sixteen digits.
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
  /// Nearly all sizes have up to eight digits and all times since 2001 ten, so both are made
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

extension OutputCursor {
  @inline(__always)
  mutating func put(little number: UInt16) {
    store(UInt64(number))
    advance(2)
  }

  @inline(__always)
  mutating func put(little number: UInt32) {
    store(UInt64(number))
    advance(4)
  }

  @inline(__always)
  mutating func put(little number: UInt64) {
    store(number)
    advance(8)
  }

  @inline(__always)
  mutating func put(little number: Int64) { put(little: UInt64(bitPattern: number)) }

  @inline(__always)
  mutating func put(little number: Double) { put(little: number.bitPattern) }

  /// Puts the bytes that `body` puts, after their number in four bytes.
  @inline(__always)
  mutating func putCounted(_ body: (inout OutputCursor) -> Void) {
    let start = position
    put(little: 0 as UInt32)
    body(&self)
    store(UInt32(truncatingIfNeeded: count(since: start) - 4), at: start)
  }

  /// Puts text as UTF-8, with ill-formed bytes repaired.
  ///
  /// - Returns: Whether the text is valid UTF-8.
  @inline(__always)
  mutating func putPlain(_ text: Range<Int>, of arena: Span<UInt8>) -> Bool {
    if put(text, of: arena, ifClean: PlainText.self) { return true }
    return PlainText.put(scalarsOf: arena.extracting(text), to: &self)
  }
}

/// Converts fixed-point coordinates to the doubles nearest to their decimal numbers.
///
/// The integers and the powers of ten are below 2^53, so one division rounds once only.
struct BinaryDegrees: Sendable {
  private let unit: Double

  init(digits: UInt8) {
    precondition(digits <= 13, "coordinates have at most 13 decimals")
    var unit = 1.0
    for _ in 0..<digits { unit *= 10 }
    self.unit = unit
  }

  @inline(__always)
  func callAsFunction(_ number: Int64) -> Double { Double(number) / unit }
}
