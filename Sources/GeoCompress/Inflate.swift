import GeoPath

/// Unpacks what was packed by the DEFLATE method (RFC 1951).
///
/// It trusts nothing: codes that can't be, repetitions of what was never there and input that ends too
/// early are refused, and no more memory is taken than was allowed.
package struct Inflater {
  /// Why bytes can't be unpacked.
  package enum Failure: Error, Equatable {
    /// They break the rules of the method.
    case malformed
    /// They end before their end.
    case cutShort
    /// More comes out than was allowed.
    case tooLong
  }

  private var literals = DecodingTable()
  private var distances = DecodingTable()
  private var runs = DecodingTable()

  /// An unpacker, whose memory is used again and again.
  package init() {}

  /// Unpacks a stream.
  ///
  /// - Parameters:
  ///   - packed: Bytes that hold the stream; what follows its last block is left alone.
  ///   - start: Where its first block begins.
  ///   - limit: How many bytes may come out.
  ///   - wanted: How many are wanted: if there are more, it may stop after that many. All by default.
  ///   - result: Replaced by them.
  /// - Complexity: O(bytes that come out), some 3 ns each.
  package mutating func inflate(
    _ packed: [UInt8], from start: Int = 0, limit: Int, wanted: Int = .max,
    into result: inout [UInt8]
  ) throws(Failure) {
    result.removeAll(keepingCapacity: true)
    var reader = BitReader(packed, from: start)
    while true {
      let isLast = try reader.take(1) == 1
      switch try reader.take(2) {
      case 0: try copyStored(&reader, limit, &result)
      case 1:
        let fixed = DeflateCodes.fixed
        // The fixed code of distances has two symbols that never occur; their bits count.
        try literals.build(fixed.literals.lengths[...])
        try distances.build(fixed.distances.lengths[...] + [5, 5])
        try inflateBlock(&reader, limit, wanted, &result)
      case 2:
        try readCodes(&reader)
        try inflateBlock(&reader, limit, wanted, &result)
      default: throw .malformed
      }
      if isLast || result.count >= wanted { return }
    }
  }

  private func copyStored(
    _ reader: inout BitReader, _ limit: Int, _ result: inout [UInt8]
  ) throws(Failure) {
    reader.skipToByte()
    let count = Int(try reader.take(16))
    guard Int(try reader.take(16)) == count ^ 0xFFFF else { throw .malformed }
    guard result.count + count <= limit else { throw .tooLong }
    for _ in 0..<count { result.append(UInt8(truncatingIfNeeded: try reader.take(8))) }
  }

  /// Reads the two codes of a block (RFC 1951, 3.2.7).
  private mutating func readCodes(_ reader: inout BitReader) throws(Failure) {
    let literalCount = Int(try reader.take(5)) + 257
    let distanceCount = Int(try reader.take(5)) + 1
    let toldCount = Int(try reader.take(4)) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .malformed }
    var runLengths = [UInt8](repeating: 0, count: 19)
    for symbol in DeflateCodes.order.prefix(toldCount) {
      runLengths[symbol] = UInt8(truncatingIfNeeded: try reader.take(3))
    }
    try runs.build(runLengths[...])
    var lengths: [UInt8] = []
    lengths.reserveCapacity(literalCount + distanceCount)
    while lengths.count < literalCount + distanceCount {
      reader.fill()
      let symbol = try runs.take(from: &reader)
      switch symbol {
      case 0..<16: lengths.append(UInt8(symbol))
      case 16:
        guard let last = lengths.last else { throw .malformed }
        lengths.append(contentsOf: repeatElement(last, count: 3 + Int(try reader.take(2))))
      case 17: lengths.append(contentsOf: repeatElement(0, count: 3 + Int(try reader.take(3))))
      default: lengths.append(contentsOf: repeatElement(0, count: 11 + Int(try reader.take(7))))
      }
    }
    guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else { throw .malformed }
    try literals.build(lengths[..<literalCount])
    try distances.build(lengths[literalCount...])
  }

  private func inflateBlock(
    _ reader: inout BitReader, _ limit: Int, _ wanted: Int, _ result: inout [UInt8]
  ) throws(Failure) {
    // Taken out so that bytes are written to a local array, which has room before they come.
    var bytes: [UInt8] = []
    swap(&bytes, &result)
    var count = bytes.count
    defer {
      bytes.removeLast(bytes.count - count)
      swap(&bytes, &result)
    }
    var isEnded = false
    while !isEnded {
      let room = min(max(bytes.count, Self.leastRoom), max(limit, 0)) + Self.longestMatch
      bytes.append(contentsOf: repeatElement(0, count: room))
      var output = bytes.mutableSpan
      isEnded = try inflateRun(&reader, limit, wanted, &output, &count)
    }
  }

  /// How many bytes there is room for at least.
  private static let leastRoom = 16 * 1024
  /// How many bytes a repetition has at most.
  private static let longestMatch = 258

  /// Unpacks as far as there is room.
  ///
  /// - Returns: Whether the block has ended, or as much is there as is wanted.
  @inline(__always)
  private func inflateRun(
    _ position: inout BitReader, _ limit: Int, _ wanted: Int, _ output: inout MutableSpan<UInt8>,
    _ count: inout Int
  ) throws(Failure) -> Bool {
    let lengthBases = Self.lengthBases.span
    let lengthBits = Self.lengthBits.span
    let distanceBases = Self.distanceBases.span
    let distanceBits = Self.distanceBits.span
    // A copy of its own can be kept in registers.
    var reader = position
    defer { position = reader }
    while count + Self.longestMatch <= output.count {
      // Enough for a length and a distance with the bits behind them.
      reader.fill()
      let symbol = try literals.take(from: &reader)
      if symbol < 256 {
        guard count < limit else { throw .tooLong }
        output[count] = UInt8(truncatingIfNeeded: symbol)
        count += 1
        continue
      }
      if symbol == 256 { return true }
      let length = try Self.number(symbol - 257, lengthBases, lengthBits, &reader)
      let far = try distances.take(from: &reader)
      let distance = try Self.number(far, distanceBases, distanceBits, &reader)
      guard distance <= count else { throw .malformed }
      guard count + length <= limit else { throw .tooLong }
      for index in count..<(count + length) { output[index] = output[index - distance] }
      count += length
      if count >= wanted { return true }
    }
    return false
  }

  /// A length or a distance: where its symbol begins, and bits behind it, which are at hand.
  @inline(__always)
  private static func number(
    _ symbol: Int, _ bases: Span<UInt16>, _ bits: Span<UInt8>, _ reader: inout BitReader
  ) throws(Failure) -> Int {
    guard symbol < bases.count else { throw .malformed }
    return Int(bases[symbol]) + Int(try reader.takeAtHand(bits[symbol]))
  }

  // What the symbols mean (RFC 1951, 3.2.5).
  private static let lengthBits: [UInt8] = (0..<29).map { (symbol: Int) -> UInt8 in
    symbol < 8 || symbol == 28 ? 0 : UInt8(symbol / 4 - 1)
  }
  private static let lengthBases: [UInt16] = bases(from: 3, lengthBits.dropLast()) + [258]
  private static let distanceBits: [UInt8] = (0..<30).map { (symbol: Int) -> UInt8 in
    symbol < 4 ? 0 : UInt8(symbol / 2 - 1)
  }
  private static let distanceBases: [UInt16] = bases(from: 1, distanceBits[...])

  private static func bases(from first: UInt16, _ bits: ArraySlice<UInt8>) -> [UInt16] {
    var next = first
    return bits.map { (bits: UInt8) -> UInt16 in
      defer { next &+= 1 << UInt16(bits) }
      return next
    }
  }
}

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
    if next + 8 <= bytes.count {
      // Bits beyond those that count are what comes next, and will be the same when they do.
      pending |= bytes.span.loadWord(at: next) &<< UInt64(count)
      next += (63 - count) >> 3
      count |= 56
      return
    }
    while count <= 56, next < bytes.count {
      pending |= UInt64(bytes[next]) &<< UInt64(count)
      next += 1
      count += 8
    }
  }

  /// The bits at hand; zeros after the last.
  @inline(__always)
  var bits: UInt64 { pending }

  /// Takes some of the bits at hand away.
  @inline(__always)
  mutating func drop(_ length: UInt8) throws(Inflater.Failure) {
    guard Int(length) <= count else { throw .cutShort }
    pending &>>= UInt64(length)
    count -= Int(length)
  }

  /// Takes up to 16 bits.
  @inline(__always)
  mutating func take(_ length: UInt8) throws(Inflater.Failure) -> UInt32 {
    fill()
    return try takeAtHand(length)
  }

  /// Takes up to 16 of the bits at hand.
  @inline(__always)
  mutating func takeAtHand(_ length: UInt8) throws(Inflater.Failure) -> UInt32 {
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
