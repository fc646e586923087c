/// Work that another thread does meanwhile.
package final class SideWork<Value>: @unchecked Sendable {
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
