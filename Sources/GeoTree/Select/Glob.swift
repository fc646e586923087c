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
