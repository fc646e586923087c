@usableFromInline package final class BackgroundTask<Value>: @unchecked Sendable {
  // Sendable: the state is accessed only with the monitor's lock.
  private enum State {
    case waiting
    case running
    case done(Result<Value, Errno>)
  }

  private let monitor = Monitor()
  private var work: (@Sendable () throws(Errno) -> Value)?
  private var state = State.waiting

  @usableFromInline
  package init(_ work: @escaping @Sendable () throws(Errno) -> Value) { self.work = work }

  /// Starts the task on another thread. If none can be created, ``finish()`` runs it.
  @usableFromInline
  package func begin() {
    monitor.withLock { state = .running }
    do throws(Errno) {
      try WorkerThread.start(stackSize: 8 << 20) { [self] in run() }
    } catch {
      monitor.withLock { state = .waiting }
    }
  }

  private func run() {
    let result = outcome()
    monitor.withLock {
      state = .done(result)
      monitor.wakeAll()
    }
  }

  /// Runs the task, and releases what it holds, so that who waits for the result is the last owner.
  private func outcome() -> Result<Value, Errno> {
    let taken = monitor.withLock {
      defer { work = nil }
      return work
    }
    guard let taken else { preconditionFailure("a task runs once") }
    do throws(Errno) { return .success(try taken()) } catch { return .failure(error) }
  }

  /// The result of the task: waits for the thread, or runs the task here if it wasn't started.
  @usableFromInline
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
