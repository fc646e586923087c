import GeoSystem

/// Threads for requests that take longer: they read folders, and may block.
///
/// A job that takes long waits for its disk rather than for a processor. Another thread then takes
/// its place, so that no job waits behind a folder that it doesn't need.
final class WorkerPool: @unchecked Sendable {
  // Sendable: the state is only accessed inside the monitor.
  private struct Job {
    let reply: Reply?
    let late: (@Sendable () -> Void)?
    let run: @Sendable () -> Void
  }

  private struct Running {
    let began: Int64
    let late: (@Sendable () -> Void)?
    var isLate = false
  }

  /// When a job is late, in nanoseconds.
  static let patience: Int64 = 150_000_000
  /// How long other work gives way to a job, in nanoseconds.
  private static let urgency: Int64 = 5_000_000_000
  /// The maximum number of threads that take the place of others.
  private static let maximumLate = 64

  private let monitor = Monitor()
  private var jobs: [Job] = []
  /// The jobs that are running, by the number of their thread.
  private var running: [Int: Running] = [:]
  private var lastThread = 0
  /// The number of threads, without those whose jobs are late; and how many there should be.
  private var timely: Int
  private let threads: Int
  private let limit: Int
  private var isWatching = false

  init(threads: Int, limit: Int) throws(Errno) {
    (self.threads, timely, self.limit) = (threads, threads, limit)
    for _ in 0..<threads { try start() }
    try WorkerThread.start(stackSize: 1 << 20) { [self] in
      while true { for late in watch() { late() } }
    }
  }

  private func start() throws(Errno) {
    try WorkerThread.start(stackSize: 1 << 20) { [self] in
      let number = monitor.withLock {
        lastThread += 1
        return lastThread
      }
      while let job = next(number) { job() }
    }
  }

  /// Whether any job is running or waiting, other than those that take very long.
  var isBusy: Bool {
    monitor.withLock {
      if !jobs.isEmpty { return true }
      if running.isEmpty { return false }
      let start = ThisProcess.nanoseconds - Self.urgency
      return running.values.contains { $0.began > start }
    }
  }

  /// Adds a job; false if too many are waiting.
  ///
  /// - Parameters:
  ///   - reply: The job isn't started if the client has gone by then. Nil for work ahead of any request.
  ///   - late: Called on another thread once the job is late.
  func add(
    for reply: Reply?, late: (@Sendable () -> Void)? = nil, _ run: @escaping @Sendable () -> Void
  ) -> Bool {
    monitor.withLock {
      if jobs.count >= limit { jobs.removeAll { $0.reply?.isCancelled == true } }
      if jobs.count >= limit { return false }
      jobs.append(Job(reply: reply, late: late, run: run))
      monitor.wakeOne()
      return true
    }
  }

  /// Ends the job of a thread and waits for the next; nil if the thread isn't needed any more.
  private func next(_ thread: Int) -> (@Sendable () -> Void)? {
    monitor.withLock {
      if let ended = running.removeValue(forKey: thread), ended.isLate {
        if timely >= threads { return nil }
        timely += 1
      }
      while true {
        while let job = jobs.first {
          jobs.removeFirst()
          if job.reply?.isCancelled == true { continue }
          running[thread] = Running(began: ThisProcess.nanoseconds, late: job.late)
          if !isWatching { monitor.wakeReserve() }
          return job.run
        }
        monitor.wait()
      }
    }
  }

  /// Waits a while, and starts threads in place of those whose jobs are late by then. Returns what to
  /// call for these.
  private func watch() -> [@Sendable () -> Void] {
    let late = monitor.withLock {
      if running.isEmpty { monitor.waitInReserve() }
      isWatching = true
      monitor.waitInReserve(nanoseconds: Self.patience / 4)
      isWatching = false
      let now = ThisProcess.nanoseconds
      var late: [(@Sendable () -> Void)?] = []
      for (thread, job) in running where !job.isLate && now - job.began > Self.patience {
        running[thread]?.isLate = true
        timely -= 1
        late.append(job.late)
      }
      return late
    }
    startMissing()
    return late.compactMap { $0 }
  }

  private func startMissing() {
    while true {
      let isMissing = monitor.withLock {
        if timely >= threads || running.count >= threads + Self.maximumLate { return false }
        timely += 1
        return true
      }
      if !isMissing { return }
      if (try? start()) == nil {
        // The threads that run do all the work.
        monitor.withLock { timely -= 1 }
        return
      }
    }
  }
}
