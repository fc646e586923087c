import GeoCore

/// Which entries are shown, apart from where they are. It never changes where an entry is.
///
/// The rules of the command line have an order; the last one that matches an entry decides. All
/// other conditions must hold as well.
public struct Selection: Sendable {
  /// One step of the rules.
  enum Rule: Sendable {
    case globs([PathRule])
    case hidden
    case gitignore
  }

  private(set) var rules: [Rule] = []
  /// Whether a file that no glob matches is left out, because the first glob includes.
  private(set) var needsInclusion = false
  private(set) var names: [PathRule] = []
  /// What entries are shown; nil for all.
  private(set) var kinds: Set<EntryKind>?
  private(set) var sizes: [SizeCondition] = []
  /// The time, in Unix seconds, after which a file must have been changed.
  public var newer: Int64?
  /// The time, in Unix seconds, before which a file must have been changed.
  public var older: Int64?

  private var hasGlobs = false
  /// What was asked for, in the order in which it was.
  private(set) var requests: [UInt8] = []

  /// A selection that leaves nothing out.
  public init() {}

  /// Whether anything can be left out.
  public var isActive: Bool { !reasons.isEmpty }

  /// Whether rules of git are to be read.
  public private(set) var usesGitignore = false

  /// Whether files must be asked for metadata.
  public var needsMetadata: Bool { !sizes.isEmpty || newer != nil || older != nil }

  /// Whether folders are shown; if not, they are entered all the same.
  public var showsFolders: Bool { kinds?.contains(.directory) ?? true }

  /// Why entries can be left out.
  public var reasons: [ExclusionReason] {
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
      }
    }
  }

  /// A glob that means the same to readers of every age: one for any depth begins with `**/`.
  ///
  /// Globs without a `/` meant the root's own entries once. Signatures and headers of files that are kept have
  /// none of them any more, so that one that stands there is of that time; see ``modern(_:)``.
  package static func ageless(_ glob: [UInt8]) -> [UInt8] {
    glob.dropLast().contains(.slash) || glob == [.slash] ? glob : Array("**/".utf8) + glob
  }

  /// What a glob of a file that was kept means now: one without a `/` is about the root's own entries.
  package static func modern(_ glob: [UInt8]) -> [UInt8] {
    glob.dropLast().contains(.slash) ? glob : [.slash] + glob
  }

  /// Leaves out what a glob matches; a folder with all that is in it.
  ///
  /// - Parameter glob: Without a `/` in front of another byte it matches names at any depth, else paths below the
  ///   root, as a line of `.gitignore` does.
  public mutating func exclude(_ glob: [UInt8]) throws(GlobError) {
    note("exclude", Self.ageless(glob))
    add(try PathRule(glob: glob, keeps: false))
  }

  /// Keeps what a glob matches.
  ///
  /// - Parameter selectively: Whether files that no glob matches are left out, if this is the first
  ///   of all globs.
  public mutating func include(
    _ glob: [UInt8], selectively: Bool = true
  ) throws(GlobError) {
    note(selectively ? "include" : "keep", Self.ageless(glob))
    add(try PathRule(glob: glob, keeps: true), selectively: selectively)
  }

  /// Leaves out what begins with a dot.
  public mutating func excludeHidden() {
    note("hidden", [])
    rules.append(.hidden)
  }

  /// Leaves out what git ignores.
  public mutating func excludeIgnored() {
    note("gitignore", [])
    rules.append(.gitignore)
    usesGitignore = true
  }

  /// Shows files whose name matches, or matches another such glob.
  ///
  /// - Parameter ignoresCase: Whether small letters of ASCII and capitals are all the same.
  public mutating func requireName(
    _ glob: [UInt8], ignoresCase: Bool = false
  ) throws(GlobError) {
    note(ignoresCase ? "iname" : "name", glob)
    names.append(try PathRule(name: glob, ignoresCase: ignoresCase))
  }

  /// Shows files whose name matches a glob, or holds a text that is no glob, whatever its capitals.
  public mutating func requireName(partOrGlob text: [UInt8]) throws(GlobError) {
    if text.isEmpty { throw .empty }
    let asterisk = UInt8(ascii: "*")
    let isGlob = text.contains(where: Glob.isSpecial)
    try requireName(isGlob ? text : [asterisk] + text + [asterisk], ignoresCase: true)
  }

  /// Shows files of a size; all such conditions must hold.
  public mutating func requireSize(_ condition: SizeCondition) {
    note("size", Array("\(condition)".utf8))
    sizes.append(condition)
  }

  /// Shows entries of some kinds, or of other such kinds.
  public mutating func requireKinds(_ kinds: Set<EntryKind>) {
    self.kinds = (self.kinds ?? []).union(kinds)
  }

  /// What is selected, as bytes that are the same for the same requests in the same order.
  public var signature: [UInt8] {
    let kinds = (kinds ?? []).map(\.rawValue).sorted()
    let times = [newer, older].map { $0.map { "\($0)" } ?? "-" }
    return requests + Array("\(self.kinds == nil ? "all" : "\(kinds)") \(times)".utf8)
  }

  private mutating func note(_ request: StaticString, _ value: [UInt8]) {
    // No glob holds a zero.
    requests += Array("\(request) ".utf8) + value + [0]
  }

  private mutating func add(_ rule: PathRule, selectively: Bool = false) {
    if !hasGlobs { needsInclusion = selectively }
    hasGlobs = true
    // Globs that follow each other make one list, which is taken out while it grows.
    if case .globs(var list)? = rules.last {
      rules.removeLast()
      list.append(rule)
      rules.append(.globs(list))
    } else {
      rules.append(.globs([rule]))
    }
  }
}

