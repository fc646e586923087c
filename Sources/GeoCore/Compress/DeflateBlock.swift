/// Some tokens that share a code.
struct DeflateBlock {
  /// How many tokens there can be.
  private static let most = 1 << 14
  /// Literal bytes, and repetitions as a mark, the length and the distance (1, 15 and 16 bits).
  private var tokens = [UInt32](repeating: 0, count: most)
  /// How many there are.
  private(set) var count = 0

  /// Bits after the symbols of a length and a distance, at most.
  private static let mostExtraBits = 5 + 13

  /// The symbol that ends a block.
  private static let end = 256
  private static let isMatch: UInt32 = 1 << 31

  mutating func removeAll() { count = 0 }

  /// Has tokens added.
  ///
  /// - Parameter body: Adds some to those that are there already, and counts them, as long as there is room.
  mutating func fill<Result>(
    _ body: (inout MutableSpan<UInt32>, _ count: inout Int) -> Result
  ) -> Result {
    // Taken out: in place, each token would look for other owners.
    var tokens: [UInt32] = []
    swap(&tokens, &self.tokens)
    defer { swap(&tokens, &self.tokens) }
    var span = tokens.mutableSpan
    return body(&span, &count)
  }

  /// A byte by itself.
  @inline(__always)
  static func token(literal: UInt8) -> UInt32 { UInt32(literal) }

  /// A repetition of 3 to 258 bytes from 1 to 32,768 bytes back.
  @inline(__always)
  static func token(length: Int, distance: Int) -> UInt32 {
    isMatch | UInt32(length - 3) << 16 | UInt32(distance - 1)
  }

  private static func length(_ token: UInt32) -> Int { Int(token >> 16 & 0x7FFF) + 3 }

  private static func distance(_ token: UInt32) -> Int { Int(token & 0xFFFF) + 1 }

  /// How often each symbol occurs.
  private func frequencies() -> (literals: [UInt32], distances: [UInt32]) {
    var literals = [UInt32](repeating: 0, count: 286)
    var distances = [UInt32](repeating: 0, count: 30)
    literals[Self.end] = 1
    var literalSpan = literals.mutableSpan
    var distanceSpan = distances.mutableSpan
    let tokens = tokens.span
    for index in 0..<count {
      let token = tokens[index]
      if token & Self.isMatch == 0 {
        literalSpan[Int(token)] += 1
      } else {
        literalSpan[DeflateSymbol(length: Self.length(token)).symbol] += 1
        distanceSpan[DeflateSymbol(distance: Self.distance(token)).symbol] += 1
      }
    }
    return (literals, distances)
  }

  /// Writes the block with the code of its own or the one that everybody knows, whichever is
  /// shorter.
  func write(isLast: Bool, to writer: inout BitWriter) {
    let (literals, distances) = frequencies()
    let own = DeflateCodes(literals: literals, distances: distances)
    let common = DeflateCodes.fixed
    let ownCost = own.headerCost + own.cost(literals, distances)
    writer.put(isLast ? 1 : 0, 1)
    if ownCost < common.cost(literals, distances) {
      writer.put(2, 2)
      own.writeHeader(to: &writer)
    } else {
      writer.put(1, 2)
    }
    let codes = ownCost < common.cost(literals, distances) ? own : common
    let extra = Self.mostExtraBits * distances.reduce(0) { $0 + Int($1) }
    writer.put(upTo: codes.cost(literals, distances) + extra) {
      write(with: codes, by: &$0, to: &$1)
    }
  }

  private func write(
    with codes: DeflateCodes, by word: inout BitWord, to bytes: inout MutableRawSpan
  ) {
    let (bits, lengths) = (codes.literals.bits.span, codes.literals.lengths.span)
    let (farBits, farLengths) = (codes.distances.bits.span, codes.distances.lengths.span)
    let tokens = tokens.span
    for index in 0..<count {
      let token = tokens[index]
      if token & Self.isMatch == 0 {
        word.add(UInt32(bits[Int(token)]), lengths[Int(token)])
      } else {
        // 48 bits at most.
        let long = DeflateSymbol(length: Self.length(token))
        word.add(UInt32(bits[long.symbol]), lengths[long.symbol])
        word.add(long.extra, long.extraBits)
        let far = DeflateSymbol(distance: Self.distance(token))
        word.add(UInt32(farBits[far.symbol]), farLengths[far.symbol])
        word.add(far.extra, far.extraBits)
      }
      word.store(in: &bytes)
    }
    word.add(UInt32(bits[Self.end]), lengths[Self.end])
    word.store(in: &bytes)
  }
}

/// How a length or a distance is written: a symbol, and bits after it (RFC 1951, 3.2.5).
struct DeflateSymbol {
  let symbol: Int
  let extra: UInt32
  let extraBits: UInt8

  /// A length of 3 to 258.
  @inline(__always)
  init(length: Int) {
    if length == 258 {
      (symbol, extra, extraBits) = (285, 0, 0)
      return
    }
    let rest = length - 3
    if rest < 8 {
      (symbol, extra, extraBits) = (257 + rest, 0, 0)
      return
    }
    // Four symbols to each power of two.
    let bits = Int.bitWidth - 1 - rest.leadingZeroBitCount - 2
    symbol = 257 + bits * 4 + rest >> bits
    extra = UInt32(rest & (1 << bits - 1))
    extraBits = UInt8(bits)
  }

  /// A distance of 1 to 32,768.
  @inline(__always)
  init(distance: Int) {
    let rest = distance - 1
    if rest < 4 {
      (symbol, extra, extraBits) = (rest, 0, 0)
      return
    }
    // Two symbols to each power of two.
    let bits = Int.bitWidth - 1 - rest.leadingZeroBitCount - 1
    symbol = bits * 2 + rest >> bits
    extra = UInt32(rest & (1 << bits - 1))
    extraBits = UInt8(bits)
  }
}
