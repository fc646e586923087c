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

  /// Adds at most `maximum` bits, a word at a time: `body` adds them to the word and stores it in the
  /// bytes.
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
