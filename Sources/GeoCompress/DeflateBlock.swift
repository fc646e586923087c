/// Some tokens that share a code.
struct DeflateBlock {
  /// Literal bytes, and repetitions as a mark, the length and the distance (1, 15 and 16 bits).
  private(set) var tokens: [UInt32] = []
  private var literals = [UInt32](repeating: 0, count: 286)
  private var distances = [UInt32](repeating: 0, count: 30)
  /// Bits that stand behind the codes as they are.
  private var extraBits = 0

  /// The symbol that ends a block.
  private static let end = 256
  private static let isMatch: UInt32 = 1 << 31

  mutating func removeAll() {
    tokens.removeAll(keepingCapacity: true)
    for index in literals.indices { literals[index] = 0 }
    for index in distances.indices { distances[index] = 0 }
    literals[Self.end] = 1
    extraBits = 0
  }

  mutating func append(literal: UInt8) {
    tokens.append(UInt32(literal))
    literals[Int(literal)] += 1
  }

  /// Adds a repetition of 3 to 258 bytes from 1 to 32,768 bytes back.
  mutating func append(length: Int, distance: Int) {
    tokens.append(Self.isMatch | UInt32(length - 3) << 16 | UInt32(distance - 1))
    let (long, far) = (DeflateSymbol(length: length), DeflateSymbol(distance: distance))
    literals[long.symbol] += 1
    distances[far.symbol] += 1
    extraBits += Int(long.extraBits) + Int(far.extraBits)
  }

  /// Writes the block with the code of its own or the one that everybody knows, whichever is
  /// shorter.
  func write(isLast: Bool, to writer: inout BitWriter) {
    let own = DeflateCodes(literals: literals, distances: distances)
    let common = DeflateCodes.fixed
    let ownCost = own.headerCost + own.cost(literals, distances)
    writer.put(isLast ? 1 : 0, 1)
    if ownCost < common.cost(literals, distances) {
      writer.put(2, 2)
      own.writeHeader(to: &writer)
      write(with: own, to: &writer)
    } else {
      writer.put(1, 2)
      write(with: common, to: &writer)
    }
  }

  private func write(with codes: DeflateCodes, to writer: inout BitWriter) {
    let (bits, lengths) = (codes.literals.bits.span, codes.literals.lengths.span)
    for token in tokens {
      if token & Self.isMatch == 0 {
        writer.put(UInt32(bits[Int(token)]), lengths[Int(token)])
        continue
      }
      let long = DeflateSymbol(length: Int(token >> 16 & 0x7FFF) + 3)
      writer.put(UInt32(bits[long.symbol]), lengths[long.symbol])
      writer.put(long.extra, long.extraBits)
      let far = DeflateSymbol(distance: Int(token & 0xFFFF) + 1)
      writer.put(UInt32(codes.distances.bits[far.symbol]), codes.distances.lengths[far.symbol])
      writer.put(far.extra, far.extraBits)
    }
    writer.put(UInt32(bits[Self.end]), lengths[Self.end])
  }
}

/// How a length or a distance is written: a symbol, and bits behind it (RFC 1951, 3.2.5).
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
