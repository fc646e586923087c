/// Packs bytes by the DEFLATE method (RFC 1951): repetitions, then a prefix code for each block.
package struct Deflater {
  /// How hard repetitions are looked for.
  package struct Effort: Sendable {
    /// A match of this length is good enough to stop looking.
    let nice: Int
    /// A match of this length is taken without a look at the next byte.
    let good: Int
    /// How many places of the same hash are looked at.
    let patience: Int

    /// For what is packed once and read often.
    package static let thorough = Effort(nice: 130, good: 32, patience: 64)
    /// For what is packed once by the thousand.
    package static let steady = Effort(nice: 64, good: 16, patience: 16)
    /// For what is packed in passing.
    package static let swift = Effort(nice: 32, good: 8, patience: 8)
  }

  /// How many tokens share a code.
  private static let blockLength = 1 << 14
  /// With fewer tokens a code of its own costs more than it saves.
  private static let shortestBlock = 96

  private var matcher: Matcher
  private var block = DeflateBlock()

  /// A packer, whose memory is used again and again.
  package init(effort: Effort = .thorough) { matcher = Matcher(effort) }

  /// Packs all bytes, up to the end of the last block.
  ///
  /// - Parameter cuts: Where bytes of another nature begin, which are given a code of their own, in
  ///   their order.
  package mutating func compress(
    _ bytes: [UInt8], cuttingAt cuts: [Int] = [], to output: inout [UInt8]
  ) {
    var writer = BitWriter(bytes: [])
    swap(&writer.bytes, &output)
    matcher.start(bytes)
    var cuts = cuts[...]
    repeat {
      block.removeAll()
      while block.tokens.count < Self.blockLength {
        if let cut = cuts.first, matcher.position >= cut {
          cuts.removeFirst()
          if block.tokens.count >= Self.shortestBlock { break }
        }
        if !matcher.step(into: &block) { break }
      }
      block.write(isLast: matcher.isAtEnd, to: &writer)
    } while !matcher.isAtEnd
    writer.finish()
    matcher.start([])
    swap(&writer.bytes, &output)
  }
}

/// Finds what was there before, up to 32 KiB back (lazy matching over chains of hashes).
private struct Matcher {
  private let effort: Deflater.Effort
  private var bytes: [UInt8] = []
  private(set) var position = 0
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

  struct Match {
    var length = 0
    var distance = 0
  }

  init(_ effort: Deflater.Effort) { self.effort = effort }

  /// Begins with other bytes.
  mutating func start(_ bytes: [UInt8]) {
    if entered > heads.count / 8 {
      heads.removeAll(keepingCapacity: true)
      heads.append(contentsOf: repeatElement(0, count: 1 << 15))
    } else {
      // After little there is little to take out.
      let bytes = self.bytes
      for place in 0..<entered { heads[Self.hash(bytes.span, at: place)] = 0 }
    }
    self.bytes = bytes
    (position, entered, waiting) = (0, 0, nil)
  }

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
    if match.length < effort.good, position + 1 < bytes.count {
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
    let links = links.span
    var place = Int(links[position & (Self.window - 1)]) - 1
    var patience = effort.patience
    while place >= 0, place < position, position - place <= Self.window, patience > 0 {
      if best.length < limit, bytes[place + best.length] == bytes[position + best.length] {
        let length = Self.common(bytes, place, position, limit)
        if length > best.length {
          best = Match(length: length, distance: position - place)
          if length >= min(effort.nice, limit) { break }
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

  /// The hash of three bytes.
  @inline(__always)
  private static func hash(_ bytes: Span<UInt8>, at place: Int) -> Int {
    let three =
      place &+ 4 <= bytes.count
      ? bytes.loadHalfWord(at: place) & 0xFF_FFFF
      : UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
    return Int(truncatingIfNeeded: (three &* 0x9E37_79B1) >> 17)
  }

  /// Puts all places up to the position, which is one with three bytes, into the chains.
  private mutating func enterPlaces() {
    if entered > position { return }
    let bytes = bytes
    // Taken out, and as a whole: one by one, each change would look for other owners.
    var (heads, links) = ([Int32](), [Int32]())
    swap(&heads, &self.heads)
    swap(&links, &self.links)
    Self.enter(entered...position, of: bytes.span, &heads, &links)
    entered = position + 1
    swap(&heads, &self.heads)
    swap(&links, &self.links)
  }

  private static func enter(
    _ places: ClosedRange<Int>, of bytes: Span<UInt8>, _ heads: inout [Int32],
    _ links: inout [Int32]
  ) {
    var heads = heads.mutableSpan
    var links = links.mutableSpan
    for place in places {
      let hash = hash(bytes, at: place)
      links[place & (window - 1)] = heads[hash]
      heads[hash] = Int32(truncatingIfNeeded: place + 1)
    }
  }
}
