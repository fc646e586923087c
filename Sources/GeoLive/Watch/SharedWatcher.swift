import GeoCore
import GeoSystem
import GeoTree

/// Shares one system watcher between several parts of the program, each with its own watched
/// folders.
///
/// A separate thread takes changes from the system's queue and passes them to all parts. If one part
/// watches whole trees, it also passes what it finds in them to a live tree.
package final class SharedWatcher: @unchecked Sendable {
  // Sendable: mutable state is accessed only inside the monitor.
  private let monitor = Monitor()
  private let base: any FolderNotifier
  private var queues: [Queue] = []
  private var failure: Errno?
  /// The live tree that follows a watcher of whole trees.
  private weak var follower: LiveTree?
  private var whole: WholeTrees?

  /// Maximum size of the waiting changes of a part, in bytes; further ones are reported as lost.
  private static let maximumBytes = 16 << 20

  /// Trees of which all changes are reported.
  struct WholeTrees: Sendable {
    let labels: Set<[UInt8]>
    /// All later changes are reported; on the clock of ``ThisProcess/nanoseconds``.
    let since: Int64
  }

  private final class Queue {
    var records: [UInt8] = []
    var hasLost = false
    var hasEnded = false
    var watched: Set<Int32> = []
  }

  /// Afterwards `base` must only be used through the parts.
  package init(_ base: any FolderNotifier) throws(Errno) {
    self.base = base
    try WorkerThread.start { [self] in
      do throws(Errno) {
        while true {
          try base.awaitRecords()
          try take()
        }
      } catch {
        monitor.withLock {
          failure = error
          monitor.wakeAll()
        }
      }
    }
  }

  /// When the last part ends, so does the shared watcher.
  package func part() -> any FolderNotifier {
    let queue = Queue()
    monitor.withLock { queues.append(queue) }
    return Part(self, queue)
  }

  // MARK: Whole trees

  func connect(_ tree: LiveTree) {
    monitor.withLock {
      follower = tree
      tree.totals.follow(whole)
    }
  }

  /// All changes of some trees are passed on from now on.
  func beginWhole(_ labels: [[UInt8]]) {
    setWhole(WholeTrees(labels: Set(labels), since: ThisProcess.nanoseconds))
  }

  /// Some changes may be missing from now on.
  func endWhole() { setWhole(nil) }

  private func setWhole(_ trees: WholeTrees?) {
    monitor.withLock {
      whole = trees
      follower?.totals.follow(trees)
    }
  }

  func handle(_ change: TreeChange) {
    let (tree, since) = monitor.withLock { (follower, whole?.since) }
    guard let tree, let since else { return }
    for var change in LiveTree.FolderChange.all(of: change) {
      change.since = since
      tree.updateTotals(change)
    }
  }

  // MARK: Changes

  /// Takes a piece from the system's queue, if there is one. Returns whether all changes from
  /// before the call have been taken.
  @discardableResult
  private func take() throws(Errno) -> Bool {
    try monitor.withLock { () throws(Errno) -> Bool in
      guard base.hasRecords else { return true }
      var records: [UInt8] = []
      let isAll = try base.nextRecords(appendingTo: &records)
      for queue in queues {
        if queue.records.count > Self.maximumBytes {
          queue.hasLost = true
        } else {
          queue.records += records
        }
      }
      monitor.wakeAll()
      return isAll
    }
  }

  private final class Part: FolderNotifier, @unchecked Sendable {
    // Sendable: the queue is accessed only inside the monitor.
    private let shared: SharedWatcher
    private let queue: Queue

    init(_ shared: SharedWatcher, _ queue: Queue) { (self.shared, self.queue) = (shared, queue) }

    deinit { end() }

    func end() {
      let (shared, queue) = (shared, queue)
      shared.monitor.withLock {
        if queue.hasEnded { return }
        queue.hasEnded = true
        shared.queues.removeAll { $0 === queue }
        for folder in queue.watched { shared.forgetUnwatched(folder) }
        if shared.queues.isEmpty { shared.base.end() }
        shared.monitor.wakeAll()
      }
    }

    func watch(_ directory: Int32) throws(Errno) -> Int32 {
      try shared.monitor.withLock { () throws(Errno) -> Int32 in
        let number = try shared.base.watch(directory)
        queue.watched.insert(number)
        return number
      }
    }

    func forget(_ folder: Int32) {
      shared.monitor.withLock {
        if queue.watched.remove(folder) != nil { shared.forgetUnwatched(folder) }
      }
    }

    func awaitRecords() throws(Errno) {
      try shared.monitor.withLock { () throws(Errno) in
        while queue.records.isEmpty {
          if queue.hasEnded { throw .cancelled }
          if let failure = shared.failure { throw failure }
          shared.monitor.wait()
        }
      }
    }

    var hasRecords: Bool {
      // The separate thread reports errors.
      _ = try? shared.take()
      return shared.monitor.withLock { !queue.records.isEmpty }
    }

    @discardableResult
    func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
      let isAll = try shared.take()
      try awaitRecords()
      shared.monitor.withLock {
        records += queue.records
        queue.records = []
      }
      return isAll
    }

    func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change] {
      var changes = shared.base.changes(in: records)
      shared.monitor.withLock {
        for change in changes where change.isForgotten { queue.watched.remove(change.folder) }
        guard queue.hasLost else { return }
        queue.hasLost = false
        changes.append(.overflow)
      }
      return changes
    }
  }

  /// Call it only inside the monitor.
  private func forgetUnwatched(_ folder: Int32) {
    if !queues.contains(where: { $0.watched.contains(folder) }) { base.forget(folder) }
  }
}

extension TreeWatcher {
  package struct Notifier: Sendable {
    let watcher: any FolderNotifier
    /// Nil if it is not shared.
    let shared: SharedWatcher?

    package init() throws(Errno) { (watcher, shared) = (try FolderWatcher(), nil) }

    private init(of shared: SharedWatcher) { (watcher, self.shared) = (shared.part(), shared) }

    /// Shares the watcher with a live tree. Returns the notifier to use instead, and the watcher
    /// for the live tree.
    package func sharing() throws(Errno) -> (Notifier, SharedWatcher) {
      let shared = try SharedWatcher(watcher)
      return (Notifier(of: shared), shared)
    }
  }
}
