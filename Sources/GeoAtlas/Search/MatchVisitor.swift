import GeoCore
import GeoTree

final class MatchVisitor: ScanVisitor {
  private let wanted: Selector
  private let sorts: Set<FileSort>
  private var part = MatchPart()

  init(_ conditions: FileConditions) {
    wanted = Selector(conditions.selection)
    sorts = conditions.sorts
  }

  func enter(
    _ visit: FolderVisit<MatchPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<MatchPlan>? {
    part.folders += 1
    return FolderDecision(
      plan: MatchPlan(), decisions: visit.decisions(ofAll: folders.count), wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<MatchPlan>) {}

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: MatchPlan,
    facts: inout [EntryFacts]
  ) {
    part.lookedAt += facts.count { $0.leftOut == nil }
    wanted.selectFiles(names, range, in: path, scope: nil, facts: &facts)
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
    wanted.selectByMetadata(&facts)
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
