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

/// Rules in their order, of which the last one that matches decides.
///
/// Most rules say how a name must end. They are found by its last byte, then by its first and
/// last eight bytes at once, so that of hundreds of rules only a few are looked at.
final class RuleList: Sendable {
  /// What a name is compared with before anything else, and what follows if that is enough.
  private struct Key: BitwiseCopyable, Sendable {
    let tail: UInt64
    let tailMask: UInt64
    let head: UInt64
    let headMask: UInt64
    let rule: Int32
    let isForFolders: Bool
    let matchesName: Bool
    let keeps: Bool
    /// Whether a name whose ends agree matches.
    let isEnough: Bool

    init(_ rule: PathRule, index: Int) {
      tail = rule.tail.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
      tailMask = rule.tail.isEmpty ? 0 : ~0 >> UInt64(64 - 8 * min(8, rule.tail.count))
      head = rule.head.span.bigEndianPrefix
      headMask =
        rule.headIsWhole
        ? ~0 : rule.head.isEmpty ? 0 : ~0 << UInt64(64 - 8 * min(8, rule.head.count))
      self.rule = Int32(clamping: index)
      isForFolders = rule.isForFolders
      matchesName = rule.matchesName
      keeps = rule.keeps
      // A name holds no zero, so that shorter ones differ from what is padded with them.
      isEnough =
        switch rule.matcher {
        case .literal(let bytes): matchesName && bytes.count < 8
        case .suffix(let bytes): bytes.count <= 8
        case .glob: false
        }
    }
  }

  let rules: [PathRule]
  /// The keys of the rules for each last byte of a name, the last rule first.
  private let keys: [Key]
  /// Where the keys for a byte begin; those for the byte after it follow.
  private let starts: [Int32]

  init(_ rules: [PathRule]) {
    self.rules = rules
    let all = rules.indices.reversed().map { Key(rules[$0], index: $0) }
    if rules.count < 16 {
      keys = all
      starts = []
      return
    }
    var keys: [Key] = []
    var starts: [Int32] = [0]
    for byte in UInt64(0)...255 {
      keys += all.lazy.filter { $0.tailMask == 0 || $0.tail & 0xFF == byte }
      starts.append(Int32(clamping: keys.count))
    }
    self.keys = keys
    self.starts = starts
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Whether the last rule that matches keeps an entry; nil if none matches.
  ///
  /// - Parameters:
  ///   - entry: Its name.
  ///   - arena: Where the name lies.
  ///   - path: The path of the entry, made when it is needed.
  ///   - base: How many bytes of the path lead to the folder that the rules are about.
  func keeps(
    _ entry: CandidateName, in arena: Span<UInt8>, path: inout EntryPath, base: Int
  ) -> Bool? {
    let range =
      starts.isEmpty
      ? 0..<keys.count
      : Int(starts[Int(entry.tail & 0xFF)])..<Int(starts[Int(entry.tail & 0xFF) + 1])
    for index in range {
      let key = keys[index]
      if entry.tail & key.tailMask != key.tail || entry.head & key.headMask != key.head
        || (key.isForFolders && !entry.isFolder)
      {
        continue
      }
      if key.isEnough { return key.keeps }
      let matches: Bool
      if key.matchesName {
        matches = rules[Int(key.rule)].matches(arena.extracting(entry.range))
      } else {
        path.load(entry, from: arena)
        matches = rules[Int(key.rule)].matches(
          path.bytes.span.extracting(base..<path.bytes.count))
      }
      if matches { return key.keeps }
    }
    return nil
  }
}

/// A set of bytes, as a bit for each.
struct ByteSet: Sendable, Equatable, BitwiseCopyable {
  private var words = SIMD4<UInt64>(repeating: 0)

  init() {}

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { insert(byte) }
  }

  func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0 }

  mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

  mutating func remove(_ byte: UInt8) { words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63)) }

  mutating func formUnion(_ other: ByteSet) { words |= other.words }

  mutating func invert() { words = ~words }

  /// Adds the capitals of its small letters of ASCII, and the other way round.
  ///
  /// - Returns: Whether it has any.
  @discardableResult
  mutating func foldCase() -> Bool {
    // Letters lie in one word, a capital 32 bits below its small letter.
    let letters: UInt64 = 0x07FF_FFFE
    let found = (words[1] | words[1] >> 32) & letters
    words[1] |= found | found << 32
    return found != 0
  }

  /// The bytes of a POSIX character class in ASCII, as git has them: a space is one of four.
  init?(className: some Sequence<UInt8>) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
    let graphic: ClosedRange<UInt8> = 0x21...0x7E
    self.init()
    switch String(decoding: Array(className), as: UTF8.self) {
    case "alnum":
      self = ByteSet(digits)
      formUnion(ByteSet(upper))
      formUnion(ByteSet(lower))
    case "alpha":
      self = ByteSet(upper)
      formUnion(ByteSet(lower))
    case "blank": self = ByteSet([0x20, 0x09])
    case "cntrl":
      self = ByteSet(0..<0x20)
      insert(0x7F)
    case "digit": self = ByteSet(digits)
    case "graph": self = ByteSet(graphic)
    case "lower": self = ByteSet(lower)
    case "print": self = ByteSet(0x20...0x7E)
    case "punct":
      self = ByteSet(
        graphic.lazy.filter {
          !digits.contains($0) && !upper.contains($0) && !lower.contains($0)
        })
    case "space": self = ByteSet([0x20, 0x09, 0x0A, 0x0D])
    case "upper": self = ByteSet(upper)
    case "xdigit":
      self = ByteSet(digits)
      formUnion(ByteSet(UInt8(ascii: "a")...UInt8(ascii: "f")))
      formUnion(ByteSet(UInt8(ascii: "A")...UInt8(ascii: "F")))
    default: return nil
    }
  }
}
