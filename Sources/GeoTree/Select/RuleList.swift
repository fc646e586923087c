import GeoCore

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
