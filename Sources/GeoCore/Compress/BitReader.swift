/// Takes bits out of bytes, the lowest bit first.
struct BitReader {
  private let bytes: [UInt8]
  private var next: Int
  private var pending: UInt64 = 0
  private var count = 0

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    next = start
  }

  /// Has 48 bits at hand, or all that are left.
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

  /// Whether at least two words are left, so that bits can be had at once twice.
  @inline(__always)
  var hasWords: Bool { next + 16 <= bytes.count }

  /// Has 56 bits at hand, where there are words.
  @inline(__always)
  mutating func fillAtOnce() {
    // Bits beyond those that count are what comes next, and will be the same when they do.
    pending |= bytes.span.loadWord(at: next) &<< UInt64(count)
    next += (63 - count) >> 3
    count |= 56
  }

  /// Takes bits away that are at hand.
  @inline(__always)
  mutating func dropAtOnce(_ length: Int) {
    pending &>>= UInt64(truncatingIfNeeded: length)
    count &-= length
  }

  /// The bits at hand; zeros after the last.
  @inline(__always)
  var bits: UInt64 { pending }

  /// Takes some of the bits at hand away.
  @inline(__always)
  mutating func drop(_ length: Int) throws(Inflater.Failure) {
    guard length <= count else { throw .cutShort }
    dropAtOnce(length)
  }

  /// Takes up to 16 bits.
  @inline(__always)
  mutating func take(_ length: Int) throws(Inflater.Failure) -> UInt32 {
    fill()
    return try takeAtHand(length)
  }

  /// Takes up to 16 of the bits at hand.
  @inline(__always)
  mutating func takeAtHand(_ length: Int) throws(Inflater.Failure) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: pending) & (1 &<< UInt32(length) &- 1)
    try drop(length)
    return value
  }

  /// Leaves out what is left of a byte.
  mutating func skipToByte() {
    let rest = count % 8
    pending &>>= UInt64(rest)
    count -= rest
  }
}
