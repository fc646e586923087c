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
