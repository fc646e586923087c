import CSystem

/// Runs tasks on the thread that waits for them.
///
/// A task that prefers it runs entirely on that thread, between its suspensions, and may block
/// there: no thread of the shared pool is taken, and none needs to be made.
public final class MainThreadExecutor: TaskExecutor, @unchecked Sendable {
  // Sendable: the jobs are touched inside the monitor only.
  private let monitor = Monitor()
  private var jobs: [UnownedJob] = []

  /// An executor that nobody runs yet; its jobs wait.
  public init() {}

  /// Takes a job in, to be run by the thread that is inside ``run(_:)``.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.withLock {
      jobs.append(job)
      monitor.wakeOne()
    }
  }

  /// Runs an operation to its end on this thread, which sleeps while the operation is suspended.
  ///
  /// One thread at a time may be inside.
  public nonisolated func run<Result: Sendable>(
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
  /// Runs an operation on a new thread, which sleeps while the operation is suspended. The operation may block.
  ///
  /// - Parameter operation: Gets the thread's executor, for tasks of its own.
  /// - Throws: The reason why no thread could be made.
  package static func run(
    _ operation: @escaping @Sendable (MainThreadExecutor) async -> Void
  ) throws(Errno) {
    try start(stackSize: 8 << 20) {
      let executor = MainThreadExecutor()
      executor.run { await operation(executor) }
    }
  }
}

/// A lock with two conditions that threads can wait for: one for those that are needed at once, one
/// for a reserve.
///
/// What it guards belongs to whoever owns the monitor; that is to be touched inside
/// ``withLock(_:)`` only. The lock is not recursive. Unlike a `Mutex`, it lets a thread sleep until
/// another one has changed what is guarded.
public final class Monitor: @unchecked Sendable {
  // Sendable: the pointer never changes, and what it points to is made for many threads.
  private let raw: OpaquePointer

  /// A monitor that nobody holds.
  public init() {
    guard let raw = csystem_monitor_create() else { preconditionFailure("out of memory") }
    self.raw = raw
  }

  deinit { csystem_monitor_destroy(raw) }

  /// Runs `body` while no other thread is inside.
  @inlinable
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Lets the others in until one of them wakes this thread; to be called inside
  /// ``withLock(_:)``.
  ///
  /// It may return for no reason: call it in a loop that looks at what is waited for.
  public func wait() { csystem_monitor_wait(raw) }

  /// Wakes one of the threads that wait, if there is any; none of the reserve.
  public func wakeOne() { csystem_monitor_wake_one(raw) }

  /// Waits as one of the reserve.
  public func waitInReserve() { csystem_monitor_wait_reserve(raw) }

  /// Waits as one of the reserve, for some nanoseconds at most.
  public func waitInReserve(nanoseconds: Int64) {
    csystem_monitor_wait_reserve_for(raw, nanoseconds)
  }

  /// Wakes one of the reserve, if there is any.
  public func wakeReserve() { csystem_monitor_wake_reserve(raw) }

  /// Wakes all threads that wait, the reserve too.
  public func wakeAll() { csystem_monitor_wake_all(raw) }

  @usableFromInline func lock() { csystem_monitor_lock(raw) }

  @usableFromInline func unlock() { csystem_monitor_unlock(raw) }
}

/// Work that another thread does meanwhile.
package final class BackgroundTask<Value>: @unchecked Sendable {
  // Sendable: all that changes is touched inside the monitor only.
  private enum State {
    case waiting
    case running
    case done(Result<Value, Errno>)
  }

  private let monitor = Monitor()
  private let work: @Sendable () throws(Errno) -> Value
  private var state = State.waiting

  /// Work that nobody has begun.
  package init(_ work: @escaping @Sendable () throws(Errno) -> Value) { self.work = work }

  /// Has another thread begin, if there can be one.
  package func begin() {
    monitor.withLock { state = .running }
    do throws(Errno) {
      try WorkerThread.start(stackSize: 8 << 20) { [self] in run() }
    } catch {
      monitor.withLock { state = .waiting }
    }
  }

  private func run() {
    let result: Result<Value, Errno>
    do throws(Errno) { result = .success(try work()) } catch { result = .failure(error) }
    monitor.withLock {
      state = .done(result)
      monitor.wakeAll()
    }
  }

  /// What has come of it; waits for the thread that does it, or does it if nobody has begun.
  ///
  /// - Throws: What the work has thrown.
  package func finish() throws(Errno) -> Value {
    let isWaiting = monitor.withLock {
      if case .waiting = state { true } else { false }
    }
    if isWaiting { run() }
    return try monitor.withLock { () -> Result<Value, Errno> in
      while true {
        if case .done(let result) = state { return result }
        monitor.wait()
      }
    }.get()
  }
}

/// Threads of the project's own, for calls that block.
public enum WorkerThread {
  /// Runs `body` on a new thread.
  ///
  /// - Parameter stackSize: Bytes; the scanner's threads never recurse with the tree's depth.
  /// - Throws: The reason why no thread could be made.
  public static func start(
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

  /// Has the calling thread go after all others from now on, wherever processors are short.
  public static func stepBack() { csystem_step_back() }

  /// Lets others work for a while.
  public static func pause(milliseconds: UInt32) { csystem_pause(milliseconds) }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