/// How many bytes a file must have.
public enum SizeCondition: Hashable, Sendable {
  /// More than so many.
  case above(Int64)
  /// Fewer than so many.
  case below(Int64)
  /// Exactly so many.
  case exactly(Int64)

  /// Reads `+10M`, `-1kB`, `=0` or `512`: a sign for more, less or exactly (which may be left out), a
  /// whole number, and a ``SizeUnit``. Nil if it is none, or no size can be as large.
  public init?(parsing text: [UInt8]) {
    var digits = text[...]
    let sign = digits.first
    switch sign {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="): digits = digits.dropFirst()
    default: break
    }
    let unit = SizeUnit.take(from: &digits)
    guard let number = Int64(wholeNumber: digits) else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    switch sign {
    case UInt8(ascii: "+"): self = .above(bytes)
    case UInt8(ascii: "-"): self = .below(bytes)
    default: self = .exactly(bytes)
    }
  }

  /// The condition as it can be read again.
  package var text: String {
    switch self {
    case .above(let bytes): "+\(bytes)"
    case .below(let bytes): "-\(bytes)"
    case .exactly(let bytes): "=\(bytes)"
    }
  }

  /// Whether a file of so many bytes is meant.
  public func holds(for size: Int64) -> Bool {
    switch self {
    case .above(let bytes): size > bytes
    case .below(let bytes): size < bytes
    case .exactly(let bytes): size == bytes
    }
  }
}

/// A name of a listing, as rules look at it.
struct CandidateName {
  /// Where its bytes lie in the arena.
  let range: Range<Int>
  /// Its first eight bytes, the first in the highest place, padded with zeros.
  let head: UInt64
  /// Its last eight bytes, the last in the lowest place, padded with zeros.
  let tail: UInt64
  let isFolder: Bool
  let isHidden: Bool
  /// Whether it is `.git`.
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
    // ".git" and four zeros; no name holds a zero.
    isGit = record.prefix == 0x2E67_6974_0000_0000
  }
}

/// The path of an entry, from the outermost folder that rules are about: the folder's own path with
/// a `/` after it, then the name that was asked for last.
struct EntryPath {
  private(set) var bytes: [UInt8] = []
  private var folderCount = 0
  private var loaded = -1

  /// Goes to another folder.
  ///
  /// - Parameters:
  ///   - above: The path from the outermost folder to the root, empty or with a `/` at its end.
  ///   - path: The folder's path, beginning with the root's label.
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

  /// Puts the name of an entry after the folder.
  mutating func load(_ entry: CandidateName, from arena: Span<UInt8>) {
    if loaded == entry.range.lowerBound { return }
    loaded = entry.range.lowerBound
    bytes.removeSubrange(folderCount...)
    let name = arena.extracting(entry.range)
    for index in 0..<name.count { bytes.append(name[index]) }
  }
}
