/// A prefix code as a table: what the next bits stand for.
struct DecodingTable {
  /// Bits that are looked up at once; longer codes go on by comparison.
  private static let width = 10

  /// By the next bits: a symbol and its length, 0 if its code is longer.
  private var entries = [UInt16](repeating: 0, count: 1 << width)
  /// Codes longer than the width: by length, the first code, how many there are, and where their
  /// symbols are.
  private var firsts = [Int](repeating: 0, count: 17)
  private var counts = [Int](repeating: 0, count: 17)
  private var starts = [Int](repeating: 0, count: 17)
  private var symbols: [UInt16] = []

  /// Builds the code of some lengths.
  ///
  /// Refuses lengths to which there is no code, and those that leave bits without a meaning, but for a
  /// code of one symbol or none.
  mutating func build(_ lengths: [UInt8]) throws(Inflater.Failure) {
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
    symbols = [UInt16](repeating: 0, count: used)
    for index in entries.indices { entries[index] = 0 }
    var next = firsts
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      let code = next[length]
      next[length] += 1
      symbols[starts[length] + code - firsts[length]] = UInt16(symbol)
      if length > Self.width { continue }
      var index = Self.reversed(code, length)
      while index < entries.count {
        entries[index] = UInt16(symbol) << 4 | UInt16(length)
        index += 1 << length
      }
    }
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var (rest, result) = (code, 0)
    for _ in 0..<length {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }

  /// The next symbol.
  @inline(__always)
  func take(from reader: inout BitReader) throws(Inflater.Failure) -> Int {
    reader.fill()
    let entry = entries[Int(truncatingIfNeeded: reader.bits) & (1 << Self.width - 1)]
    if entry != 0 {
      try reader.drop(UInt8(truncatingIfNeeded: entry & 15))
      return Int(entry >> 4)
    }
    return try takeLong(from: &reader)
  }

  /// The next symbol, bit by bit: its code is longer than the table is wide.
  private func takeLong(from reader: inout BitReader) throws(Inflater.Failure) -> Int {
    var code = 0
    for length in 1...15 {
      code = code << 1 | Int(reader.bits >> UInt64(length - 1) & 1)
      let place = code - firsts[length]
      if place >= 0, place < counts[length] {
        try reader.drop(UInt8(length))
        return Int(symbols[starts[length] + place])
      }
    }
    throw .malformed
  }
}
