/// A prefix code for the symbols of a block.
struct HuffmanCode {
  /// The length of each symbol's code in bits; 0 if it has none.
  private(set) var lengths: [UInt8]
  /// The code of each symbol, its first bit lowest, as DEFLATE needs it.
  private(set) var bits: [UInt16]

  /// The shortest code for some frequencies with no code longer than `limit` bits (nearly the
  /// shortest if the limit matters).
  init(frequencies: [UInt32], limit: Int) {
    self.init(lengths: Self.lengths(for: frequencies, limit: limit))
  }

  /// The canonical code of the given lengths (RFC 1951, 3.2.2).
  init(lengths: [UInt8]) {
    self.lengths = lengths
    bits = [UInt16](repeating: 0, count: lengths.count)
    var counts = [Int](repeating: 0, count: 17)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 17)
    for length in 2...16 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    for (symbol, length) in lengths.enumerated() where length > 0 {
      bits[symbol] = Self.reversed(next[Int(length)], length)
      next[Int(length)] += 1
    }
  }

  private static func reversed(_ code: Int, _ length: UInt8) -> UInt16 {
    var (rest, result) = (code, 0)
    for _ in 0..<length {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return UInt16(truncatingIfNeeded: result)
  }

  /// The bits that symbols of the given frequencies take.
  func cost(of frequencies: [UInt32]) -> Int {
    var sum = 0
    for symbol in frequencies.indices where frequencies[symbol] > 0 {
      sum += Int(frequencies[symbol]) * Int(lengths[symbol])
    }
    return sum
  }

  /// Computes lengths by Huffman's method with two queues, then shortens them to the limit.
  private static func lengths(for frequencies: [UInt32], limit: Int) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    // Frequencies with their symbols, in one number each, as those are sorted faster.
    var used: [UInt64] = []
    used.reserveCapacity(frequencies.count)
    for symbol in frequencies.indices where frequencies[symbol] > 0 {
      used.append(UInt64(frequencies[symbol]) << 16 | UInt64(symbol))
    }
    // Decoders need a complete code, or a single symbol of one bit.
    if used.count < 2 {
      for key in used { lengths[Int(key & 0xFFFF)] = 1 }
      return lengths
    }
    used.sort()
    let leaves = used.count
    var weights: [UInt64] = []
    weights.reserveCapacity(2 * leaves - 1)
    for key in used { weights.append(key >> 16) }
    var parents = [Int](repeating: 0, count: 2 * leaves - 1)
    var (leaf, inner) = (0, leaves)
    func takeLightest() -> Int {
      if inner >= weights.count || (leaf < leaves && weights[leaf] <= weights[inner]) {
        leaf += 1
        return leaf - 1
      }
      inner += 1
      return inner - 1
    }
    for node in leaves..<(2 * leaves - 1) {
      let (a, b) = (takeLightest(), takeLightest())
      parents[a] = node
      parents[b] = node
      weights.append(weights[a] + weights[b])
    }
    var depths = [Int](repeating: 0, count: 2 * leaves - 1)
    var counts = [Int](repeating: 0, count: limit + 1)
    for node in stride(from: 2 * leaves - 3, through: 0, by: -1) {
      depths[node] = depths[parents[node]] + 1
      if node < leaves { counts[min(depths[node], limit)] += 1 }
    }
    fit(&counts, limit: limit)
    // The rarest symbols get the longest codes.
    var position = 0
    for length in stride(from: limit, to: 0, by: -1) {
      for _ in 0..<counts[length] {
        lengths[Int(used[position] & 0xFFFF)] = UInt8(length)
        position += 1
      }
    }
    return lengths
  }

  /// Repairs a code with too many short codes: a leaf of the deepest level moves up to become the
  /// sibling of a leaf that is pushed down from the level above.
  private static func fit(_ counts: inout [Int], limit: Int) {
    var sum = 0
    for length in 1...limit { sum += counts[length] << (limit - length) }
    while sum > 1 << limit {
      counts[limit] -= 1
      for length in stride(from: limit - 1, to: 0, by: -1) where counts[length] > 0 {
        counts[length] -= 1
        counts[length + 1] += 2
        break
      }
      sum -= 1
    }
  }
}

/// The meaning of a DEFLATE symbol and the length of its code, packed into 32 bits.
struct DecodedSymbol: BitwiseCopyable {
  /// From the lowest bit: the length of the code (8), the number of extra bits (4), marks (4), and
  /// a byte or the number to which the extra bits are added (16).
  private let word: UInt32

  private static let literal: UInt32 = 1 << 15
  private static let end: UInt32 = 1 << 14
  private static let invalid: UInt32 = 1 << 13

  private init(word: UInt32) { self.word = word }

  /// A byte, or a symbol that is its own value.
  init(literal value: UInt16) { word = UInt32(value) << 16 | Self.literal }

  /// A number to which extra bits are added.
  init(base: UInt16, bits: UInt8) { word = UInt32(base) << 16 | UInt32(bits) << 8 }

  static let endOfBlock = DecodedSymbol(word: end)
  /// A symbol that never occurs.
  static let never = DecodedSymbol(word: invalid)
  static let none = DecodedSymbol(word: 0)

  @inline(__always)
  func coded(_ length: Int) -> DecodedSymbol {
    DecodedSymbol(word: word | UInt32(truncatingIfNeeded: length))
  }

  /// The length of its code; 0 without a symbol.
  @inline(__always) var length: Int { Int(word & 0xFF) }
  @inline(__always) var bits: Int { Int(word >> 8 & 0xF) }
  @inline(__always) var isLiteral: Bool { word & Self.literal != 0 }
  @inline(__always) var isEnd: Bool { word & Self.end != 0 }
  /// Whether it isn't a number: the end of a block, or a symbol that never occurs.
  @inline(__always) var isSpecial: Bool { word & (Self.end | Self.invalid) != 0 }
  /// The byte, or the number.
  @inline(__always) var value: Int { Int(word >> 16) }
}
