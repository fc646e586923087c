import GeoCore
import GeoTree

/// Counts entries.
final class StageVisitor: ScanVisitor {
  final class Plan: Sendable {}

  private var count = 0
  private let plan = Plan()

  func enter(
    _ visit: FolderVisit<Plan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<Plan>? {
    count += 1
    return FolderDecision(
      plan: plan, decisions: Array(repeating: .entered, count: folders.count), wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<Plan>) { count += 1 }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    facts: inout [EntryFacts]
  ) {}

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan, facts: [EntryFacts]
  ) {
    count += range.count
  }

  /// The weight of usual features, so that batches have their usual size.
  var weight: Int { count * 260 }

  func takeContent() -> Int {
    defer { count = 0 }
    return count
  }
}
