import GeoCore

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
  /// Whether only folders can match.
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

  /// Parses a glob for names of files.
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
  /// Chooses the fastest comparison with a name or a path.
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

/// An ordered list of rules, of which the last match decides.
///
/// Most rules fix the end of a name. They are indexed by the last byte, then compared by the first
/// and last eight bytes at once, so only a few of hundreds of rules are examined.
final class RuleList: Sendable {
  /// The part of a rule that is compared first, and its effect if that is sufficient.
  private struct Key: BitwiseCopyable, Sendable {
    let tail: UInt64
    let tailMask: UInt64
    let head: UInt64
    let headMask: UInt64
    let rule: Int32
    let isForFolders: Bool
    let matchesName: Bool
    let keeps: Bool
    /// Whether a name with these ends surely matches.
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
      // Names contain no zero byte, so the padding with zeros distinguishes shorter names.
      isEnough =
        switch rule.matcher {
        case .literal(let bytes): matchesName && bytes.count < 8
        case .suffix(let bytes): bytes.count <= 8
        case .glob: false
        }
    }
  }

  let rules: [PathRule]
  /// The keys of the rules that can match each last byte of a name, the last rule first.
  private let keys: [Key]
  /// The index of the first key for each byte; empty for short lists, which have no index.
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

  /// Whether the last matching rule keeps an entry; nil if none matches.
  ///
  /// - Parameters:
  ///   - entry: The name of the entry.
  ///   - arena: The bytes that contain the name.
  ///   - path: The path of the entry, built when needed.
  ///   - base: The length of the path prefix up to the rules' folder.
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

/// A set of bytes, as a bit map.
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

  /// Adds the other case of its ASCII letters.
  ///
  /// - Returns: Whether it contains any.
  @discardableResult
  mutating func foldCase() -> Bool {
    // All letters are in one word; a capital is 32 bits below its small letter.
    let letters: UInt64 = 0x07FF_FFFE
    let found = (words[1] | words[1] >> 32) & letters
    words[1] |= found | found << 32
    return found != 0
  }

  /// The bytes of a POSIX character class in ASCII, as in git: `space` has only four bytes.
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
