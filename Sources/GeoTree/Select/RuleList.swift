/// An ordered list of rules, of which the last match decides.
///
/// Most rules fix the end of a name. They are indexed by the last byte, then compared by the first
/// and last eight bytes at once, so only a few of hundreds of rules are examined.
final class RuleList: Sendable {
  /// The part of a rule that is compared first.
  private struct Key: BitwiseCopyable, Sendable {
    let tail: UInt64
    let tailMask: UInt64
    let head: UInt64
    let headMask: UInt64
    let rule: Int32
    let isForFolders: Bool
    let matchesName: Bool
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

  /// Whether the last matching rule keeps an entry; nil if none matches. The parameters are those of
  /// ``number(of:in:path:base:)``.
  @inline(__always)
  func keeps(
    _ entry: CandidateName, in arena: Span<UInt8>, path: inout EntryPath, base: Int
  ) -> Bool? {
    number(of: entry, in: arena, path: &path, base: base).map { rules[$0].keeps }
  }

  /// The index of the last rule that matches an entry; nil if none matches. `path` is built when needed;
  /// `base` is the length of its prefix up to the rules' folder.
  func number(
    of entry: CandidateName, in arena: Span<UInt8>, path: inout EntryPath, base: Int
  ) -> Int? {
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
      if key.isEnough { return Int(key.rule) }
      let matches: Bool
      if key.matchesName {
        matches = rules[Int(key.rule)].matches(arena.extracting(entry.range))
      } else {
        path.load(entry, from: arena)
        matches = rules[Int(key.rule)].matches(
          path.bytes.span.extracting(base..<path.bytes.count))
      }
      if matches { return Int(key.rule) }
    }
    return nil
  }
}
