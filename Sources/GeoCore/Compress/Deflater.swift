/// Compresses bytes with DEFLATE (RFC 1951): finds matches, then writes blocks with a prefix code
/// each.
package struct Deflater {
  /// How hard repetitions are looked for.
  package struct Effort: Sendable {
    /// The length of the shortest match: 3 to 8 bytes.
    var shortest = 3
    /// A match of this length is good enough to stop looking.
    let nice: Int
    /// A match of this length is used without trying the next byte.
    let good: Int
    /// The number of places with the same hash to try.
    let patience: Int
    /// Whether a nearer match at the next byte can be preferred to a longer one here.
    var weighsDistance = false

    /// For data that is compressed once and sent to all, as the page's files.
    package static let utmost = Effort(nice: 258, good: 258, patience: 512)
    /// For data that is compressed once and read often.
    package static let thorough = Effort(nice: 130, good: 32, patience: 64)
    /// For data compressed on the fly.
    package static let swift = Effort(nice: 32, good: 8, patience: 8)
    /// For text compressed on the fly: if letters take few bits, matches shorter than a word cost
    /// more than they save.
    package static let wordy = Effort(
      shortest: 5, nice: 32, good: 32, patience: 8, weighsDistance: true)
    /// For data that hardly repeats, such as numbers that share only their highest bytes.
    package static let hasty = Effort(nice: 16, good: 16, patience: 1, weighsDistance: true)
    /// For scratch files, which are read again soon: nothing is compressed.
    package static let stored = Effort(nice: 0, good: 0, patience: 0)
  }

  /// The least number of tokens for which a code of its own pays off.
  private static let shortestBlock = 96

  private var matcher: Matcher
  private var block = DeflateBlock()

  package var effort: Effort {
    get { matcher.effort }
    set { matcher.effort = newValue }
  }

  package init(effort: Effort = .thorough) { matcher = Matcher(effort) }

  /// Compresses all bytes and ends the last block.
  ///
  /// - Parameter cuts: Ascending offsets where bytes of a different kind begin, which get a block
  ///   of their own.
  package mutating func compress(
    _ bytes: [UInt8], cuttingAt cuts: [Int] = [], to output: inout [UInt8]
  ) {
    var writer = BitWriter(bytes: [])
    swap(&writer.bytes, &output)
    defer { swap(&writer.bytes, &output) }
    if effort.patience == 0 { return Self.store(bytes, to: &writer) }
    matcher.start(bytes)
    var cuts = cuts[...]
    repeat {
      block.removeAll()
      var next = cuts.first ?? .max
      while matcher.fill(&block, until: next) {
        cuts.removeFirst()
        if block.count >= Self.shortestBlock { break }
        // A cut is ignored if it is too near or within the token that follows it.
        if !matcher.fill(&block, until: matcher.position + 1) { break }
        next = cuts.first ?? .max
      }
      block.write(isLast: matcher.isAtEnd, to: &writer)
    } while !matcher.isAtEnd
    writer.finish()
    matcher.start([])
  }

  /// Writes blocks of bytes as they are (RFC 1951, 3.2.4).
  private static func store(_ bytes: [UInt8], to writer: inout BitWriter) {
    var start = 0
    repeat {
      let end = min(start + 0xFFFF, bytes.count)
      let length = UInt32(end - start)
      writer.put(end == bytes.count ? 1 : 0, 3)
      writer.finish()
      writer.put(length | ~length << 16, 32)
      writer.bytes += bytes[start..<end]
      start = end
    } while start < bytes.count
  }
}

/// Finds matches up to 32 KiB back (lazy matching over hash chains).
private struct Matcher {
  var effort: Deflater.Effort
  private var bytes: [UInt8] = []
  private(set) var position = 0
  private var chains = Chains()
  /// A match at ``position`` that was found when trying the byte before.
  private var waiting: Match?

  private static let longest = 258

  struct Match {
    var length = 0
    var distance = 0

    /// Whether it saves more bits than a match at the byte before: a byte is assumed to take four
    /// bits, a distance as many as its number has.
    @inline(__always)
    func isWorthMore(than other: Match) -> Bool {
      4 * (length - other.length)
        > other.distance.leadingZeroBitCount - distance.leadingZeroBitCount
    }
  }

  init(_ effort: Deflater.Effort) { self.effort = effort }

