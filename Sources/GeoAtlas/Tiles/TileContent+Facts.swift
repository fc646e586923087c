import GeoCore
import GeoTree

extension TileContent.Node {
  /// Takes what is known of a file.
  mutating func take(_ facts: EntryFacts) {
    if facts.status == .known || facts.status == .sized { size = facts.size }
    if facts.status == .known { modified = facts.modified }
    isUnreadable = facts.status == .unreadable
    special = facts.kind == .regular ? nil : facts.kind
  }
}

extension TreeTotals {
  /// What is known of what is below a folder, as tiles tell it.
  package func below(_ number: Int) -> TileContent.Below? {
    guard let sums = self[number] else { return nil }
    let details = details(of: number)
    return TileContent.Below(
      files: sums.files, bytes: sums.bytes, newest: details?.newest,
      type: details?.largestClass.flatMap { FileType(rawValue: UInt8($0)) }?.word)
  }
}
