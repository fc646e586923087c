import GeoCore

/// A pattern with what it is compared with and what it decides.
struct PathRule: Sendable {
  /// What remains to be looked at when the ends of the name agree.
  enum Matcher: Sendable {
    /// The text is these bytes.
    case literal([UInt8])
    /// The text ends with these bytes.
    case suffix([UInt8])
    /// The text begins with these bytes, and the glob matches what follows.
    case glob(after: [UInt8], Glob)
  }

  let matcher: Matcher
  /// Whether the text is the name alone; else it is the path below the rule's base.
  let matchesName: Bool
  /// Whether only folders can match.
  let isForFolders: Bool
  /// Whether a match keeps an entry rather than leaving it out.
  let keeps: Bool
  /// What a name ends with if it matches.
  let tail: [UInt8]
  /// What a name begins with if it matches.
  let head: [UInt8]
  /// Whether the name is ``head`` and nothing more.
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
        // The head is part of the end only where no wildcard follows it.
        glob.tokens.isEmpty ? head : glob.tail
      }
    tail = Array(end.lastComponent)
    switch matcher {
    case .literal(let bytes): (head, headIsWhole) = (Array(bytes.lastComponent), true)
    case .suffix: (head, headIsWhole) = ([], false)
    case .glob(let bytes, _): (head, headIsWhole) = (matchesName ? bytes : [], false)
    }
  }

  /// Whether a text matches, whose end was looked at before.
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
  /// A glob of the command line, by the rules of `.gitignore` for slashes.
  ///
  /// Without a `/` it is compared with names at any depth; with one at its beginning or in its middle, with the
  /// path below the root. One at its end says that only folders are meant.
  init(glob pattern: [UInt8], keeps: Bool) throws(GlobError) {
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
    // A name at any depth need not be looked for along the path.
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

  /// A glob that is compared with the name of a file.
  init(name pattern: [UInt8], ignoresCase: Bool = false) throws(GlobError) {
    if pattern.isEmpty { throw .empty }
    if pattern.contains(.slash) { throw .slashInName }
    self.init(
      matcher: Matcher(
        try Glob(parsing: pattern, .plain, ignoresCase: ignoresCase), ofName: true),
      matchesName: true, isForFolders: false, keeps: true)
  }
}

extension PathRule.Matcher {
  /// What compares fastest with a name, or with a path.
  init(_ glob: Glob, ofName isName: Bool) {
    let head = glob.head
    if head.count == glob.tokens.count {
      self = .literal(head)
    } else if isName, case .star? = glob.tokens.first,
      glob.tail.count == glob.tokens.count - 1
    {
      self = .suffix(glob.tail)
    } else {
      self = .glob(after: head, Glob(tokens: Array(glob.tokens.dropFirst(head.count))))
    }
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
