import GeoCore

/// Which entries are shown. A selection never changes where an entry is.
///
/// The rules of the command line are ordered; the last match decides. All other conditions must
/// hold as well.
public struct Selection: Sendable {
  enum Rule: Sendable {
    case globs([PathRule])
    case hidden
    case gitignore
  }

  private(set) var rules: [Rule] = []
  /// Whether files that match no glob are left out, because the first glob is an inclusion.
  private(set) var needsInclusion = false
  private(set) var names: [PathRule] = []
  /// The kinds of shown entries; nil for all.
  private(set) var kinds: Set<EntryKind>?
  private(set) var sizes: [SizeCondition] = []
  /// The Unix time in seconds after which shown files were modified; nil for any time.
  package var newer: Int64?
  /// The Unix time in seconds before which shown files were modified; nil for any time.
  package var older: Int64?
  /// The depth below which nothing is shown; nil for any depth. Folders at this depth are shown, but
  /// not read.
  public var maximumDepth: Int?

  private var hasGlobs = false
  /// The requested conditions, in order, as text.
  private(set) var requests: [UInt8] = []

  /// Makes a selection that shows everything.
  public init() {}

  package var isActive: Bool { maximumDepth != nil || !reasons.isEmpty }

  package private(set) var usesGitignore = false

  package var needsMetadata: Bool { !sizes.isEmpty || newer != nil || older != nil }

  /// Whether folders are shown. They are entered in any case.
  package var showsFolders: Bool { kinds?.contains(.directory) ?? true }

  package var reasons: [ExclusionReason] {
    ExclusionReason.allCases.filter { reason in
      switch reason {
      case .pattern: hasGlobs
      case .hidden: rules.contains { if case .hidden = $0 { true } else { false } }
      case .gitignore: usesGitignore
      case .type: kinds != nil
      case .name: !names.isEmpty
      case .size: !sizes.isEmpty
      case .newer: newer != nil
      case .older: older != nil
      case .part: false
      }
    }
  }

  /// Writes a glob so that old and new versions understand it alike: one for any depth gets the
  /// prefix `**/`.
  ///
  /// In old versions, globs without `/` meant the root's own entries. Signatures and headers now
  /// always contain a `/`, so globs without one are from old versions; see ``modern(_:)``.
  package static func ageless(_ glob: [UInt8]) -> [UInt8] {
    glob.dropLast().contains(.slash) || glob == [.slash] ? glob : Array("**/".utf8) + glob
  }

  /// Converts a glob from a stored file to its present meaning: one without `/` is for the root's
  /// own entries.
  package static func modern(_ glob: [UInt8]) -> [UInt8] {
    glob.dropLast().contains(.slash) ? glob : [.slash] + glob
  }

  /// Leaves out entries that match a glob; folders with all their contents.
  ///
  /// - Parameter glob: As in `.gitignore`: without a `/` before another byte it matches names at
  ///   any depth, otherwise paths below the root.
  package mutating func exclude(_ glob: [UInt8]) throws(GlobError) {
    record("exclude", Self.ageless(glob))
    add(try PathRule(glob: glob, keeps: false))
  }

  /// Keeps entries that match a glob. If it is the first one, files that match none can be left out.
  package mutating func include(
    _ glob: [UInt8], selectively: Bool = true
  ) throws(GlobError) {
    record(selectively ? "include" : "keep", Self.ageless(glob))
    add(try PathRule(glob: glob, keeps: true), selectively: selectively)
  }

  /// Leaves out entries whose names begin with a dot.
  public mutating func excludeHidden() {
    record("hidden", [])
    rules.append(.hidden)
  }

  /// Leaves out entries that git ignores.
  public mutating func excludeIgnored() {
    record("gitignore", [])
    rules.append(.gitignore)
    usesGitignore = true
  }

  /// Shows only files whose name matches this glob or another one given this way.
  package mutating func requireName(
    _ glob: [UInt8], ignoresCase: Bool = false
  ) throws(GlobError) {
    record(ignoresCase ? "iname" : "name", glob)
    names.append(try PathRule(name: glob, ignoresCase: ignoresCase))
  }

  /// Shows only files whose name matches a glob or, without wildcards, contains a text; ASCII case
  /// is ignored.
  package mutating func requireName(partOrGlob text: [UInt8]) throws(GlobError) {
    if text.isEmpty { throw .empty }
    let asterisk = UInt8(ascii: "*")
    let isGlob = text.contains(where: Glob.isSpecial)
    try requireName(isGlob ? text : [asterisk] + text + [asterisk], ignoresCase: true)
  }

  /// Shows only files of some sizes. All such conditions must hold.
  public mutating func requireSize(_ condition: SizeCondition) {
    record("size", Array("\(condition)".utf8))
    sizes.append(condition)
  }

  /// Shows only entries of these kinds and of those given before.
  public mutating func requireKinds(_ kinds: Set<EntryKind>) {
    self.kinds = (self.kinds ?? []).union(kinds)
  }

