/// The tokens of a DEFLATE block, which share a code.
struct DeflateBlock {
  private static let maximum = 1 << 14
  /// Literal bytes; and matches as a mark, the length and the distance (1, 15 and 16 bits).
  private var tokens = [UInt32](repeating: 0, count: maximum)
  private(set) var count = 0

  private static let maximumExtraBits = 5 + 13

  /// The symbol that ends a block.
  private static let end = 256
  private static let isMatch: UInt32 = 1 << 31

  mutating func removeAll() { count = 0 }

  /// Lets `body` append tokens while there is room, and update the count.
  mutating func fill<Result>(
    _ body: (inout MutableSpan<UInt32>, _ count: inout Int) -> Result
  ) -> Result {
    // Swapped out: in place, each token would check that the array isn't shared.
    var tokens: [UInt32] = []
    swap(&tokens, &self.tokens)
    defer { swap(&tokens, &self.tokens) }
    var span = tokens.mutableSpan
    return body(&span, &count)
  }

  @inline(__always)
  static func token(literal: UInt8) -> UInt32 { UInt32(literal) }

  /// The token of a match of 3 to 258 bytes, 1 to 32,768 bytes back.
  @inline(__always)
  static func token(length: Int, distance: Int) -> UInt32 {
    isMatch | UInt32(length - 3) << 16 | UInt32(distance - 1)
  }

  private static func length(_ token: UInt32) -> Int { Int(token >> 16 & 0x7FFF) + 3 }
  private static func distance(_ token: UInt32) -> Int { Int(token & 0xFFFF) + 1 }

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

  /// Writes the block with its own code or the fixed one, whichever is shorter.
  func write(isLast: Bool, to writer: inout BitWriter) {
    let (literals, distances) = frequencies()
    let own = DeflateCodes(literals: literals, distances: distances)
    let common = DeflateCodes.fixed
    let (ownCost, commonCost) = (own.cost(literals, distances), common.cost(literals, distances))
    let isOwn = own.headerCost + ownCost < commonCost
    writer.put(isLast ? 1 : 0, 1)
    writer.put(isOwn ? 2 : 1, 2)
    if isOwn { own.writeHeader(to: &writer) }
    let extra = Self.maximumExtraBits * distances.reduce(0) { $0 + Int($1) }
    writer.put(upTo: (isOwn ? ownCost : commonCost) + extra) {
      write(with: isOwn ? own : common, by: &$0, to: &$1)
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
        // At most 48 bits, so that they fit a word.
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

/// The encoding of a length or a distance: a symbol and extra bits (RFC 1951, 3.2.5).
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
