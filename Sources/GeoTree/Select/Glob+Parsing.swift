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
    case .unknownClass: "there is no such class in '[[:…:]]'"
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
