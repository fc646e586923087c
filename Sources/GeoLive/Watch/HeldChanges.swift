import GeoSystem

/// Holds changes back from the first half of a renaming on, until the other half has come too.
///
/// The second half comes right after the first, but for what other processors put between.
struct HeldChanges {
  private var changes: [FolderWatcher.Change] = []
  /// When the system told of the first of them.
  private(set) var since: Int64 = 0

  /// How long the first half waits for the other one, in nanoseconds.
  static let patience: Int64 = 20_000_000

  var isEmpty: Bool { changes.isEmpty }

  /// When they are to be taken as they are; nil if there are none.
  var deadline: Int64? { changes.isEmpty ? nil : since + Self.patience }

  /// What can be dealt with by now, of what was held and what comes after it.
  ///
  /// - Parameters:
  ///   - new: What the system has told.
  ///   - time: When it told that, in nanoseconds.
  ///   - now: What time it is by now.
  mutating func release(
    with new: [FolderWatcher.Change], toldAt time: Int64, now: Int64
  ) -> [FolderWatcher.Change] {
    let start = changes.isEmpty ? time : since
    let all = releaseAll() + new
    let arrivals = Set(all.lazy.filter { $0.what == .added && $0.cookie != 0 }.map(\.cookie))
    let half = all.firstIndex {
      $0.what == .removed && $0.cookie != 0 && !arrivals.contains($0.cookie)
    }
    guard let half, now - start < Self.patience else { return all }
    changes = Array(all[half...])
    since = start
    return Array(all[..<half])
  }

  /// All that was held: what is missing doesn't come any more.
  mutating func releaseAll() -> [FolderWatcher.Change] {
    defer { changes = [] }
    return changes
  }
}
