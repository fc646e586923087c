import GeoCore
import GeoSystem
import Synchronization

/// Collects changes and signals from the system while the thread that processes them is busy.
///
/// A separate thread empties the system's queue, which is short, as soon as changes arrive.
package final class EventInbox: @unchecked Sendable {
  // Sendable: mutable state is accessed only inside the monitor.
  private let monitor = Monitor()
  /// Its lock is held while changes are taken.
  private let source = Mutex(Source())
  private var pieces: [Piece] = []
  private var bytes = 0
  private var requests: [SignalPipe.Request] = []
  /// Number of pieces that arrived before the first request.
  private var ahead = 0
  private var hasLost = false
  private var failure: Errno?

  /// Maximum memory of waiting changes, in bytes; further ones are dropped and reported as lost.
  private let maximumBytes: Int

  /// Approximate size of what one ``wait(until:)`` returns, in bytes.
  private static let maximumTaken = 256 << 10

  private struct Source {
    var watcher: (any FolderNotifier)?
    /// All changes before this time were taken.
    var since: Int64 = 0
  }

  package struct Piece: Sendable {
    package var records: [UInt8]
    /// On the clock of ``ThisProcess/nanoseconds``.
    package var time: Int64
    /// All changes before this time are in this piece or earlier ones.
    package var since: Int64

    /// Approximate memory, in bytes: many pieces have a single short record.
    fileprivate var cost: Int { records.count + 80 }
  }

  package struct Content: Sendable {
    package var pieces: [Piece] = []
    package var requests: [SignalPipe.Request] = []
    /// Whether changes after these were dropped.
    package var hasLost = false
    /// Why the watcher reports nothing more.
    package var failure: Errno?
  }

  package init(maximumBytes: Int = 16 << 20) { self.maximumBytes = maximumBytes }

  package func receive(from watcher: any FolderNotifier) throws(Errno) {
    source.withLock { $0.watcher = watcher }
    try WorkerThread.start { [self] in
      while true {
        do throws(Errno) {
          try watcher.awaitRecords()
          try take()
        } catch {
          return put { failure = error }
        }
      }
    }
  }

  /// Ends the watching, and with it the thread that receives changes.
  package func end() { source.withLock { $0.watcher }?.end() }

  /// Takes a piece from the system's queue, if there is one. Returns whether all changes from
  /// before the call have been taken.
  @discardableResult
  private func take() throws(Errno) -> Bool {
    // The lock covers taking and storing, so that pieces stay in order.
    try source.withLock { (source) throws(Errno) -> Bool in
      guard let watcher = source.watcher, watcher.hasRecords else { return true }
      var records: [UInt8] = []
      let start = ThisProcess.nanoseconds
      let isAll = try watcher.nextRecords(appendingTo: &records)
      if isAll { source.since = start }
      if records.isEmpty { return isAll }
      // Copied to its exact size, as many pieces may wait.
      var exact: [UInt8] = []
      exact.reserveCapacity(records.count)
      exact += records
      let piece = Piece(records: exact, time: ThisProcess.nanoseconds, since: source.since)
      put {
        if bytes > maximumBytes {
          hasLost = true
        } else {
          bytes += piece.cost
          pieces.append(piece)
        }
      }
      return isAll
    }
  }

  /// Takes all changes up to now, without waiting for the separate thread.
  package func gather() {
    // The separate thread reports errors of the watcher.
    while let isAll = try? take(), !isAll {}
  }

  /// Takes all changes up to now that precede the next request, without waiting.
  package func takeMore() -> [Piece] {
    gather()
    return monitor.withLock {
      let part = Array(requests.isEmpty ? pieces[...] : pieces.prefix(max(0, ahead)))
      pieces.removeFirst(part.count)
      bytes -= part.reduce(0) { $0 + $1.cost }
      ahead -= part.count
      return part
    }
  }

  package func receive(from signals: SignalPipe) throws(Errno) {
    try WorkerThread.start { [self] in
      while let requests = try? signals.next() {
        // Changes before a signal must precede it.
        gather()
        put { add(requests) }
      }
    }
  }

  package func put(_ request: SignalPipe.Request) {
    gather()
    put { add([request]) }
  }

  private func add(_ new: [SignalPipe.Request]) {
    if requests.isEmpty { ahead = pieces.count }
    requests += new
  }

  private func put(_ body: () -> Void) {
    monitor.withLock {
      body()
      monitor.wakeReserve()
    }
  }

  /// Waits until something arrives, at most until the deadline, and returns the beginning of it.
  /// Requests come with the last changes before them, losses at the end. The deadline is on the clock
  /// of ``ThisProcess/nanoseconds``.
  package func wait(until deadline: Int64) -> Content {
    monitor.withLock {
      while pieces.isEmpty, requests.isEmpty, !hasLost, failure == nil {
        let rest = deadline - ThisProcess.nanoseconds
        if rest <= 0 { break }
        monitor.waitInReserve(nanoseconds: rest)
      }
      var taken = 0
      let part = pieces.prefix { piece in
        defer { taken += piece.cost }
        return taken < Self.maximumTaken
      }
      if part.count < pieces.count {
        var content = Content(pieces: Array(part))
        pieces.removeFirst(part.count)
        bytes -= content.pieces.reduce(0) { $0 + $1.cost }
        ahead -= content.pieces.count
        if ahead <= 0 { swap(&content.requests, &requests) }
        return content
      }
      defer {
        pieces = []
        bytes = 0
        requests = []
        hasLost = false
        failure = nil
      }
      return Content(pieces: pieces, requests: requests, hasLost: hasLost, failure: failure)
    }
  }
}

/// Folders that were read while older changes may have been unreported. Such a change may show that
/// another folder was at the path at that time.
struct RecentReads {
  private var newer: Set<Int32> = []
  private var older: Set<Int32> = []
  /// All of `older` were read before this time.
  private var turn: Int64 = 0

  /// Upper bound.
  var count: Int { newer.count + older.count }

  mutating func insert(_ folder: Int32) { newer.insert(folder) }

  func contains(_ folder: Int32) -> Bool { newer.contains(folder) || older.contains(folder) }

  func filter(_ isMeant: (Int32) -> Bool) -> Set<Int32> {
    newer.union(older).filter(isMeant)
  }

  /// Drops folders that no older change can affect, once all changes before `time` are processed.
  /// O(1), amortized over the added folders.
  mutating func drop(until time: Int64, now: Int64) {
    guard time >= turn else { return }
    older = newer
    newer = []
    turn = now
  }
}

/// Holds changes from the first half of a rename until the second half arrives.
///
/// The second half follows directly, except for changes from other processors in between.
struct HeldChanges {
  private var changes: [FolderWatcher.Change] = []
  private(set) var since: Int64 = 0

  /// Maximum wait for the second half, in nanoseconds.
  static let patience: Int64 = 20_000_000

  var isEmpty: Bool { changes.isEmpty }

  var deadline: Int64? { changes.isEmpty ? nil : since + Self.patience }

  /// Adds changes that the system reported at `time`, and returns those that can be processed now.
  /// Times are in nanoseconds on the clock of ``ThisProcess/nanoseconds``.
  mutating func release(
    with new: [FolderWatcher.Change], reportedAt time: Int64, now: Int64
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

  /// The missing half won't arrive.
  mutating func releaseAll() -> [FolderWatcher.Change] {
    defer { changes = [] }
    return changes
  }
}
