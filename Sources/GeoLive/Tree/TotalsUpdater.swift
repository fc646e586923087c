import GeoCore
import GeoPipeline
import GeoTree
import Synchronization

/// Reads folders again that have changed, for totals that are known.
struct TotalsUpdater: ~Copyable, Sendable {
  let roots: [ScanRoot]
  let counter: TotalsCounter
  private let recent = Mutex(RecentFolders())

  /// Interval at which it checks for more urgent work, in nanoseconds.
  private static let busyPause: UInt64 = 5_000_000

  init(_ roots: [ScanRoot], _ counter: TotalsCounter) {
    (self.roots, self.counter) = (roots, counter)
  }

  /// The numbers are those of folders that have changed.
  func update(
    _ known: TreeTotals, _ stale: [[UInt8]: LiveTree.FolderChange]
  ) async -> (tree: TreeTotals, folders: [Int], hasLost: Bool) {
    var tree = known
    var changed: Set<Int> = []
    var hasLost = false
    // Ancestors come first, as reading them may include later paths.
    let paths = stale.keys.sorted { $0.count < $1.count }
    for path in paths {
      guard let change = stale[path], !StaleFolders.isRead(path, with: stale) else { continue }
      let names = path.components
      let number = tree.number(of: names)
      guard number != TreeTotals.missing, let label = names.first,
        let root = roots.first(where: { $0.label.elementsEqual(label) })
      else { continue }
      while counter.isBusy() { try? await Task.sleep(nanoseconds: Self.busyPause) }
      if let update = TotalsUpdate(keepingFoldersOf: tree, number),
        let files = recent.withLock({ $0.files(after: change, below: root, tree, number) })
      {
        changed.formUnion(tree.apply(update, files))
        continue
      }
      recent.withLock { $0.removeAll() }
      let update = TotalsUpdate(
        of: tree, number, others: change.others, isDeep: change.isDeep)
      guard let part = await counter.totals(of: [root.below(path)], for: update, threads: 1) else {
        hasLost = true
        continue
      }
      changed.formUnion(tree.apply(update, part))
    }
    // Folders that were read again with all below them say what they said, until layers are summed
    // up again.
    if counter.layers != nil, stale.values.contains(where: \.isDeep) { tree.copyLayers(of: known) }
    return (tree, changed.filter { tree.isThere($0) }.sorted(), hasLost)
  }
}
