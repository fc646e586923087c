import GeoCore
import GeoPipeline
import GeoTree

/// Finds the visible files that meet conditions.
final class MatchVisitor: ScanVisitor {
  /// Hides the entries that the world hides; nil if it shows everything.
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
    var decisions = visit.decisions(ofAll: folders.count)
    var ignored: [Int] = []
    if let shown {
      shown.judgeFolders(folders, in: visit.path, scope: scope, into: &verdicts)
      var kept = 0
      for index in decisions.indices where decisions[index] != .hidden {
        if verdicts[index].reason != nil {
          decisions[index] = .hidden
          continue
        }
        if verdicts[index].isIgnored { ignored.append(kept) }
        kept += 1
      }
    }
    var decision = FolderDecision(
      plan: MatchPlan(scope: scope, ignored: ignored), decisions: decisions, wantsFiles: true)
    decision.faults = faults
    return decision
  }

  /// git's rules in a folder; nil if the selection doesn't use them.
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

  /// Searched entries count, too: a search with few results still reports its progress.
  var weight: Int {
    part.names.count + part.files.count * MemoryLayout<MatchPart.File>.stride
      + part.runs.count * 96 + part.lookedAt * 4 + part.folders * 32
  }

  func takeContent() -> MatchPart {
    defer { part = MatchPart() }
    return part
  }
}