  /// Identifies the selection: the same bytes for the same requests in the same order.
  package var signature: [UInt8] {
    let kinds = (kinds ?? []).map(\.rawValue).sorted()
    let times = [newer, older].map { $0.map { "\($0)" } ?? "-" }
    let depth = maximumDepth.map { " \($0)" } ?? ""
    return requests + Array("\(self.kinds == nil ? "all" : "\(kinds)") \(times)\(depth)".utf8)
  }

  private mutating func record(_ request: StaticString, _ value: [UInt8]) {
    // Globs contain no zero byte.
    requests += Array("\(request) ".utf8) + value + [0]
  }

  private mutating func add(_ rule: PathRule, selectively: Bool = false) {
    if !hasGlobs { needsInclusion = selectively }
    hasGlobs = true
    // Consecutive globs form one list, moved out here so that appending doesn't copy it.
    if case .globs(var list)? = rules.last {
      rules.removeLast()
      list.append(rule)
      rules.append(.globs(list))
    } else {
      rules.append(.globs([rule]))
    }
  }
}

extension Selection {
  /// A condition on the size of a file in bytes.
  public enum SizeCondition: Hashable, Sendable {
    /// More than this many.
    case above(Int64)
    /// Fewer than this many.
    case below(Int64)
    /// Exactly this many.
    case exactly(Int64)

    /// Parses `+10M`, `-1.5kB`, `=0` or `512`: an optional sign for more, less or exactly, a number,
    /// and a `SizeUnit`. Nil if malformed or too large.
    package init?(parsing text: [UInt8]) {
      let sign = text.first ?? 0
      let digits = text.dropFirst("+-=".utf8.contains(sign) ? 1 : 0)
      guard let bytes = SizeUnit.bytes(parsing: digits) else { return nil }
      switch sign {
      case UInt8(ascii: "+"): self = .above(bytes)
      case UInt8(ascii: "-"): self = .below(bytes)
      default: self = .exactly(bytes)
      }
    }

    /// The condition in the syntax of ``init(parsing:)``, in bytes.
    package var text: String {
      switch self {
      case .above(let bytes): "+\(bytes)"
      case .below(let bytes): "-\(bytes)"
      case .exactly(let bytes): "=\(bytes)"
      }
    }

    package func holds(for size: Int64) -> Bool {
      switch self {
      case .above(let bytes): size > bytes
      case .below(let bytes): size < bytes
      case .exactly(let bytes): size == bytes
      }
    }
  }
}

/// An entry's name in the form that rules compare.
struct CandidateName {
  let range: Range<Int>
  /// The first eight bytes, the first in the highest place, padded with zeros.
  let head: UInt64
  /// The last eight bytes, the last in the lowest place, padded with zeros.
  let tail: UInt64
  let isFolder: Bool
  let isHidden: Bool
  let isGit: Bool

  @inline(__always)
  init(_ record: NameRecord, in arena: Span<UInt8>, isFolder: Bool) {
    range = record.range
    head = record.prefix
    let length = record.length
    if length >= 8 {
      tail = arena.loadWord(at: range.upperBound - 8).byteSwapped
    } else {
      tail = length == 0 ? 0 : record.prefix >> UInt64(64 - 8 * length)
    }
    self.isFolder = isFolder
    isHidden = record.prefix >> 56 == UInt64(UInt8(ascii: "."))
    // ".git" and four zeros; names contain no zero byte.
    isGit = record.prefix == 0x2E67_6974_0000_0000
  }
}

/// A buffer for the path of an entry, from the outermost folder with rules: the folder's own path
/// and `/`, then the name of the last entry.
struct EntryPath {
  private(set) var bytes: [UInt8] = []
  private var folderCount = 0
  private var loaded = -1

  /// `above` is the path from the outermost folder to the root: empty, or ending with `/`.
  mutating func enter(above: [UInt8], _ path: [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes += above
    if let cut = path.firstIndex(of: .slash) {
      bytes += path[(cut + 1)...]
      bytes.append(.slash)
    }
    folderCount = bytes.count
    loaded = -1
  }

  /// Replaces the name after the folder by that of an entry.
  mutating func load(_ entry: CandidateName, from arena: Span<UInt8>) {
    if loaded == entry.range.lowerBound { return }
    loaded = entry.range.lowerBound
    bytes.removeSubrange(folderCount...)
    let name = arena.extracting(entry.range)
    for index in 0..<name.count { bytes.append(name[index]) }
  }
}

extension Selection {
  /// The part of the selection that hides folders.
  ///
  /// The snapshot still contains folders that are not shown, because they hold shown entries.
  package var ofKinds: Selection {
    var selection = Selection()
    if !showsFolders {
      selection.requireKinds([.regular, .symlink, .fifo, .socket, .block, .character, .unknown])
    }
    return selection
  }
}
