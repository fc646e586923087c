import GeoChange
import GeoCore
import GeoFormats
import GeoTree

package struct Knowledge: Sendable {
  package let totals: TreeTotals?
  /// The differences, in a world of two states.
  package let changes: ChangeTree?

  package init(_ totals: TreeTotals? = nil, _ changes: ChangeTree? = nil) {
    (self.totals, self.changes) = (totals, changes)
  }

  var isEmpty: Bool { totals == nil && changes == nil }

  /// Whether some differences could not be read from their scratch file, so that answers that were
  /// made with them may be incomplete.
  package var isLost: Bool { changes?.failure != nil }

  /// A folder's numbers in the totals and in the differences.
  struct Numbers {
    var total = TreeTotals.missing
    var change = ChangeTree.missing
  }

  func numbers(of path: [UInt8]) -> Numbers {
    let names = path.components
    return Numbers(
      total: totals?.number(of: names) ?? TreeTotals.missing,
      change: changes?.number(of: names) ?? ChangeTree.missing)
  }

  /// The numbers of sub-folders of a folder, or of roots, sorted by name.
  func numbers(of folders: NameTable, in parent: Numbers?) -> [Numbers] {
    var numbers = Array(repeating: Numbers(), count: folders.count)
    for (index, number) in (totals?.numbers(of: folders, in: parent?.total) ?? []).enumerated() {
      numbers[index].total = number
    }
    for (index, number) in (changes?.numbers(of: folders, in: parent?.change) ?? []).enumerated() {
      numbers[index].change = number
    }
    return numbers
  }

  /// The totals of a folder in each of two states, if known.
  func states(of folder: Numbers) -> [FolderTotals]? {
    changes.flatMap { $0.sums(ofFolder: folder.change)?.totals($0.measure) }
  }

  func difference(of folder: Numbers) -> NodeDifference? {
    changes?.difference(ofFolder: folder.change)
  }
}

extension TreeTotals {
  package func complete(_ record: inout FeatureRecord, _ number: Int) {
    guard let sums = self[number] else { return }
    record.totals = sums
    guard let details = details(of: number) else { return }
    record.newest = details.newest
    record.type = details.largestClass.flatMap { FileType(rawValue: UInt8($0)) }?.word
  }
}
