import GeoCore

/// A compiled glob pattern of bytes.
///
/// `*` matches any bytes except `/`, `?` matches one of them, `[…]` one of a set, and `**` any
/// bytes; `\` escapes the next byte. The pattern is a nondeterministic automaton whose states are
/// simulated in parallel (Thompson 1968), so no pattern takes exponential time.
struct Glob: Sendable, Equatable {
  /// One step of the automaton.
  enum Token: Sendable, Equatable {
    case literal(UInt8)
    /// Matches one byte of a set, which never contains `/`.
    case set(ByteSet)
    /// Matches any bytes except `/`.
    case star
    case anything
    /// Matches nothing, or any bytes followed by `/`. It leads to the next two tokens.
    case folders
    /// The loop of ``folders``: any bytes followed by `/`.
    case folderLoop
  }

  private(set) var tokens: [Token] = []

  init(tokens: [Token]) { self.tokens = tokens }

  /// The literal bytes at the beginning of every match.
  var head: [UInt8] {
    var bytes: [UInt8] = []
    for case .literal(let byte) in tokens.prefix(while: { $0.isLiteral }) { bytes.append(byte) }
    return bytes
  }

  /// The literal bytes at the end of every match.
  var tail: [UInt8] {
    var bytes: [UInt8] = []
    for token in tokens.reversed() {
      guard case .literal(let byte) = token else { break }
      bytes.append(byte)
    }
    return bytes.reversed()
  }

  /// Whether the whole text matches. O(bytes · tokens); allocates nothing for up to 63 tokens.
  func matches(_ text: Span<UInt8>) -> Bool {
    if tokens.count > 63 { return matchesWide(text) }
    let tokens = tokens.span
    let accepted = UInt64(1) << UInt64(tokens.count)
    var states = Self.closure(of: 1, tokens)
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      // Fast path: the only active state is an asterisk, and the byte can't begin what follows it.
      let first = states.trailingZeroBitCount
      if states == 3 << UInt64(first), first + 1 < tokens.count,
        !tokens[first + 1].mayBegin(with: byte), tokens[first].stays(on: byte)
      {
        continue
      }
      var next: UInt64 = 0
      var rest = states & ~accepted
      while rest != 0 {
        let state = rest.trailingZeroBitCount
        rest &= rest &- 1  // clears the lowest bit
        next |= Self.step(tokens[state], byte) << UInt64(state)
      }
      if next == 0 { return false }
      states = Self.closure(of: next, tokens)
    }
    return states & accepted != 0
  }

  /// The states that a byte leads to: bit 0 is the same state, bit 1 the next one.
  @inline(__always)
  private static func step(_ token: Token, _ byte: UInt8) -> UInt64 {
    switch token {
    case .literal(let own): own == byte ? 2 : 0
    case .set(let set): set.contains(byte) ? 2 : 0
    case .star: byte == .slash ? 0 : 1
    case .anything: 1
    case .folders: 0
    case .folderLoop: byte == .slash ? 3 : 1
    }
  }

  /// Adds the states reached without a byte, which are always later ones.
  @inline(__always)
  private static func closure(of states: UInt64, _ tokens: Span<Token>) -> UInt64 {
    var states = states
    var rest = states & ~(1 << UInt64(tokens.count))
    while rest != 0 {
      let state = rest.trailingZeroBitCount
      rest &= rest &- 1
      let more = Self.free(tokens[state]) << UInt64(state) & ~states
      states |= more
      rest |= more & ~(1 << UInt64(tokens.count))
    }
    return states
  }

  /// The states reached without a byte: bits as in ``step(_:_:)``.
  @inline(__always)
  private static func free(_ token: Token) -> UInt64 {
    switch token {
    case .star, .anything: 2
    case .folders: 6
    case .literal, .set, .folderLoop: 0
    }
  }

  /// Matches like ``matches(_:)``, for patterns of any length.
  private func matchesWide(_ text: Span<UInt8>) -> Bool {
    var states = [Bool](repeating: false, count: tokens.count + 3)
    states[0] = true
    for index in 0...text.count {
      for state in tokens.indices where states[state] {
        let free = Self.free(tokens[state])
        for offset in 1...2 where free >> UInt64(offset) & 1 != 0 { states[state + offset] = true }
      }
      if index == text.count { break }
      var next = [Bool](repeating: false, count: states.count)
      for state in tokens.indices where states[state] {
        let step = Self.step(tokens[state], text[index])
        if step & 1 != 0 { next[state] = true }
        if step & 2 != 0 { next[state + 1] = true }
      }
      states = next
    }
    return states[tokens.count]
  }
}

extension Glob.Token {
  fileprivate var isLiteral: Bool {
    if case .literal = self { true } else { false }
  }

  /// Whether the token can consume the byte, or be passed without a byte.
  @inline(__always)
  fileprivate func mayBegin(with byte: UInt8) -> Bool {
    switch self {
    case .literal(let own): own == byte
    case .set(let set): set.contains(byte)
    case .star, .anything, .folders, .folderLoop: true
    }
  }

  /// Whether the token is an asterisk that can consume the byte.
  fileprivate func stays(on byte: UInt8) -> Bool {
    switch self {
    case .star: byte != .slash
    case .anything: true
    case .literal, .set, .folders, .folderLoop: false
    }
  }
}

