import GeoCore

/// A pattern of bytes, ready to be matched.
///
/// `*` matches any bytes but `/`, `?` one of them, `[…]` one of a set, `**` any bytes at all; `\`
/// takes the next byte as it is. The pattern is a nondeterministic automaton whose states are
/// simulated all at once (Thompson 1968), so that no pattern makes matching exponential.
struct Glob: Sendable, Equatable {
  /// One step of the automaton.
  enum Token: Sendable, Equatable {
    /// This byte.
    case literal(UInt8)
    /// One byte of a set that never holds `/`.
    case set(ByteSet)
    /// Any bytes but `/`.
    case star
    /// Any bytes.
    case anything
    /// Nothing, or any bytes and a `/` after them: leads to the two steps that follow.
    case folders
    /// Any bytes and a `/` after them, within ``folders``.
    case folderLoop
  }

  private(set) var tokens: [Token] = []

  init(tokens: [Token]) { self.tokens = tokens }

  /// The literal bytes that a match begins with.
  var head: [UInt8] {
    var bytes: [UInt8] = []
    for case .literal(let byte) in tokens.prefix(while: { $0.isLiteral }) { bytes.append(byte) }
    return bytes
  }

  /// The literal bytes that a match ends with.
  var tail: [UInt8] {
    var bytes: [UInt8] = []
    for token in tokens.reversed() {
      guard case .literal(let byte) = token else { break }
      bytes.append(byte)
    }
    return bytes.reversed()
  }

  /// Whether the bytes as a whole match.
  ///
  /// - Complexity: O(bytes · tokens), no memory for up to 63 tokens.
  func matches(_ text: Span<UInt8>) -> Bool {
    if tokens.count > 63 { return matchesWide(text) }
    let tokens = tokens.span
    let accepted = UInt64(1) << UInt64(tokens.count)
    var states = Self.closure(of: 1, tokens)
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      // Mostly nothing but an asterisk is under way, and waits for what is after it.
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
        rest &= rest &- 1  // takes the lowest bit away
        next |= Self.step(tokens[state], byte) << UInt64(state)
      }
      if next == 0 { return false }
      states = Self.closure(of: next, tokens)
    }
    return states & accepted != 0
  }

  /// Where a byte leads to: bit 0 is the same state, bit 1 the next one.
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

  /// The states that are reached without a byte; all such steps lead forward.
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

  /// Where a state leads to without a byte: bits as in ``step(_:_:)``.
  @inline(__always)
  private static func free(_ token: Token) -> UInt64 {
    switch token {
    case .star, .anything: 2
    case .folders: 6
    case .literal, .set, .folderLoop: 0
    }
  }

  /// The same for a pattern of any length.
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

  /// Whether the byte leads on from it, or something does without a byte.
  @inline(__always)
  fileprivate func mayBegin(with byte: UInt8) -> Bool {
    switch self {
    case .literal(let own): own == byte
    case .set(let set): set.contains(byte)
    case .star, .anything, .folders, .folderLoop: true
    }
  }

  /// Whether the byte is one of those that an asterisk takes.
  fileprivate func stays(on byte: UInt8) -> Bool {
    switch self {
    case .star: byte != .slash
    case .anything: true
    case .literal, .set, .folders, .folderLoop: false
    }
  }
}

/// Why a glob is none.
public enum GlobError: Error, Hashable, Sendable {
  /// There is nothing in it.
  case empty
  /// A `[` lacks its `]`.
  case openSet
  /// A `[:name:]` has no known name.
  case unknownClass
  /// A `\` stands at the end.
  case danglingEscape
  /// A component is empty, `.` or `..`, which no path below a root has.
  case impossible
  /// It is meant for names, and a name holds no `/`.
  case slashInName
}

extension GlobError: CustomStringConvertible {
  /// What is wrong, to follow the pattern.
  public var description: String {
    switch self {
    case .empty: "the pattern is empty"
    case .openSet: "a '[' lacks its ']'; for the character itself write '\\['"
    case .unknownClass: "unknown class in '[[:…:]]'"
    case .danglingEscape: "nothing follows the last '\\'; for the character itself write '\\\\'"
    case .impossible: "no path below a folder has an empty part, '.' or '..' in it"
    case .slashInName: "a name has no '/' in it; for paths there are --include and --exclude"
    }
  }
}

extension Glob {
  /// What two asterisks mean.
  enum Dialect {
    /// They cross folders wherever they stand.
    case plain
    /// They do where they are a component of their own, and are as good as one elsewhere.
    case git
  }

  private static let escape = UInt8(ascii: "\\")
  private static let asterisk = UInt8(ascii: "*")

  /// Whether a byte has a meaning of its own.
  static func isSpecial(_ byte: UInt8) -> Bool {
    byte == asterisk || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[") || byte == escape
  }

  /// Reads a pattern.
  ///
  /// - Parameter ignoresCase: Whether a letter of ASCII stands for its capital as well, and the other
  ///   way round, also in sets.
  init(
    parsing pattern: some Sequence<UInt8>, _ dialect: Dialect, ignoresCase: Bool = false
  ) throws(GlobError) {
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

    /// The byte at a position, 0 after the end; no pattern holds a 0.
    private func byte(at index: Int) -> UInt8 { index < pattern.count ? pattern[index] : 0 }

    mutating func run() throws(GlobError) {
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
          take(pattern[index + 1])
          index += 2
        case let byte:
          take(byte)
          index += 1
        }
      }
    }

    /// A byte that stands for itself.
    private mutating func take(_ byte: UInt8) {
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

    /// The first byte of a set may be `]`; `-` is a range between two others.
    private mutating func takeSet() throws(GlobError) {
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

    /// One byte of a set, which may be escaped.
    private mutating func takeMember() throws(GlobError) -> UInt8 {
      if pattern[index] == escape { index += 1 }
      guard index < pattern.count else { throw .openSet }
      index += 1
      return pattern[index - 1]
    }

    /// `[:name:]`; nil if it is none, and its bytes stand for themselves.
    private mutating func takeClass() throws(GlobError) -> ByteSet? {
      let start = index + 2
      guard let end = pattern[start...].firstIndex(of: UInt8(ascii: "]")) else { throw .openSet }
      if end == start || pattern[end - 1] != UInt8(ascii: ":") { return nil }
      guard let set = ByteSet(className: pattern[start..<(end - 1)]) else { throw .unknownClass }
      index = end + 1
      return set
    }
  }
}
