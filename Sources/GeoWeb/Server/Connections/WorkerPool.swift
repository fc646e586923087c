import GeoSystem

/// Threads that answer requests which take a while: they read folders, and may block.
final class WorkerPool: @unchecked Sendable {
  // Sendable: the jobs are touched inside the monitor only.
  private let monitor = Monitor()
  private var jobs: [(reply: Reply?, run: @Sendable () -> Void)] = []
  private var running = 0
  private let limit: Int

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - threads: How many.
  ///   - limit: How many jobs may wait.
  init(threads: Int, limit: Int) throws(Errno) {
    self.limit = limit
    for _ in 0..<threads {
      try WorkerThread.start(stackSize: 1 << 20) { [self] in
        while true {
          next()()
          monitor.withLock { running -= 1 }
        }
      }
    }
  }

  /// Whether anything is being done, or waits.
  var isBusy: Bool { monitor.withLock { running > 0 || !jobs.isEmpty } }

  /// Has a job done, unless too many wait.
  ///
  /// - Parameter reply: Where its result goes: if nobody waits for it any more, it isn't begun. Nil if
  ///   nobody waits for it yet.
  func add(for reply: Reply?, _ run: @escaping @Sendable () -> Void) -> Bool {
    monitor.withLock {
      if jobs.count >= limit { jobs.removeAll { $0.reply?.isCancelled == true } }
      if jobs.count >= limit { return false }
      jobs.append((reply, run))
      monitor.wakeOne()
      return true
    }
  }

  private func next() -> @Sendable () -> Void {
    monitor.withLock {
      while true {
        while let job = jobs.first {
          jobs.removeFirst()
          if job.reply?.isCancelled == true { continue }
          running += 1
          return job.run
        }
        monitor.wait()
      }
    }
  }
}
