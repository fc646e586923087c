/// Folders that were looked at while the system may have had more to tell: what it tells later may be of a time
/// before, when another folder was in the place of the one that was meant.
struct RecentLooks {
  private var newer: Set<Int32> = []
  private var older: Set<Int32> = []
  /// All of the older ones were looked at before this.
  private var turn: Int64 = 0

  /// About how many there are.
  var count: Int { newer.count + older.count }

  /// Notes that a folder is looked at now.
  mutating func note(_ folder: Int32) { newer.insert(folder) }

  func contains(_ folder: Int32) -> Bool { newer.contains(folder) || older.contains(folder) }

  /// Those of them that a condition holds for.
  func filter(_ isMeant: (Int32) -> Bool) -> Set<Int32> {
    newer.union(older).filter(isMeant)
  }

  /// Drops those after which nothing of a time before can be told any more.
  ///
  /// - Parameters:
  ///   - time: All that had happened by then was dealt with.
  ///   - now: What time it is.
  /// - Complexity: O(1), amortised over those that are noted.
  mutating func drop(until time: Int64, now: Int64) {
    guard time >= turn else { return }
    older = newer
    newer = []
    turn = now
  }
}
