import GeoCore
import GeoSystem
import Synchronization

/// What comes in from the system while a thread that deals with it is busy: changes in folders, and
/// signals.
///
/// A thread of its own takes changes out of the system's queue, which holds few of them, as soon as they
/// are there.
package final class EventInbox: @unchecked Sendable {
  // Sendable: what it holds is touched inside the monitor only.
  private let monitor = Monitor()
  /// Where changes come from; who takes them holds it.
  private let source = Mutex(Source())
  private var pieces: [Piece] = []
  private var bytes = 0
  private var requests: [SignalPipe.Request] = []
  /// How many pieces had come in before the first of the requests.
  private var ahead = 0
  private var hasLost = false
  private var failure: Errno?

  /// How many bytes of changes are kept; what comes while there are more is lost, and said to be.
  private static let mostBytes = 64 << 20

  /// About how many bytes of changes are taken at once.
  private static let mostTaken = 256 << 10

  /// Where changes come from.
  private struct Source {
    var watcher: (any FolderNotifier)?
    /// All that had happened by then was taken.
    var since: Int64 = 0
  }

  /// Changes as the system has them, and when they were read.
  package struct Piece: Sendable {
    package var records: [UInt8]
    /// On the clock of ``ThisProcess/nanoseconds``.
    package var time: Int64
    /// All that had happened by then is in it or in pieces before it; on the same clock.
    package var since: Int64
  }

  /// What has come in.
  package struct Content: Sendable {
    package var pieces: [Piece] = []
    package var requests: [SignalPipe.Request] = []
    /// Whether changes after those had to be thrown away.
    package var hasLost = false
    /// Why nothing more will come from the watcher.
    package var failure: Errno?
  }

  /// An inbox that nobody puts anything into.
  package init() {}

  /// Takes in what a watcher tells, from now on.
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

  /// Takes a piece out of the system's queue, if there is any.
  ///
  /// - Returns: Whether nothing is left of what had happened before the call.
  @discardableResult
  private func take() throws(Errno) -> Bool {
    // From taking to keeping, so that pieces stay in their order.
    let outcome: Result<Bool, Errno> = source.withLock { source in
      guard let watcher = source.watcher, watcher.hasRecords else { return .success(true) }
      var records: [UInt8] = []
      let isAll: Bool
      do throws(Errno) {
        let start = ThisProcess.nanoseconds
        isAll = try watcher.nextRecords(appendingTo: &records)
        if isAll { source.since = start }
      } catch {
        return .failure(error)
      }
      if records.isEmpty { return .success(isAll) }
      // It was read into more room than it needs, and many pieces may wait.
      var exact: [UInt8] = []
      exact.reserveCapacity(records.count)
      exact += records
      let piece = Piece(records: exact, time: ThisProcess.nanoseconds, since: source.since)
      put {
        if bytes > Self.mostBytes {
          hasLost = true
        } else {
          bytes += piece.records.count
          pieces.append(piece)
        }
      }
      return .success(isAll)
    }
    return try outcome.get()
  }

  /// Takes in all that has happened by now, whether the thread that does so has come to it or not.
  package func gather() {
    // A watcher that fails is reported by its own thread.
    while let isAll = try? take(), !isAll {}
  }

  /// Takes in signals, from now on.
  package func receive(from signals: SignalPipe) throws(Errno) {
    try WorkerThread.start { [self] in
      while let requests = try? signals.next() {
        // What happened before a signal stands before it.
        gather()
        put { add(requests) }
      }
    }
  }

  /// Asks whoever waits for something.
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

  /// Waits for something to come in, up to a time at most, and takes the beginning of it, so that what was
  /// dealt with makes room; requests come with the last of the changes before them, and losses at the end.
  ///
  /// - Parameter deadline: On the clock of ``ThisProcess/nanoseconds``.
  package func wait(until deadline: Int64) -> Content {
    monitor.withLock {
      while pieces.isEmpty, requests.isEmpty, !hasLost, failure == nil {
        let rest = deadline - ThisProcess.nanoseconds
        if rest <= 0 { break }
        monitor.waitInReserve(nanoseconds: rest)
      }
      var taken = 0
      let part = pieces.prefix { piece in
        defer { taken += piece.records.count }
        return taken < Self.mostTaken
      }
      if part.count < pieces.count {
        var content = Content(pieces: Array(part))
        pieces.removeFirst(part.count)
        bytes -= content.pieces.reduce(0) { $0 + $1.records.count }
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

/// What has happened to an entry of a tree.
package struct TreeChange: Hashable, Sendable {
  /// What became of it.
  package enum What: String, Sendable, Hashable {
    case created
    /// Its content is another one.
    case modified
    case deleted
    /// It was given another name, in its folder or another one of the tree.
    case moved
    /// What is known of it is another, but not its content.
    case attributes
  }

  package var what: What
  /// The root's label and the names, joined by `/`; of an entry that was moved, the new ones.
  package var path: [UInt8]
  /// Of an entry that was moved, the path before.
  package var from: [UInt8]?
  package var isFolder: Bool
  /// Bytes of a file; nil if they are not known.
  package var size: Int64?
  /// When it was told, on the clock of ``ThisProcess/nanoseconds``.
  package var time: Int64
}

/// Who is told what happens in trees.
package protocol TreeObserver: AnyObject {
  /// Something has happened to an entry. What is gone is still known at this moment, with all that was
  /// around it.
  func note(_ change: TreeChange)

  /// The system has thrown away changes; what they were is found out by looking.
  ///
  /// - Parameter time: When the last changes were told before.
  func noteLoss(since time: Int64)
}

/// What of trees is not watched.
package protocol TreeFilter: AnyObject {
  /// Whether a folder is entered.
  func enters(_ path: [UInt8]) -> Bool

  /// The files of a folder that are shown.
  func shownFiles(of path: [UInt8]) -> NameTable?
}

/// Finds out what happens in trees, and tells an observer. It belongs to one thread.
package protocol TreeWatching: AnyObject {
  /// Who is told.
  var observer: (any TreeObserver)? { get set }
  /// Files that are treated as not there, and folders that are not entered.
  var ignored: Set<FileSystem.Identity> { get set }
  /// In which way changes are found out.
  var way: WatchWay { get }
  /// How many folders can't be watched.
  var unwatched: Int { get }
  /// How many folders could not be listed when they were looked at.
  var unreadable: Int { get }

  /// Has what the system tells put into an inbox from now on.
  func tell(_ inbox: EventInbox) throws(Errno)

  /// Does what has to be done once, at the beginning.
  func start()

  /// Takes in what the system has told.
  func process(_ piece: EventInbox.Piece)

  /// Changes were thrown away before they came here.
  func noteLostPieces()

  /// When ``tick(at:)`` has something to do; nil if nothing is waited for.
  var deadline: Int64? { get }

  /// Does what was put off, and looks for what was lost.
  func tick(at now: Int64)

  /// Does all that was put off, at the end.
  func finish(at now: Int64)
}

extension TreeWatcher: TreeWatching {}

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
