import GeoSystem

/// Changes that were received and are not processed yet.
struct PendingChanges {
  struct Batch {
    let changes: [FolderWatcher.Change]
    /// As those of ``EventInbox/Piece``.
    let time, since: Int64
  }

  private var batches: ArraySlice<Batch> = []
  private var leaving: [UInt32: FolderWatcher.Change] = [:]

  private static let maximumBatches = 1000
  /// With more, none is looked for.
  private static let maximumDepartures = 1000

  /// No more should be received in advance.
  var isFull: Bool { batches.count >= Self.maximumBatches }

  /// What was moved away by changes that are not processed yet, in their order.
  var departures: [FolderWatcher.Change] {
    leaving.count > Self.maximumDepartures
      ? [] : leaving.sorted { $0.key < $1.key }.map(\.value)
  }

  mutating func add(_ pieces: [EventInbox.Piece], by watcher: any FolderNotifier) {
    for piece in pieces {
      let changes = watcher.changes(in: piece.records[...])
      for change in changes where change.what == .removed && change.cookie != 0 {
        leaving[change.cookie] = change
      }
      batches.append(Batch(changes: changes, time: piece.time, since: piece.since))
    }
  }

  mutating func next() -> Batch? { batches.popFirst() }

  mutating func finish(_ change: FolderWatcher.Change) {
    if change.what == .removed, change.cookie != 0 { leaving[change.cookie] = nil }
  }
}
