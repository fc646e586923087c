import GeoFormats
import GeoCore
import GeoTree
import GeoSources
import GeoSystem

/// A folder's data that its sub-folders need when they are read.
final class SnapshotPlan: Sendable {
  /// The depth of the sub-folders.
  let depth: Int
  /// The indices, among all sub-folders, of those that are entered; empty if all are.
  let numbers: [Int]
  /// git's rules in the folder.
  let scope: IgnoreScope?
  /// The indices, among the entered sub-folders, of those that git ignores.
  let ignored: [Int]
  /// Why the source leaves out files, by their index; nil where it says so of none.
  let filesLeftOut: [Int: ExclusionReason]?

  init(
    depth: Int, numbers: [Int] = [], scope: IgnoreScope? = nil, ignored: [Int] = [],
    filesLeftOut: [LeftOutEntry] = []
  ) {
    let reasons = filesLeftOut.map { ($0.index, $0.reason) }
    self.filesLeftOut =
      reasons.isEmpty ? nil : Dictionary(reasons, uniquingKeysWith: { first, _ in first })
    self.depth = depth
    self.numbers = numbers
    self.scope = scope
    self.ignored = ignored
  }
}

/// Collects a scan for a snapshot. Entries that the selection leaves out are kept by name and kind.
final class SnapshotVisitor: ScanVisitor {
  /// Part of a tree, with its counts.
  struct Content: Sendable {
    var part = SnapshotPart()
    var summary = MapSummary()
  }

  private let selector: Selector?
  private let needsMetadata: Bool
  private let git: GitRules?
  /// git's rules in the roots.
  private let scopes: [IgnoreScope]
  private var content = Content()
  /// Why files of the current run are left out, by position.
  private var exclusions: [Int: ExclusionReason] = [:]
  private var verdicts: [Selector.FolderVerdict] = []

  init(selection: Selection, git: GitRules?, scopes: [IgnoreScope]) {
    selector = selection.isActive ? Selector(selection) : nil
    needsMetadata = selection.needsMetadata
    self.git = git
    self.scopes = scopes
  }

  func enter(
    _ visit: FolderVisit<SnapshotPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<SnapshotPlan>? {
    var faults: [ScanFault] = []
    let scope = scope(of: visit, files: files, folders: folders, &faults)
    verdicts.removeAll(keepingCapacity: true)
    selector?.judgeFolders(folders, in: visit.path, scope: scope, into: &verdicts)
    if !visit.leftOut.isEmpty {
      // Entries that another snapshot had left out.
      let kept = Selector.FolderVerdict(reason: nil, isIgnored: false)
      if verdicts.isEmpty { verdicts = Array(repeating: kept, count: folders.count) }
      for (number, index) in visit.leftOut.enumerated() {
        let known = number < visit.leftOutReasons.count ? visit.leftOutReasons[number] : nil
        let reason = known ?? verdicts[index].reason ?? .pattern
        verdicts[index] = Selector.FolderVerdict(reason: reason, isIgnored: false)
      }
    }
    let reasons = verdicts.map(\.reason)
    var folder = self.folder(visit)
    folder.isListed = true
    folder.fileCount = visit.fileCount
    folder.folderCount = folders.count
    content.part.add(folder, at: visit.path, folders: folders, leavingOut: reasons)

    var decisions = [TraversalDecision](repeating: .entered, count: folders.count)
    var numbers: [Int] = []
    var ignored: [Int] = []
    if !verdicts.isEmpty {
      for (index, verdict) in verdicts.enumerated() {
        if let reason = verdict.reason {
          decisions[index] = .hidden
          content.summary.excluded.add(for: reason)
          continue
        }
        if verdict.isIgnored { ignored.append(numbers.count) }
        numbers.append(index)
      }
      if numbers.count == folders.count { numbers = [] }
    }
    let plan = SnapshotPlan(
      depth: visit.parentPlan.depth + 1, numbers: numbers, scope: scope, ignored: ignored,
      filesLeftOut: visit.filesLeftOut)
    var decision = FolderDecision(plan: plan, decisions: decisions, wantsFiles: true)
    decision.faults = faults
    return decision
  }

  func pass(_ visit: FolderVisit<SnapshotPlan>) {
    var folder = self.folder(visit)
    folder.isListed = false
    content.part.add(folder, at: visit.path, folders: NameTable(), leavingOut: [])
  }

  private func folder(_ visit: FolderVisit<SnapshotPlan>) -> SnapshotPart.Folder {
    let plan = visit.parentPlan
    var folder = SnapshotPart.Folder(
      depth: plan.depth, number: plan.numbers.isEmpty ? visit.index : plan.numbers[visit.index],
      modified: visit.modified, storage: visit.storage)
    folder.isUnreadable = visit.isUnreadable
    folder.isLoop = visit.isLoop
    content.summary.folders += 1
    if visit.isUnreadable { content.summary.unreadable += 1 }
    return folder
  }

  private func scope(
    of visit: FolderVisit<SnapshotPlan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope? {
    let plan = visit.parentPlan
    guard let git,
      let scope = plan.scope ?? (visit.index < scopes.count ? scopes[visit.index] : nil)
    else { return nil }
    return git.scope(
      plan.ignored.contains(visit.index) ? scope.ignored : scope, of: visit, files: files,
      folders: folders, &faults)
  }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: SnapshotPlan,
    facts: inout [EntryFacts]
  ) {
    if !exclusions.isEmpty { exclusions.removeAll(keepingCapacity: true) }
    selector?.selectFiles(
      names, range, in: path, scope: plan.scope, facts: &facts, counts: &content.summary.excluded
    ) {
      exclusions[$0] = $1
    }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: SnapshotPlan,
    facts: [EntryFacts]
  ) {
    var facts = facts
    if needsMetadata, let selector {
      selector.selectByMetadata(&facts, counts: &content.summary.excluded) { exclusions[$0] = $1 }
    }
    for known in facts {
      switch known.status {
      case .hidden, .vanished: continue
      case .unreadable: content.summary.unreadable += 1
      case .known, .sized, .unasked: break
      }
      content.summary.files += 1
    }
    let reasons = facts.indices.filter { facts[$0].status == .hidden }.map {
      plan.filesLeftOut?[range.lowerBound + $0] ?? exclusions[$0] ?? .pattern
    }
    content.part.addFiles(names, range, of: path, facts: facts, leavingOut: reasons)
  }

  func visit(_ storage: [FileStorage], facts: [EntryFacts]) {
    content.part.addStorage(storage)
  }

  var weight: Int { content.part.weight }

  func takeContent() -> Content {
    defer { content = Content() }
    return content
  }
}
