/// Collects bits into bytes, the lowest bit first.
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
  ///   - most: How many they are at most.
  ///   - body: Adds them to a word, and stores it in the bytes it is given.
  mutating func put(
    upTo most: Int, _ body: (inout BitWord, inout MutableRawSpan) -> Void
  ) {
    var word = BitWord(position: bytes.count, pending: pending, count: count)
    // The bits that are pending, and the word of which the last ones are a part.
    bytes.append(contentsOf: repeatElement(0, count: most / 8 + 2 + 8))
    var span = bytes.mutableSpan
    // Any bits make a byte.
    var room = unsafe span.mutableBytes
    body(&word, &room)
    (pending, count) = (word.pending, word.count)
    bytes.removeLast(bytes.count - word.position)
  }

  /// Fills the last byte up with zeros.
  mutating func finish() {
    if count > 0 { put(0, UInt8(8 - count)) }
  }
}

/// Bits on their way into bytes that are there already, the lowest bit first.
struct BitWord {
  /// Where the next byte comes.
  fileprivate var position: Int
  fileprivate var pending: UInt64
  fileprivate var count: UInt64

  /// Adds the low `length` bits of a value, 56 in all before they are stored.
  @inline(__always)
  mutating func add(_ value: UInt32, _ length: UInt8) {
    pending |= UInt64(value) &<< count
    count &+= UInt64(length)
  }

  /// Stores what was added, all but less than a byte.
  @inline(__always)
  mutating func store(in bytes: inout MutableRawSpan) {
    bytes.storeBytes(of: pending.littleEndian, toByteOffset: position, as: UInt64.self)
    position &+= Int(truncatingIfNeeded: count &>> 3)
    pending &>>= count & ~7
    count &= 7
  }
}
