/// Decompresses DEFLATE (RFC 1951).
///
/// The input isn't trusted: impossible codes, matches before the beginning and truncated input are
/// refused, and memory is limited.
package struct Inflater {
  /// Why bytes can't be decompressed.
  package enum Failure: Error, Equatable {
    case malformed
    case cutShort
    case tooLong
  }

  private(set) var literals = DecodingTable()
  private(set) var distances = DecodingTable()
  private var runs = DecodingTable()

  package init() {}

  /// Decompresses a stream, whose first block is at `start`, to at most `limit` bytes. Bytes after its
  /// last block are ignored. About 2 ns a byte of the result.
  ///
  /// - Parameter wanted: Returns how many bytes are wanted, given those so far (none at first). Called
  ///   before each block; decompression may stop after so many.
  package mutating func inflate(
    _ packed: [UInt8], from start: Int = 0, limit: Int, into result: inout [UInt8],
    wanted: (Span<UInt8>) -> Int = { _ in .max }
  ) throws(Failure) {
    result.removeAll(keepingCapacity: true)
    var reader = BitReader(packed, from: start)
    while true {
      let wanted = wanted(result.span)
      if result.count >= wanted { return }
      let isLast = try reader.take(1) == 1
      switch try reader.take(2) {
      case 0: try copyStored(&reader, limit, &result)
      case 1:
        let fixed = DeflateCodes.fixed
        // The fixed code of distances has two symbols that never occur but have codes.
        let distanceLengths = fixed.distances.lengths + [5, 5]
        try literals.build(fixed.literals.lengths.span, Self.literalMeanings.span)
        try distances.build(distanceLengths.span, Self.distanceMeanings.span)
        try inflateBlock(&reader, limit, wanted, &result)
      case 2:
        try readCodes(&reader)
        try inflateBlock(&reader, limit, wanted, &result)
      default: throw .malformed
      }
      if isLast { return }
    }
  }

  private func copyStored(
    _ reader: inout BitReader, _ limit: Int, _ result: inout [UInt8]
  ) throws(Failure) {
    reader.skipToByte()
    let count = Int(try reader.take(16))
    guard Int(try reader.take(16)) == count ^ 0xFFFF else { throw .malformed }
    guard result.count + count <= limit else { throw .tooLong }
    try reader.takeBytes(count, appendingTo: &result)
  }

  /// Reads the two codes of a block (RFC 1951, 3.2.7).
  private mutating func readCodes(_ reader: inout BitReader) throws(Failure) {
    let literalCount = Int(try reader.take(5)) + 257
    let distanceCount = Int(try reader.take(5)) + 1
    let runLengthCount = Int(try reader.take(4)) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .malformed }
    var lengths = [UInt8](repeating: 0, count: 320)
    for symbol in DeflateCodes.order.prefix(runLengthCount) {
      lengths[symbol] = UInt8(truncatingIfNeeded: try reader.take(3))
    }
    try runs.build(lengths.span.extracting(0..<19), Self.runMeanings.span)
    try readLengths(&reader, literalCount + distanceCount, into: &lengths)
    guard lengths[256] > 0 else { throw .malformed }
    let all = lengths.span
    try literals.build(all.extracting(0..<literalCount), Self.literalMeanings.span)
    try distances.build(
      all.extracting(literalCount..<(literalCount + distanceCount)), Self.distanceMeanings.span)
  }

  private func readLengths(
    _ reader: inout BitReader, _ count: Int, into lengths: inout [UInt8]
  ) throws(Failure) {
    var lengths = lengths.mutableSpan
    var next = 0
    while next < count {
      reader.fill()
      let symbol = try runs.take(from: &reader).value
      if symbol < 16 {
        lengths[next] = UInt8(truncatingIfNeeded: symbol)
        next += 1
        continue
      }
      var length: UInt8 = 0
      var times = 0
      switch symbol {
      case 16:
        guard next > 0 else { throw .malformed }
        length = lengths[next - 1]
        times = 3 + Int(try reader.takeAtHand(2))
      case 17: times = 3 + Int(try reader.takeAtHand(3))
      default: times = 11 + Int(try reader.takeAtHand(7))
      }
      guard next + times <= count else { throw .malformed }
      for index in next..<(next + times) { lengths[index] = length }
      next += times
    }
  }

  // The meanings of the symbols (RFC 1951, 3.2.5).
  private static let runMeanings = (0..<19).map { DecodedSymbol(literal: $0) }
  private static let literalMeanings: [DecodedSymbol] =
    (0..<256).map { DecodedSymbol(literal: $0) } + [.endOfBlock]
    + meanings(from: 3, bits: (0..<28).map { $0 < 8 ? 0 : UInt8($0 / 4 - 1) })
    + [DecodedSymbol(base: 258, bits: 0), .never, .never]
  private static let distanceMeanings: [DecodedSymbol] =
    meanings(from: 1, bits: (0..<30).map { $0 < 4 ? 0 : UInt8($0 / 2 - 1) }) + [.never, .never]

  private static func meanings(from first: UInt16, bits: [UInt8]) -> [DecodedSymbol] {
    var next = first
    return bits.map { bits in
      defer { next &+= 1 << UInt16(bits) }
      return DecodedSymbol(base: next, bits: bits)
    }
  }
}

