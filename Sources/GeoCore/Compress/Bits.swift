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

  /// Consumes buffered bits.
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

  /// Skips the rest of the current byte.
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

/// Writes bits into bytes, the lowest bit first.
struct BitWriter {
  var bytes: [UInt8]
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Adds the low `length` bits of a value, at most 32.
  @inline(__always)
  mutating func put(_ value: UInt32, _ length: UInt8) {
    pending |= UInt64(value) &<< count
    count &+= UInt64(length)
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending &>>= 8
      count &-= 8
    }
  }

  /// Adds many bits, a word at a time.
  ///
  /// - Parameters:
  ///   - maximum: The largest number of bits that `body` adds.
  ///   - body: Adds bits to a word and stores it in the given bytes.
  mutating func put(
    upTo maximum: Int, _ body: (inout BitWord, inout MutableRawSpan) -> Void
  ) {
    var word = BitWord(position: bytes.count, pending: pending, count: count)
    // Space for the pending bits, and for the whole word that holds the last ones.
    bytes.append(zeros: maximum / 8 + 2 + 8)
    var span = bytes.mutableSpan
    // Safe: every bit pattern is a valid byte.
    var output = unsafe span.mutableBytes
    body(&word, &output)
    (pending, count) = (word.pending, word.count)
    bytes.removeLast(bytes.count - word.position)
  }

  /// Pads the last byte with zeros.
  mutating func finish() {
    if count > 0 { put(0, UInt8(8 - count)) }
  }
}

/// Bits to be stored in existing bytes, the lowest bit first.
struct BitWord {
  /// The offset of the next byte to store.
  fileprivate var position: Int
  fileprivate var pending: UInt64
  fileprivate var count: UInt64

  /// Adds the low `length` bits of a value; at most 56 bits fit before they are stored.
  @inline(__always)
  mutating func add(_ value: UInt32, _ length: UInt8) {
    pending |= UInt64(value) &<< count
    count &+= UInt64(length)
  }

  /// Stores all bits except the last incomplete byte.
  @inline(__always)
  mutating func store(in bytes: inout MutableRawSpan) {
    bytes.storeBytes(of: pending.littleEndian, toByteOffset: position, as: UInt64.self)
    position &+= Int(truncatingIfNeeded: count &>> 3)
    pending &>>= count & ~7
    count &= 7
  }
}
