import GeoCore
import GeoPipeline
import GeoTree

/// What is known of a folder's sub-folders before they are read: git's rules, if they count.
final class MatchPlan: Sendable {
  let scope: IgnoreScope?
  /// Those of the sub-folders that are entered, though git ignores them.
  let ignored: [Int]

  init(scope: IgnoreScope? = nil, ignored: [Int] = []) {
    self.scope = scope
    self.ignored = ignored
  }
}

/// Files of some folders that fulfil conditions, in the order of the tree.
struct MatchPart: Sendable {
  struct File: Sendable {
    /// Where its name ends in ``MatchPart/names``, and the next one's begins.
    let nameEnd: Int
    /// Bytes, and Unix time of the last change; nil where they are not known.
    let size: Int64?
    let modified: Int64?
    let kind: EntryKind
  }

  /// Files that follow each other in one folder.
  struct Run: Sendable {
    let path: [UInt8]
    /// Where its files end in ``MatchPart/files``.
    var end: Int
  }

  var runs: [Run] = []
  var files: [File] = []
  var names: [UInt8] = []
  /// How many files and folders were looked at.
  var lookedAt = 0
  var folders = 0
}

/// Looks which of the files that a world shows fulfil conditions; enters what the world shows.
final class MatchVisitor: ScanVisitor {
  /// What the world itself leaves out; nil if nothing.
  private let shown: Selector?
  private let git: GitRules?
  private let scopes: [IgnoreScope]
  private let wanted: Selector
  private let sorts: Set<FileSort>
  private var part = MatchPart()
  private var verdicts: [Selector.FolderVerdict] = []

  init(_ conditions: FileConditions, in visibility: Visibility) {
    shown = visibility.selection.map { Selector($0) }
    git = visibility.git
    scopes = visibility.scopes
    wanted = Selector(conditions.selection)
    sorts = conditions.sorts
  }

  func enter(
    _ visit: FolderVisit<MatchPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<MatchPlan>? {
    part.folders += 1
    var faults: [ScanFault] = []
    let scope = scope(of: visit, files: files, folders: folders, &faults)
    var admissions = visit.admissions(ofAll: folders.count)
    var ignored: [Int] = []
    if let shown {
      shown.judgeFolders(folders, in: visit.path, scope: scope, into: &verdicts)
      var kept = 0
      for index in admissions.indices where admissions[index] != .hidden {
        if verdicts[index].reason != nil {
          admissions[index] = .hidden
          continue
        }
        if verdicts[index].isIgnored { ignored.append(kept) }
        kept += 1
      }
    }
    var decision = FolderDecision(
      plan: MatchPlan(scope: scope, ignored: ignored), admissions: admissions, wantsFiles: true)
    decision.faults = faults
    return decision
  }

  /// What git's rules say in a folder; nil if they don't count.
  private func scope(
    of visit: FolderVisit<MatchPlan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope? {
    let parent = visit.parentPlan
    guard let git,
      var scope = parent.scope ?? (visit.index < scopes.count ? scopes[visit.index] : nil)
    else { return nil }
    if parent.ignored.contains(visit.index) { scope = scope.ignored }
    return git.scope(scope, of: visit, files: files, folders: folders, &faults)
  }

  func pass(_ visit: FolderVisit<MatchPlan>) {}

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: MatchPlan,
    facts: inout [EntryFacts]
  ) {
    var counts = ExclusionCounts()
    shown?.selectFiles(names, range, in: path, scope: plan.scope, facts: &facts, counts: &counts)
    part.lookedAt += facts.count - counts.total
    wanted.selectFiles(names, range, in: path, scope: nil, facts: &facts, counts: &counts)
    if sorts.isEmpty { return }
    let (records, bytes) = (names.records.span, names.bytes.span)
    for position in facts.indices where facts[position].status != .hidden {
      let record = records[range.lowerBound + position]
      if !sorts.contains(FileSort(of: bytes.extracting(record.range), record.kind)) {
        facts[position].status = .hidden
      }
    }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: MatchPlan,
    facts: [EntryFacts]
  ) {
    var facts = facts
    var counts = ExclusionCounts()
    shown?.selectByMetadata(&facts, counts: &counts)
    wanted.selectByMetadata(&facts, counts: &counts)
    let first = part.files.count
    for (position, facts) in facts.enumerated() {
      switch facts.status {
      case .hidden, .vanished: continue
      case .known, .sized, .unasked, .unreadable: break
      }
      let record = names.records[range.lowerBound + position]
      part.names += names.bytes[record.range]
      let isKnown = facts.status == .known
      part.files.append(
        MatchPart.File(
          nameEnd: part.names.count,
          size: isKnown || facts.status == .sized ? facts.size : nil,
          modified: isKnown ? facts.modified : nil, kind: facts.kind))
    }
    if part.files.count == first { return }
    if let last = part.runs.last, last.path == path {
      part.runs[part.runs.count - 1].end = part.files.count
    } else {
      part.runs.append(MatchPart.Run(path: path, end: part.files.count))
    }
  }

  /// What was looked at counts, too: a search that finds little still tells how far it is.
  var weight: Int {
    part.names.count + part.files.count * MemoryLayout<MatchPart.File>.stride
      + part.runs.count * 96 + part.lookedAt * 4 + part.folders * 32
  }

  func takeContent() -> MatchPart {
    defer { part = MatchPart() }
    return part
  }
}