  mutating func start(_ bytes: [UInt8]) {
    chains.removeAll(of: self.bytes)
    chains.hashed = effort.shortest
    self.bytes = bytes
    (position, waiting) = (0, nil)
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Adds tokens to a block, until the block is full, the input ends or a place is reached; only
  /// then true.
  mutating func fill(_ block: inout DeflateBlock, until end: Int) -> Bool {
    // Swapped out as a whole: in place, each write would check that the arrays aren't shared.
    var (heads, links) = ([Int32](), [Int32]())
    swap(&heads, &chains.heads)
    swap(&links, &chains.links)
    defer {
      swap(&heads, &chains.heads)
      swap(&links, &chains.links)
    }
    var headSpan = heads.mutableSpan
    var linkSpan = links.mutableSpan
    let bytes = bytes
    return block.fill { fill(&$0, &$1, until: end, bytes.span, &headSpan, &linkSpan) }
  }

  private mutating func fill(
    _ tokens: inout MutableSpan<UInt32>, _ count: inout Int, until end: Int, _ bytes: Span<UInt8>,
    _ heads: inout MutableSpan<Int32>, _ links: inout MutableSpan<Int32>
  ) -> Bool {
    while position < bytes.count, count < tokens.count {
      if position >= end { return true }
      let match =
        waiting ?? find(at: position, longerThan: effort.shortest - 1, bytes, &heads, &links)
      waiting = nil
      if match.length == 0 {
        tokens[count] = DeflateBlock.token(literal: bytes[position])
        count += 1
        position += 1
        continue
      }
      if match.length < effort.good, position + 1 < bytes.count {
        let minimum = max(match.length - (effort.weighsDistance ? 2 : 0), effort.shortest - 1)
        let next = find(at: position + 1, longerThan: minimum, bytes, &heads, &links)
        if next.length > 0, !effort.weighsDistance || next.isWorthMore(than: match) {
          tokens[count] = DeflateBlock.token(literal: bytes[position])
          count += 1
          position += 1
          waiting = next
          continue
        }
      }
      tokens[count] = DeflateBlock.token(length: match.length, distance: match.distance)
      count += 1
      position += match.length
    }
    return false
  }

  /// The longest match at a position, the nearest of the longest ones; length 0 if nothing
  /// matches.
  @inline(__always)
  private mutating func find(
    at position: Int, longerThan minimum: Int, _ bytes: Span<UInt8>,
    _ heads: inout MutableSpan<Int32>, _ links: inout MutableSpan<Int32>
  ) -> Match {
    var best = Match(length: minimum, distance: 0)
    let limit = min(Self.longest, bytes.count - position)
    if limit < effort.shortest { return Match() }
    chains.enter(upTo: position, of: bytes, &heads, &links)
    var place = Int(links[position & (Chains.window - 1)]) - 1
    var patience = effort.patience
    while place >= 0, place < position, position - place <= Chains.window, patience > 0 {
      // A longer match has all of these bytes, too.
      if best.length < limit, bytes.sharesEnd(place, position, best.length + 1) {
        let length = bytes.common(place, position, limit)
        if length > best.length {
          best = Match(length: length, distance: position - place)
          if length >= min(effort.nice, limit) { break }
        }
      }
      let before = Int(links[place & (Chains.window - 1)]) - 1
      // Links from before the window were overwritten.
      if before >= place { break }
      place = before
      patience -= 1
    }
    // Matches of three bytes far away cost more than they save.
    if best.length == 3, best.distance > 4096 { return Match() }
    return best.distance > 0 ? best : Match()
  }
}

/// Hash chains: the earlier places of bytes with the same hash.
private struct Chains {
  static let window = 1 << 15

  /// The number of bytes that are hashed, 3 to 8.
  var hashed = 3
  /// By hash: the last place with that hash, plus 1.
  var heads = [Int32](repeating: 0, count: window)
  /// By place within the window: the place before it with the same hash, plus 1.
  var links = [Int32](repeating: 0, count: window)
  /// The end of the places that are in the chains.
  private var entered = 0

  mutating func removeAll(of bytes: [UInt8]) {
    if entered > heads.count / 8 {
      var heads = heads.mutableSpan
      heads.update(repeating: 0)
    } else {
      // After a small input, removing its places is faster than clearing all.
      for place in 0..<entered { heads[hash(bytes.span, at: place)] = 0 }
    }
    entered = 0
  }

  @inline(__always)
  private func hash(_ bytes: Span<UInt8>, at place: Int) -> Int {
    if hashed == 3 {
      let three =
        place &+ 4 <= bytes.count
        ? bytes.loadHalfWord(at: place) & 0xFF_FFFF
        : UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      return Int(truncatingIfNeeded: (three &* 0x9E37_79B1) >> 17)
    }
    let word =
      place &+ 8 <= bytes.count
      ? bytes.loadWord(at: place) : bytes.extracting(place...).bigEndianPrefix.byteSwapped
    return Int(
      truncatingIfNeeded: ((word &<< UInt64(64 - 8 * hashed)) &* 0x9E37_79B1_85EB_CA87) >> 49)
  }

  /// Adds all places up to a position, after which there must be enough bytes to hash.
  @inline(__always)
  mutating func enter(
    upTo position: Int, of bytes: Span<UInt8>, _ heads: inout MutableSpan<Int32>,
    _ links: inout MutableSpan<Int32>
  ) {
    if entered > position { return }
    for place in entered...position {
      let hash = hash(bytes, at: place)
      links[place & (Self.window - 1)] = heads[hash]
      heads[hash] = Int32(truncatingIfNeeded: place + 1)
    }
    entered = position + 1
  }
}

extension Span<UInt8> {
  /// Whether the last four of some bytes at two places are equal; of fewer bytes the last one.
  @inline(__always)
  fileprivate func sharesEnd(_ a: Int, _ b: Int, _ length: Int) -> Bool {
    length < 4
      ? self[a &+ length &- 1] == self[b &+ length &- 1]
      : loadHalfWord(at: a &+ length &- 4) == loadHalfWord(at: b &+ length &- 4)
  }
}
