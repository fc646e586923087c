import GeoCore
import GeoFormats
import GeoSources
import GeoSystem
import GeoTree

/// A folder's data that its sub-folders need when they are read.
final class SnapshotPlan: Sendable {
  let depth: Int
  /// The indices, among all sub-folders, of those that are entered; empty if all are.
  let numbers: [Int]

  init(depth: Int, numbers: [Int] = []) {
    self.depth = depth
    self.numbers = numbers
  }
}

/// Collects a scan for a snapshot. Entries that are left out are kept by name and kind.
final class SnapshotVisitor: ScanVisitor {
  struct Content: Sendable {
    var part = SnapshotPart()
    var summary = MapSummary()
  }

  private var content = Content()

  func enter(
    _ visit: FolderVisit<SnapshotPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<SnapshotPlan>? {
    var folder = self.folder(visit)
    folder.isListed = true
    folder.fileCount = visit.fileCount
    folder.folderCount = folders.count
    content.part.add(folder, at: visit.path, folders: folders, leavingOut: visit.leftOut)
    for entry in visit.leftOut { content.summary.excluded.add(for: entry.reason ?? .pattern) }
    let decisions = visit.decisions(ofAll: folders.count)
    let plan = SnapshotPlan(
      depth: visit.parentPlan.depth + 1,
      numbers: visit.leftOut.isEmpty ? [] : decisions.indices.filter { decisions[$0] == .entered })
    return FolderDecision(plan: plan, decisions: decisions, wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<SnapshotPlan>) {
    var folder = self.folder(visit)
    folder.isListed = false
    content.part.add(folder, at: visit.path, folders: NameTable())
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

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: SnapshotPlan,
    facts: [EntryFacts]
  ) {
    content.summary.excluded.add(facts)
    for known in facts {
      switch known.status {
      case .hidden, .vanished: continue
      case .unreadable: content.summary.unreadable += 1
      case .known, .sized, .unasked: break
      }
      content.summary.files += 1
    }
    content.part.addFiles(names, range, of: path, facts: facts)
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
