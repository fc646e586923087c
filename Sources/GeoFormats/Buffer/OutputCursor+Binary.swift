import GeoCore

/// Numbers as bytes, the lowest first.
extension OutputCursor {
  /// Puts two bytes.
  @inline(__always)
  mutating func put(little number: UInt16) {
    store(UInt64(number))
    advance(2)
  }

  /// Puts four bytes.
  @inline(__always)
  mutating func put(little number: UInt32) {
    store(UInt64(number))
    advance(4)
  }

  /// Puts eight bytes.
  @inline(__always)
  mutating func put(little number: UInt64) {
    store(number)
    advance(8)
  }

  /// Puts eight bytes.
  @inline(__always)
  mutating func put(little number: Int64) { put(little: UInt64(bitPattern: number)) }

  /// Puts the eight bytes of a double.
  @inline(__always)
  mutating func put(little number: Double) { put(little: number.bitPattern) }

  /// Puts whatever `body` puts, and before it how many bytes that is, in four.
  @inline(__always)
  mutating func putCounted(_ body: (inout OutputCursor) -> Void) {
    let start = mark
    put(little: 0 as UInt32)
    body(&self)
    store(UInt32(truncatingIfNeeded: count(since: start) - 4), at: start)
  }

  /// Puts text as UTF-8, of which what is ill-formed is repaired.
  ///
  /// - Returns: Whether nothing had to be.
  @inline(__always)
  mutating func putPlain(_ text: Range<Int>, of arena: Span<UInt8>) -> Bool {
    if put(text, of: arena, ifClean: PlainText.self) { return true }
    return PlainText.put(scalarsOf: arena.extracting(text), to: &self)
  }
}

/// The degrees that fixed-point coordinates mean, each the double that is nearest to the decimal number.
///
/// The integers are below 2^53 and so are the powers of ten, so that one division is exact but for its
/// rounding.
struct BinaryDegrees: Sendable {
  private let unit: Double

  /// For coordinates with `digits` decimals, at most 13.
  init(digits: UInt8) {
    precondition(digits <= 13, "coordinates have at most 13 decimals")
    var unit = 1.0
    for _ in 0..<digits { unit *= 10 }
    self.unit = unit
  }

  @inline(__always)
  func callAsFunction(_ number: Int64) -> Double { Double(number) / unit }
}
