import GeoPath

/// Rules in their order, of which the last one that matches decides.
///
/// Most rules say how a name must end. They are found by its last byte, then by its last eight
/// bytes at once, so that of hundreds of rules only a few are looked at.
final class RuleList: Sendable {
  /// What a name is compared with before anything else.
  private struct Key: BitwiseCopyable, Sendable {
    let tail: UInt64
    let mask: UInt64
    let rule: Int32
    let isForFolders: Bool

    init(_ rule: PathRule, index: Int) {
      tail = rule.tail.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
      mask = rule.tail.isEmpty ? 0 : ~0 >> UInt64(64 - 8 * min(8, rule.tail.count))
      self.rule = Int32(clamping: index)
      isForFolders = rule.isForFolders
    }
  }

  let rules: [PathRule]
  /// The keys of the rules for each last byte of a name, the last rule first.
  private let keys: [Key]
  /// Where the keys for a byte begin; those for the byte behind it follow.
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
      keys += all.lazy.filter { $0.mask == 0 || $0.tail & 0xFF == byte }
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
    _ entry: EntryName, in arena: Span<UInt8>, path: inout EntryPath, base: Int
  ) -> Bool? {
    let range =
      starts.isEmpty
      ? 0..<keys.count
      : Int(starts[Int(entry.tail & 0xFF)])..<Int(starts[Int(entry.tail & 0xFF) + 1])
    for index in range {
      let key = keys[index]
      if entry.tail & key.mask != key.tail || (key.isForFolders && !entry.isFolder) { continue }
      let rule = rules[Int(key.rule)]
      if rule.matchesName {
        if rule.matches(arena.extracting(entry.range)) { return rule.keeps }
      } else {
        path.load(entry, from: arena)
        if rule.matches(path.bytes.span.extracting(base..<path.bytes.count)) { return rule.keeps }
      }
    }
    return nil
  }
}
