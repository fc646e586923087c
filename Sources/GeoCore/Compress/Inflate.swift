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

  private(set) var literals = DecodingTable()
  private(set) var distances = DecodingTable()
  private var runs = DecodingTable()

  /// An unpacker, whose memory is used again and again.
  package init() {}

  /// Unpacks a stream.
  ///
  /// - Parameters:
  ///   - packed: Bytes that hold the stream; what follows its last block is left alone.
  ///   - start: Where its first block begins.
  ///   - limit: How many bytes may come out.
  ///   - wanted: How many are wanted, as far as that is known from those that are there, of which there are
  ///     none in the beginning: if there are more, it may stop after that many. All by default.
  ///   - result: Replaced by them.
  /// - Complexity: O(bytes that come out), some 2 ns each.
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
        // The fixed code of distances has two symbols that never occur; their bits count.
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
    for _ in 0..<count { result.append(UInt8(truncatingIfNeeded: try reader.take(8))) }
  }

  /// Reads the two codes of a block (RFC 1951, 3.2.7).
  private mutating func readCodes(_ reader: inout BitReader) throws(Failure) {
    let literalCount = Int(try reader.take(5)) + 257
    let distanceCount = Int(try reader.take(5)) + 1
    let toldCount = Int(try reader.take(4)) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .malformed }
    var lengths = [UInt8](repeating: 0, count: 320)
    for symbol in DeflateCodes.order.prefix(toldCount) {
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

  // What the symbols mean (RFC 1951, 3.2.5).
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