extension Inflater {
  /// The least room that is made for output, in bytes.
  private static let minimumCapacity = 64 * 1024
  private static let longestMatch = 258
  /// Bytes that may be written beyond the end of a match, because matches are copied in words.
  private static let wordsBeyond = 16

  /// Decompresses a block whose codes are known; may stop when there are `wanted` bytes.
  func inflateBlock(
    _ reader: inout BitReader, _ limit: Int, _ wanted: Int, _ result: inout [UInt8]
  ) throws(Failure) {
    // Swapped out, so that bytes are written to a local array that already has room.
    var bytes: [UInt8] = []
    swap(&bytes, &result)
    var count = bytes.count
    defer {
      bytes.removeLast(bytes.count - count)
      swap(&bytes, &result)
    }
    var isEnded = false
    while !isEnded {
      let length = min(max(bytes.count, Self.minimumCapacity), max(limit, 0)) + Self.longestMatch
      bytes.append(zeros: length)
      var span = bytes.mutableSpan
      // Safe: every bit pattern is a valid byte.
      var output = unsafe span.mutableBytes
      isEnded = try inflateMost(&reader, limit, wanted, &output, &count)
      if !isEnded { isEnded = try inflateRest(&reader, limit, wanted, &output, &count) }
    }
  }

  /// Decompresses while there is plenty of input and room. It checks for their ends only once for
  /// each match, or for three literals.
  /// Returns whether the block has ended, or enough bytes were decompressed.
  @inline(__always)
  private func inflateMost(
    _ position: inout BitReader, _ limit: Int, _ wanted: Int, _ output: inout MutableRawSpan,
    _ written: inout Int
  ) throws(Failure) -> Bool {
    let stop = min(
      wanted, min(limit, output.byteCount) - Self.longestMatch - Self.wordsBeyond)
    let (literals, distances) = (literals.entries.span, distances.entries.span)
    let (literalMask, distanceMask) = (self.literals.mask, self.distances.mask)
    // Local copies can be kept in registers.
    var (reader, count) = (position, written)
    defer { (position, written) = (reader, count) }
    while count < stop, reader.hasWords {
      reader.fillAtOnce()
      var symbol = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
      if symbol.isLiteral {
        Self.put(symbol, &reader, &output, &count)
        symbol = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
        if symbol.isLiteral {
          Self.put(symbol, &reader, &output, &count)
          symbol = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
          if symbol.isLiteral {
            Self.put(symbol, &reader, &output, &count)
            continue
          }
        }
      }
      // At least 36 of the 56 bits are left; a code and its extra bits have at most 20.
      if symbol.length == 0 {
        symbol = try self.literals.find(reader.bits)
        if symbol.isLiteral {
          Self.put(symbol, &reader, &output, &count)
          continue
        }
      }
      if symbol.isSpecial {
        guard symbol.isEnd else { throw .malformed }
        reader.dropAtOnce(symbol.length)
        return true
      }
      let length = Self.number(symbol, &reader)
      reader.fillAtOnce()
      var far = distances[Int(truncatingIfNeeded: reader.bits) & distanceMask]
      if far.length == 0 { far = try self.distances.find(reader.bits) }
      if far.isSpecial { throw .malformed }
      let distance = Self.number(far, &reader)
      guard distance <= count else { throw .malformed }
      Self.copy(length, from: distance, &output, count)
      count += length
    }
    return count >= wanted
  }

