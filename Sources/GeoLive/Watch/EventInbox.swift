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
