import CSystem

/// Runs tasks on the thread that waits for them.
///
/// A task that prefers it runs entirely on that thread, between its suspensions, and may block
/// there. It takes no thread of the shared pool and creates none.
package final class MainThreadExecutor: TaskExecutor, @unchecked Sendable {
  // Sendable: the jobs are accessed only with the monitor's lock.
  private let monitor = Monitor()
  private var jobs: [UnownedJob] = []

  /// Creates an executor, whose jobs wait until ``run(_:)`` is called.
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.withLock {
      jobs.append(job)
      monitor.wakeOne()
    }
  }

  /// Runs an operation to its end on this thread, which sleeps while the operation is suspended.
  /// One thread at a time may be inside.
  package nonisolated func run<Result: Sendable>(
    _ operation: @escaping @Sendable () async -> Result
  ) -> Result {
    let outcome = Outcome<Result>()
    Task(executorPreference: self) { outcome.value = await operation() }
    while true {
      for job in waitForJobs() { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if let value = outcome.value { return value }
    }
  }

  private func waitForJobs() -> [UnownedJob] {
    monitor.withLock {
      while jobs.isEmpty { monitor.wait() }
      defer { jobs = [] }
      return jobs
    }
  }

  // Written by the task and read between its jobs, all on one thread.
  private final class Outcome<Value>: @unchecked Sendable {
    var value: Value?
  }
}

extension WorkerThread {
  /// Runs an operation on a new thread, which sleeps while the operation is suspended. The
  /// operation may block.
  package static func run(
    _ operation: @escaping @Sendable (MainThreadExecutor) async -> Void
  ) throws(Errno) {
    try start(stackSize: 8 << 20) {
      let executor = MainThreadExecutor()
      executor.run { await operation(executor) }
    }
  }
}

/// A lock with two conditions to wait for: one for the usual threads, and one for a reserve of
/// threads.
///
/// The owner of the monitor accesses the guarded data only inside ``withLock(_:)``. The lock is not
/// recursive. Unlike a `Mutex`, it lets a thread sleep until another one has changed the data.
@usableFromInline package final class Monitor: @unchecked Sendable {
  // Sendable: the pointer never changes, and its target is thread-safe.
  private let raw: OpaquePointer

  package init() {
    guard let raw = csystem_monitor_create() else { preconditionFailure("out of memory") }
    self.raw = raw
  }

  deinit { csystem_monitor_destroy(raw) }

  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Releases the lock until another thread wakes this one. Call it inside ``withLock(_:)``.
  ///
  /// It may return without a reason: call it in a loop that checks the condition.
  package func wait() { csystem_monitor_wait(raw, false, -1) }

  /// Wakes one of the waiting threads, if any, but none of the reserve.
  package func wakeOne() { csystem_monitor_wake(raw, false, false) }

  /// Waits as one of the reserve; without a limit for nil.
  package func waitInReserve(nanoseconds: Int64? = nil) {
    csystem_monitor_wait(raw, true, nanoseconds.map { max(0, $0) } ?? -1)
  }

  /// Wakes one thread of the reserve, if any.
  package func wakeReserve() { csystem_monitor_wake(raw, true, false) }

  /// Wakes all waiting threads, but none of the reserve.
  package func wakeWaiting() { csystem_monitor_wake(raw, false, true) }

  /// Wakes all waiting threads and the reserve.
  package func wakeAll() {
    wakeWaiting()
    csystem_monitor_wake(raw, true, true)
  }

  @usableFromInline func lock() { csystem_monitor_lock(raw) }
  @usableFromInline func unlock() { csystem_monitor_unlock(raw) }
}

/// Threads outside of Swift's pool, for calls that block.
package enum WorkerThread {
  /// The default stack is enough for the scanner's threads, which never recurse with the tree's depth.
  package static func start(
    stackSize: Int = 512 * 1024, _ body: sending @escaping () -> Void
  ) throws(Errno) {
    let box = Unmanaged.passRetained(Body(body))
    let error = csystem_spawn(
      { context in
        guard let context else { return }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      }, box.toOpaque(), stackSize)
    if error != 0 {
      box.release()
      throw Errno(rawValue: error)
    }
  }

  /// Runs work that blocks on a thread of its own, so that it takes none of the cooperative pool.
  package static func run<Value: Sendable>(
    stackSize: Int = 8 << 20, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try start(stackSize: stackSize) { continuation.resume(with: Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  package static func lowerPriority() { csystem_step_back() }
  package static func pause(milliseconds: UInt32) { csystem_pause(milliseconds) }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