  @inline(__always)
  private static func put(
    _ symbol: DecodedSymbol, _ reader: inout BitReader, _ output: inout MutableRawSpan,
    _ count: inout Int
  ) {
    output.storeBytes(
      of: UInt8(truncatingIfNeeded: symbol.value), toByteOffset: count, as: UInt8.self)
    reader.dropAtOnce(symbol.length)
    count += 1
  }

  /// Reads a length or a distance from buffered bits.
  @inline(__always)
  private static func number(_ symbol: DecodedSymbol, _ reader: inout BitReader) -> Int {
    reader.dropAtOnce(symbol.length)
    let rest = Int(truncatingIfNeeded: reader.bits) & (1 << symbol.bits - 1)
    reader.dropAtOnce(symbol.bits)
    return symbol.value + rest
  }

  /// Copies a match in words, which may write some bytes beyond its end.
  @inline(__always)
  private static func copy(
    _ length: Int, from distance: Int, _ output: inout MutableRawSpan, _ start: Int
  ) {
    let end = start + length
    var next = start
    if distance < 8 {
      while next < end {
        // Safe: every bit pattern is a valid byte or word, and unaligned loads are allowed.
        let byte = unsafe output.bytes.unsafeLoad(
          fromByteOffset: next - distance, as: UInt8.self)
        output.storeBytes(of: byte, toByteOffset: next, as: UInt8.self)
        next += 1
      }
      return
    }
    while next < end {
      let word = unsafe output.bytes.unsafeLoadUnaligned(
        fromByteOffset: next - distance, as: UInt64.self)
      output.storeBytes(of: word, toByteOffset: next, as: UInt64.self)
      next += 8
    }
  }

  /// Decompresses while there is room, and checks at each step that there are bits and room.
  private func inflateRest(
    _ reader: inout BitReader, _ limit: Int, _ wanted: Int, _ output: inout MutableRawSpan,
    _ count: inout Int
  ) throws(Failure) -> Bool {
    while count + Self.longestMatch <= output.byteCount {
      // Enough for a length and a distance with their extra bits.
      reader.fill()
      let symbol = try literals.take(from: &reader)
      if symbol.isLiteral {
        guard count < limit else { throw .tooLong }
        output.storeBytes(
          of: UInt8(truncatingIfNeeded: symbol.value), toByteOffset: count, as: UInt8.self)
        count += 1
        continue
      }
      if symbol.isEnd { return true }
      if symbol.isSpecial { throw .malformed }
      let length = symbol.value + Int(try reader.takeAtHand(symbol.bits))
      let far = try distances.take(from: &reader)
      if far.isSpecial { throw .malformed }
      let distance = far.value + Int(try reader.takeAtHand(far.bits))
      guard distance <= count else { throw .malformed }
      guard count + length <= limit else { throw .tooLong }
      for index in count..<(count + length) {
        let byte = unsafe output.bytes.unsafeLoad(
          fromByteOffset: index - distance, as: UInt8.self)
        output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      count += length
      if count >= wanted { return true }
    }
    return false
  }
}
