/// A prefix code for the symbols of a block: how long each one's bits are, and which.
struct HuffmanCode {
  /// Bits of each symbol's code; 0 if it has none.
  private(set) var lengths: [UInt8]
  /// The bits of each symbol, the first one lowest, as DEFLATE wants them.
  private(set) var bits: [UInt16]

  /// The shortest code for symbols of the given frequencies in which none is longer than `limit`
  /// bits (nearly the shortest, if the limit matters).
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

  /// Bits that symbols of the given frequencies take.
  func cost(of frequencies: [UInt32]) -> Int {
    var sum = 0
    for (symbol, frequency) in frequencies.enumerated() {
      sum += Int(frequency) * Int(lengths[symbol])
    }
    return sum
  }

  /// Lengths by Huffman's method with two queues, cut down to the limit.
  private static func lengths(for frequencies: [UInt32], limit: Int) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    var used = frequencies.indices.filter { frequencies[$0] > 0 }
    // A decoder wants a complete code, or one of a single symbol of one bit.
    if used.count < 2 {
      for symbol in used { lengths[symbol] = 1 }
      return lengths
    }
    used.sort { (frequencies[$0], $0) < (frequencies[$1], $1) }
    let leaves = used.count
    var weights = used.map { UInt64(frequencies[$0]) }
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
        lengths[used[position]] = UInt8(length)
        position += 1
      }
    }
    return lengths
  }

  /// Makes the code one that exists: while it is too full, a leaf of the deepest level moves up
  /// beside one that is pushed down from a level above.
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
