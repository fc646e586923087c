/// A pattern, the text it is compared with, and its effect.
struct PathRule: Sendable {
  /// The comparison that remains when both ends of the name agree.
  enum Matcher: Sendable {
    /// The text equals these bytes.
    case literal([UInt8])
    /// The text ends with these bytes.
    case suffix([UInt8])
    /// The text begins with these bytes, and the glob matches the rest.
    case glob(after: [UInt8], Glob)
  }

  let matcher: Matcher
  /// Whether to match the name alone; otherwise the path below the rule's base.
  let matchesName: Bool
  let isForFolders: Bool
  /// Whether a match keeps an entry; otherwise it leaves it out.
  let keeps: Bool
  /// The bytes at the end of every matching name.
  let tail: [UInt8]
  /// The bytes at the beginning of every matching name.
  let head: [UInt8]
  /// Whether only the name ``head`` itself matches.
  let headIsWhole: Bool

  init(matcher: Matcher, matchesName: Bool, isForFolders: Bool, keeps: Bool) {
    self.matcher = matcher
    self.matchesName = matchesName
    self.isForFolders = isForFolders
    self.keeps = keeps
    let end =
      switch matcher {
      case .literal(let bytes), .suffix(let bytes): bytes
      case .glob(let head, let glob):
        // The head is the end of the text only if no wildcard follows it.
        glob.tokens.isEmpty ? head : glob.tail
      }
    tail = Array(end.lastComponent)
    switch matcher {
    case .literal(let bytes): (head, headIsWhole) = (Array(bytes.lastComponent), true)
    case .suffix: (head, headIsWhole) = ([], false)
    case .glob(let bytes, _): (head, headIsWhole) = (matchesName ? bytes : [], false)
    }
  }

  /// Whether a text matches whose end was compared before.
  func matches(_ text: Span<UInt8>) -> Bool {
    switch matcher {
    case .literal(let bytes): text.count == bytes.count && text.hasPrefix(bytes)
    case .suffix(let bytes): text.hasSuffix(bytes)
    case .glob(let head, let glob):
      text.hasPrefix(head) && glob.matches(text.extracting(droppingFirst: head.count))
    }
  }
}

extension PathRule {
  /// Parses a glob of the command line, with the rules of `.gitignore` for slashes.
  ///
  /// A glob without `/` is compared with names at any depth. One with `/` at its beginning or in
  /// its middle is compared with the path below the root. With `/` at its end it matches only
  /// folders.
  init(glob pattern: [UInt8], keeps: Bool) throws(Selection.GlobError) {
    var body = pattern[...]
    if body.isEmpty { throw .empty }
    let isAnchored = body.first == .slash
    if isAnchored { body = body.dropFirst() }
    var isForFolders = false
    if body.last == .slash, !body.dropLast().hasDanglingEscape {
      body = body.dropLast()
      isForFolders = true
    }
    let parts = body.split(separator: .slash, omittingEmptySubsequences: false)
    let dot = UInt8(ascii: ".")
    for part in parts
    where part.isEmpty || part.elementsEqual([dot]) || part.elementsEqual([dot, dot]) {
      throw .impossible
    }
    // `**/NAME` is compared with the name, which is faster than the path.
    let anywhere = Array("**/".utf8)
    let isMarked =
      parts.count == 2 && body.starts(with: anywhere)
      && !body.dropFirst(3).containsPair(of: UInt8(ascii: "*"))
    if isMarked { body = body.dropFirst(3) }
    let isName = isMarked || parts.count == 1 && !isAnchored
    self.init(
      matcher: Matcher(try Glob(parsing: body, .plain), ofName: isName), matchesName: isName,
      isForFolders: isForFolders, keeps: keeps)
  }

  init(name pattern: [UInt8], ignoresCase: Bool = false) throws(Selection.GlobError) {
    if pattern.isEmpty { throw .empty }
    if pattern.contains(.slash) { throw .slashInName }
    self.init(
      matcher: Matcher(
        try Glob(parsing: pattern, .plain, ignoresCase: ignoresCase), ofName: true),
      matchesName: true, isForFolders: false, keeps: true)
  }
}

extension PathRule.Matcher {
  /// Chooses the fastest comparison with a name or a path.
  init(after head: [UInt8], _ glob: Glob, ofName isName: Bool) {
    if glob.tokens.isEmpty {
      self = .literal(head)
    } else if isName, head.isEmpty, case .star? = glob.tokens.first,
      glob.tail.count == glob.tokens.count - 1
    {
      self = .suffix(glob.tail)
    } else {
      self = .glob(after: head, glob)
    }
  }

  init(_ glob: Glob, ofName isName: Bool) {
    let head = glob.head
    self.init(
      after: head, Glob(tokens: Array(glob.tokens.dropFirst(head.count))), ofName: isName)
  }
}

extension Span<UInt8> {
  fileprivate func hasPrefix(_ bytes: [UInt8]) -> Bool {
    if count < bytes.count { return false }
    for index in bytes.indices where self[index] != bytes[index] { return false }
    return true
  }

  fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool {
    let start = count - bytes.count
    if start < 0 { return false }
    for index in bytes.indices where self[start + index] != bytes[index] { return false }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// Whether the last byte is a `\` that is not itself escaped.
  fileprivate var hasDanglingEscape: Bool {
    reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  fileprivate func containsPair(of byte: UInt8) -> Bool {
    zip(self, dropFirst()).contains { $0 == byte && $1 == byte }
  }
}
