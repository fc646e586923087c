/// A prefix code as a table that maps the next bits to a symbol.
struct DecodingTable {
  /// The largest number of bits that are looked up at once; longer codes are found by comparison.
  private static let width = 10
  /// A mask of the bits that are looked up at once.
  private(set) var mask = 0

  /// By the next bits: a symbol, or `none` if its code is longer.
  private(set) var entries = [DecodedSymbol](repeating: .none, count: 1 << width)
  /// By length: the first code, the number of codes, and the index of their first symbol.
  private var firsts = [Int](repeating: 0, count: 17)
  private var counts = [Int](repeating: 0, count: 17)
  private var starts = [Int](repeating: 0, count: 17)
  private var symbols = [DecodedSymbol](repeating: .none, count: 320)

  /// Builds the code of at most 320 lengths.
  /// Refuses lengths without a code, and incomplete codes with more than one symbol.
  mutating func build(
    _ lengths: Span<UInt8>, _ meanings: Span<DecodedSymbol>
  ) throws(Inflater.Failure) {
    guard lengths.count <= symbols.count, lengths.count <= meanings.count else { throw .malformed }
    let (used, isWhole) = try Self.count(lengths, &counts)
    Self.sort(lengths, meanings, by: counts, &firsts, &starts, &symbols)
    let longest = (1...15).last { counts[$0] > 0 } ?? 0
    mask = 1 << min(longest, Self.width) - 1
    // If the code is complete, every entry is written below.
    if !isWhole { for index in 0...mask { entries[index] = .none } }
    if used > 0 { Self.fill(&entries, mask, upTo: longest, counts, symbols) }
  }

  /// Counts codes by length, and checks that such a code exists.
  private static func count(
    _ lengths: Span<UInt8>, _ counts: inout [Int]
  ) throws(Inflater.Failure) -> (used: Int, isWhole: Bool) {
    var counts = counts.mutableSpan
    for length in 0...16 { counts[length] = 0 }
    for index in 0..<lengths.count { counts[Int(lengths[index])] += 1 }
    counts[0] = 0
    var unused = 1
    var used = 0
    for length in 1...15 {
      unused = unused << 1 - counts[length]
      if unused < 0 { throw .malformed }
      used += counts[length]
    }
    if unused > 0, used > 1 || (used == 1 && counts[1] == 0) { throw .malformed }
    return (used, unused == 0)
  }

  private static func sort(
    _ lengths: Span<UInt8>, _ meanings: Span<DecodedSymbol>, by counts: [Int],
    _ firsts: inout [Int], _ starts: inout [Int], _ symbols: inout [DecodedSymbol]
  ) {
    var starts = starts.mutableSpan
    var symbols = symbols.mutableSpan
    var code = 0
    var start = 0
    for length in 1...15 {
      code = (code + counts[length - 1]) << 1
      firsts[length] = code
      starts[length] = start
      start += counts[length]
    }
    // The loop advances the starts; the loop after it restores them.
    for symbol in 0..<lengths.count {
      let length = Int(lengths[symbol])
      if length == 0 { continue }
      symbols[starts[length]] = meanings[symbol].coded(length)
      starts[length] += 1
    }
    for length in 1...15 { starts[length] -= counts[length] }
  }

  /// Fills the table with codes of increasing length: for each additional bit the table is doubled,
  /// and the codes of that length are added.
  private static func fill(
    _ entries: inout [DecodedSymbol], _ mask: Int, upTo longest: Int, _ counts: [Int],
    _ symbols: [DecodedSymbol]
  ) {
    var entries = entries.mutableSpan
    let symbols = symbols.span
    var next = 0
    // The first bit of a code is the lowest, so codes are counted up from the highest bit.
    var code = 0
    for length in 1...longest {
      if length <= width {
        let half = 1 << (length - 1)
        for index in 0..<half { entries[half + index] = entries[index] }
      }
      for _ in 0..<counts[length] {
        entries[code & mask] = length <= width ? symbols[next] : .none
        next += 1
        let zeros = ~code & (1 << length - 1)
        // This was the last code.
        if zeros == 0 { return }
        let bit = 1 << (Int.bitWidth - 1 - zeros.leadingZeroBitCount)
        code = code & (bit - 1) | bit
      }
    }
  }

  @inline(__always)
  func take(from reader: inout BitReader) throws(Inflater.Failure) -> DecodedSymbol {
    var symbol = entries[Int(truncatingIfNeeded: reader.bits) & mask]
    // Passing the reader itself would force it into memory.
    if symbol.length == 0 { symbol = try find(reader.bits) }
    try reader.drop(symbol.length)
    return symbol
  }

  /// The symbol at the beginning of bits, with a code too long for the table.
  @inline(never)
  func find(_ bits: UInt64) throws(Inflater.Failure) -> DecodedSymbol {
    let code = Int(UInt16(truncatingIfNeeded: bits).bitReversed)
    for length in (Self.width + 1)...15 {
      let place = code >> (16 - length) - firsts[length]
      if place >= 0, place < counts[length] { return symbols[starts[length] + place] }
    }
    throw .malformed
  }
}

extension UInt16 {
  fileprivate var bitReversed: UInt16 {
    var bits = self
    bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
    bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
    bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
    return bits.byteSwapped
  }
}
