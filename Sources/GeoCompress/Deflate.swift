/// Packs bytes by the DEFLATE method (RFC 1951): repetitions, then a prefix code for each block.
enum Deflate {
  /// How many tokens share a code.
  private static let blockLength = 1 << 14

  /// Packs all bytes, up to the end of the last block.
  static func compress(_ bytes: [UInt8], to writer: inout BitWriter) {
    var matcher = Matcher(bytes)
    var block = DeflateBlock()
    repeat {
      block.removeAll()
      while block.tokens.count < blockLength, matcher.step(into: &block) {}
      block.write(isLast: matcher.isAtEnd, to: &writer)
    } while !matcher.isAtEnd
  }
}

/// Finds what was there before, up to 32 KiB back (lazy matching over chains of hashes).
private struct Matcher {
  private let bytes: [UInt8]
  private var position = 0
  /// By hash: the last place where three bytes of that hash stood, plus 1.
  private var heads = [Int32](repeating: 0, count: 1 << 15)
  /// By place within the window: the place of the same hash before it, plus 1.
  private var links = [Int32](repeating: 0, count: 1 << 15)
  /// Up to where the places are in the chains.
  private var entered = 0
  /// A match at ``position`` that was found while looking at the byte before.
  private var waiting: Match?

  private static let window = 1 << 15
  private static let shortest = 3
  private static let longest = 258
  /// A match of this length is good enough to stop looking.
  private static let nice = 130
  /// A match of this length is taken without a look at the next byte.
  private static let good = 32
  /// How many places of the same hash are looked at.
  private static let patience = 64

  struct Match {
    var length = 0
    var distance = 0
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  /// Takes one token; false at the end.
  mutating func step(into block: inout DeflateBlock) -> Bool {
    if isAtEnd { return false }
    let match = waiting ?? find(longerThan: 2)
    waiting = nil
    if match.length < Self.shortest {
      block.append(literal: bytes[position])
      position += 1
      return true
    }
    if match.length < Self.good, position + 1 < bytes.count {
      position += 1
      let next = find(longerThan: match.length)
      position -= 1
      if next.length > match.length {
        block.append(literal: bytes[position])
        position += 1
        waiting = next
        return true
      }
    }
    block.append(length: match.length, distance: match.distance)
    position += match.length
    return true
  }

  /// The longest match at the position, and the nearest of those.
  private mutating func find(longerThan least: Int) -> Match {
    var best = Match(length: least, distance: 0)
    let limit = min(Self.longest, bytes.count - position)
    if limit < Self.shortest { return Match() }
    enterPlaces()
    let bytes = bytes.span
    var place = Int(links[position & (Self.window - 1)]) - 1
    var patience = Self.patience
    while place >= 0, place < position, position - place <= Self.window, patience > 0 {
      if best.length < limit, bytes[place + best.length] == bytes[position + best.length] {
        let length = Self.common(bytes, place, position, limit)
        if length > best.length {
          best = Match(length: length, distance: position - place)
          if length >= min(Self.nice, limit) { break }
        }
      }
      let before = Int(links[place & (Self.window - 1)]) - 1
      // What lies farther back than the window has been written over.
      if before >= place { break }
      place = before
      patience -= 1
    }
    // Three bytes from far away cost more than they save.
    if best.length == Self.shortest, best.distance > 4096 { return Match() }
    return best.distance > 0 ? best : Match()
  }

  @inline(__always)
  private static func common(_ bytes: Span<UInt8>, _ a: Int, _ b: Int, _ limit: Int) -> Int {
    var length = 0
    while length + 8 <= limit {
      let difference = bytes.loadWord(at: a &+ length) ^ bytes.loadWord(at: b &+ length)
      if difference != 0 { return length + difference.trailingZeroBitCount >> 3 }
      length += 8
    }
    while length < limit, bytes[a &+ length] == bytes[b &+ length] { length += 1 }
    return length
  }

  /// Puts all places up to the position, which is one with three bytes, into the chains.
  private mutating func enterPlaces() {
    while entered <= position {
      let three =
        UInt32(bytes[entered]) | UInt32(bytes[entered + 1]) << 8 | UInt32(bytes[entered + 2]) << 16
      let hash = Int(truncatingIfNeeded: (three &* 0x9E37_79B1) >> 17)
      links[entered & (Self.window - 1)] = heads[hash]
      entered += 1
      heads[hash] = Int32(truncatingIfNeeded: entered)
    }
  }
}
