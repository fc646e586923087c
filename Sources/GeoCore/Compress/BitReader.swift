/// Reads bits from bytes, the lowest bit first.
struct BitReader {
  private let bytes: [UInt8]
  private var next: Int
  private var pending: UInt64 = 0
  private var count = 0

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    next = start
  }

  /// Buffers at least 48 bits, or all that are left.
  @inline(__always)
  mutating func fill() {
    if count >= 48 { return }
    if next + 8 <= bytes.count { return fillAtOnce() }
    while count <= 56, next < bytes.count {
      pending |= UInt64(bytes[next]) &<< UInt64(count)
      next += 1
      count += 8
    }
  }

  /// Whether at least two words are left, so that ``fillAtOnce()`` may be called twice.
  @inline(__always)
  var hasWords: Bool { next + 16 <= bytes.count }

  /// Buffers at least 56 bits; needs a whole word of input.
  @inline(__always)
  mutating func fillAtOnce() {
    // Bits above `count` belong to the next bytes; loading these again gives the same bits.
    pending |= bytes.span.loadWord(at: next) &<< UInt64(count)
    next += (63 - count) >> 3
    count |= 56
  }

  /// Consumes buffered bits without a check.
  @inline(__always)
  mutating func dropAtOnce(_ length: Int) {
    pending &>>= UInt64(truncatingIfNeeded: length)
    count &-= length
  }

  /// The buffered bits; zeros after the last.
  @inline(__always)
  var bits: UInt64 { pending }

  @inline(__always)
  mutating func drop(_ length: Int) throws(Inflater.Failure) {
    guard length <= count else { throw .cutShort }
    dropAtOnce(length)
  }

  /// Reads up to 16 bits.
  @inline(__always)
  mutating func take(_ length: Int) throws(Inflater.Failure) -> UInt32 {
    fill()
    return try takeAtHand(length)
  }

  /// Reads up to 16 of the buffered bits.
  @inline(__always)
  mutating func takeAtHand(_ length: Int) throws(Inflater.Failure) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: pending) & (1 &<< UInt32(length) &- 1)
    try drop(length)
    return value
  }

  mutating func skipToByte() {
    let rest = count % 8
    pending &>>= UInt64(rest)
    count -= rest
  }

  /// Takes whole bytes after ``skipToByte()``.
  mutating func takeBytes(
    _ length: Int, appendingTo result: inout [UInt8]
  ) throws(Inflater.Failure) {
    let start = next - count / 8
    guard length <= bytes.count - start else { throw .cutShort }
    result += bytes[start..<(start + length)]
    (next, pending, count) = (start + length, 0, 0)
  }
}
