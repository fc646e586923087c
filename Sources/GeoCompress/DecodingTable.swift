/// A prefix code as a table: what the next bits stand for.
struct DecodingTable {
  /// Bits that are looked up at once at most; longer codes go on by comparison.
  private static let width = 10
  /// Bits that are looked up at once, as many as ones.
  private var mask = 0

  /// By the next bits: a symbol and its length, 0 if its code is longer.
  private var entries = [UInt16](repeating: 0, count: 1 << width)
  /// Codes longer than the width: by length, the first code, how many there are, and where their
  /// symbols are.
  private var firsts = [Int](repeating: 0, count: 17)
  private var counts = [Int](repeating: 0, count: 17)
  private var starts = [Int](repeating: 0, count: 17)
  private var symbols = [UInt16](repeating: 0, count: 320)

  /// Builds the code of some lengths, at most 320 of them.
  ///
  /// Refuses lengths to which there is no code, and those that leave bits without a meaning, but for a
  /// code of one symbol or none.
  mutating func build(_ lengths: ArraySlice<UInt8>) throws(Inflater.Failure) {
    guard lengths.count <= symbols.count else { throw .malformed }
    for length in 0...16 { counts[length] = 0 }
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var room = 1
    var used = 0
    for length in 1...15 {
      room = room << 1 - counts[length]
      if room < 0 { throw .malformed }
      used += counts[length]
    }
    if room > 0, used > 1 || (used == 1 && counts[1] == 0) { throw .malformed }

    var code = 0
    var start = 0
    for length in 1...15 {
      code = (code + counts[length - 1]) << 1
      firsts[length] = code
      starts[length] = start
      start += counts[length]
    }
    // Sorted by length; what is taken is counted in the starts, and put right again at the end.
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[starts[Int(length)]] = UInt16(symbol)
      starts[Int(length)] += 1
    }
    for length in 1...15 { starts[length] -= counts[length] }

    let longest = (1...15).last { counts[$0] > 0 } ?? 0
    let size = 1 << min(longest, Self.width)
    mask = size - 1
    // Taken out, so that a table is filled that nobody else has.
    var table: [UInt16] = []
    swap(&table, &self.entries)
    defer { swap(&table, &self.entries) }
    var entries = table.mutableSpan
    // Where all bits have a meaning, each entry that isn't a long code's comes from a short one.
    if room > 0 || used == 0 { for index in 0..<size { entries[index] = 0 } }
    for length in 1...15 {
      for place in 0..<counts[length] {
        let symbol = symbols[starts[length] + place]
        let code = Self.reversed(firsts[length] + place, length)
        if length > Self.width {
          entries[code & (size - 1)] = 0
          continue
        }
        let entry = symbol << 4 | UInt16(length)
        var index = code
        while index < size {
          entries[index] = entry
          index += 1 << length
        }
      }
    }
  }

  @inline(__always)
  private static func reversed(_ code: Int, _ length: Int) -> Int {
    Int(UInt16(truncatingIfNeeded: code).bitReversed) >> (16 - length)
  }

  /// The next symbol, of bits that are at hand.
  @inline(__always)
  func take(from reader: inout BitReader) throws(Inflater.Failure) -> Int {
    let entry = entries[Int(truncatingIfNeeded: reader.bits) & mask]
    if entry != 0 {
      try reader.drop(UInt8(truncatingIfNeeded: entry & 15))
      return Int(entry >> 4)
    }
    // Not by the reader itself, which would have to lie in memory for that.
    let (symbol, length) = try find(reader.bits)
    try reader.drop(length)
    return symbol
  }

  /// The symbol that bits begin with, and its length: its code is longer than the table is wide.
  @inline(never)
  private func find(_ bits: UInt64) throws(Inflater.Failure) -> (symbol: Int, length: UInt8) {
    let code = Int(UInt16(truncatingIfNeeded: bits).bitReversed)
    for length in (Self.width + 1)...15 {
      let place = code >> (16 - length) - firsts[length]
      if place >= 0, place < counts[length] {
        return (Int(symbols[starts[length] + place]), UInt8(length))
      }
    }
    throw .malformed
  }
}

extension UInt16 {
  /// The same bits, the lowest first.
  fileprivate var bitReversed: UInt16 {
    var bits = self
    bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
    bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
    bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
    return bits.byteSwapped
  }
}
