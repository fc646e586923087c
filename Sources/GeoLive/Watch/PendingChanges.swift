import GeoSystem

/// Changes that were received and are not processed yet.
struct PendingChanges {
  /// The changes of a piece.
  struct Batch {
    let changes: [FolderWatcher.Change]
    /// As those of ``EventInbox/Piece``.
    let time, since: Int64
  }

  private var batches: ArraySlice<Batch> = []
  private var leaving: [UInt32: FolderWatcher.Change] = [:]

  /// Maximum number of batches up to which more are received in advance.
  private static let maximumBatches = 1000
  /// Maximum number of departures; with more, none is looked for.
  private static let maximumDepartures = 1000

  /// Whether no more changes should be received in advance.
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

  /// Records that a change is processed now.
  mutating func finish(_ change: FolderWatcher.Change) {
    if change.what == .removed, change.cookie != 0 { leaving[change.cookie] = nil }
  }
}