extension Selection {
  package enum GlobError: String, GeoError {
    case empty = "the pattern is empty"
    case openSet = "a '[' lacks its ']'; for the character itself write '\\['"
    case unknownClass = "unknown class in '[[:…:]]'"
    case danglingEscape =
      "nothing follows the last '\\'; for the character itself write '\\\\'"
    case impossible = "no path below a folder has an empty part, '.' or '..' in it"
    case slashInName = "a name has no '/' in it; include or exclude paths instead"

    package var group: ErrorGroup { .usage }

    /// What is wrong; the message shows it after the pattern.
    package var description: String { rawValue }
  }
}

extension Glob {
  /// The meaning of `**`.
  enum Dialect {
    /// It matches `/` everywhere.
    case plain
    /// It matches `/` only as a whole component, and is like `*` elsewhere.
    case git
  }

  private static let escape = UInt8(ascii: "\\")
  private static let asterisk = UInt8(ascii: "*")

  /// Whether a byte is a wildcard or an escape.
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == asterisk || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[") || byte == escape
  }

  /// ASCII letters match in both cases on request, also in sets.
  init(
    parsing pattern: some Sequence<UInt8>, _ dialect: Dialect, ignoresCase: Bool = false
  ) throws(Selection.GlobError) {
    var parser = Parser(pattern: Array(pattern), dialect: dialect, ignoresCase: ignoresCase)
    try parser.run()
    self.init(tokens: parser.tokens)
  }

  private struct Parser {
    let pattern: [UInt8]
    let dialect: Dialect
    let ignoresCase: Bool
    var index = 0
    var tokens: [Token] = []

    /// The byte at an index, 0 past the end; no pattern contains a 0.
    private func byte(at index: Int) -> UInt8 { index < pattern.count ? pattern[index] : 0 }

    mutating func run() throws(Selection.GlobError) {
      while index < pattern.count {
        switch pattern[index] {
        case asterisk: takeAsterisks()
        case UInt8(ascii: "?"):
          var set = ByteSet([.slash])
          set.invert()
          tokens.append(.set(set))
          index += 1
        case UInt8(ascii: "["): try takeSet()
        case escape:
          if index + 1 == pattern.count { throw .danglingEscape }
          addLiteral(pattern[index + 1])
          index += 2
        case let byte:
          addLiteral(byte)
          index += 1
        }
      }
    }

    private mutating func addLiteral(_ byte: UInt8) {
      var set = ByteSet([byte])
      if ignoresCase, set.foldCase() {
        tokens.append(.set(set))
      } else {
        tokens.append(.literal(byte))
      }
    }

    private mutating func takeAsterisks() {
      let start = index
      while byte(at: index) == asterisk { index += 1 }
      let next = byte(at: index)
      let isBound =
        (start == 0 || pattern[start - 1] == .slash)
        && (index == pattern.count || next == .slash
          || (next == escape && byte(at: index + 1) == .slash))
      if index - start == 1 {
        tokens.append(.star)
      } else if isBound, next == .slash {
        tokens += [.folders, .folderLoop]
        index += 1
      } else if isBound || dialect == .plain {
        tokens.append(.anything)
      } else {
        tokens.append(.star)
      }
    }

    /// Parses a set. Its first byte may be `]`, and `-` between two bytes makes a range.
    private mutating func takeSet() throws(Selection.GlobError) {
      var set = ByteSet()
      index += 1
      let isNegated = byte(at: index) == UInt8(ascii: "!") || byte(at: index) == UInt8(ascii: "^")
      if isNegated { index += 1 }
      var previous: UInt8?
      repeat {
        guard index < pattern.count else { throw .openSet }
        let current = pattern[index]
        if current == UInt8(ascii: "-"), let low = previous, index + 1 < pattern.count,
          pattern[index + 1] != UInt8(ascii: "]")
        {
          index += 1
          let high = try takeMember()
          if low <= high { set.formUnion(ByteSet(low...high)) }
          previous = nil
        } else if current == UInt8(ascii: "["), byte(at: index + 1) == UInt8(ascii: ":") {
          if let members = try takeClass() {
            set.formUnion(members)
            previous = nil
          } else {
            set.insert(current)
            previous = current
            index += 1
          }
        } else {
          let member = try takeMember()
          set.insert(member)
          previous = member
        }
      } while byte(at: index) != UInt8(ascii: "]")
      index += 1
      if ignoresCase { set.foldCase() }
      if isNegated { set.invert() }
      set.remove(.slash)
      tokens.append(.set(set))
    }

    /// Takes one byte of a set, which may be escaped.
    private mutating func takeMember() throws(Selection.GlobError) -> UInt8 {
      if pattern[index] == escape { index += 1 }
      guard index < pattern.count else { throw .openSet }
      index += 1
      return pattern[index - 1]
    }

    /// Takes `[:name:]`; nil if the bytes are not a class, but literal members.
    private mutating func takeClass() throws(Selection.GlobError) -> ByteSet? {
      let start = index + 2
      guard let end = pattern[start...].firstIndex(of: UInt8(ascii: "]")) else { throw .openSet }
      if end == start || pattern[end - 1] != UInt8(ascii: ":") { return nil }
      guard let set = ByteSet(className: pattern[start..<(end - 1)]) else { throw .unknownClass }
      index = end + 1
      return set
    }
  }
}

/// A case-insensitive (ASCII) glob for names.
package struct NameGlob: Sendable {
  private let glob: Glob

  /// Whether a word is a glob: it contains `*`, `?` or `[`.
  package static func isMeant(by word: some Sequence<UInt8>) -> Bool {
    word.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
  }

  package init(_ pattern: some Sequence<UInt8>) throws(Selection.GlobError) {
    glob = try Glob(parsing: pattern, .plain, ignoresCase: true)
  }

  package func matches(_ name: Span<UInt8>) -> Bool { glob.matches(name) }
}
