import Synchronization

/// A thread that makes calls for another one, which waits for each only so long.
///
/// A call to a dead server may never return, and can't be cancelled. Its thread is left behind then,
/// and the next call gets a new one.
package final class CallThread: @unchecked Sendable {
  // Sendable: the state is only accessed inside the monitor.
  private enum State {
    case idle
    case called(() -> Void)
    case running
    case ended
  }

  private let monitor = Monitor()
  private var state = State.idle
  private let answers = Atomic(0)
  /// Whether the running call is given up.
  private let isLeft = Atomic(false)

  package init() throws(Errno) {
    try WorkerThread.start(stackSize: 1 << 20) { [self] in
      while let call = next() {
        call()
        monitor.withLock {
          state = isLeft.load(ordering: .relaxed) ? .ended : .idle
          monitor.wakeReserve()
        }
      }
    }
  }

  /// Records that one of several calls has returned, so that the wait begins again. Returns whether
  /// the result is still wanted.
  package func answer() -> Bool {
    answers.add(1, ordering: .relaxed)
    return !isLeft.load(ordering: .relaxed)
  }

  /// Runs `body` on the thread and waits for it, `patience` nanoseconds from one answer to the next.
  /// False if the thread is left behind and must not be used again.
  package func run(patience: Int64, _ body: @escaping () -> Void) -> Bool {
    monitor.withLock {
      state = .called(body)
      monitor.wakeOne()
      var (seen, since) = (answers.load(ordering: .relaxed), ThisProcess.nanoseconds)
      while true {
        if case .idle = state { return true }
        let (answered, now) = (answers.load(ordering: .relaxed), ThisProcess.nanoseconds)
        if answered != seen { (seen, since) = (answered, now) }
        let rest = since + patience - now
        if rest <= 0 {
          isLeft.store(true, ordering: .relaxed)
          return false
        }
        monitor.waitInReserve(nanoseconds: rest)
      }
    }
  }

  /// Ends the thread once it is idle.
  package func end() {
    monitor.withLock {
      if case .idle = state { state = .ended }
      monitor.wakeOne()
    }
  }

  private func next() -> (() -> Void)? {
    monitor.withLock {
      while true {
        switch state {
        case .called(let body):
          state = .running
          return body
        case .ended: return nil
        case .idle, .running: monitor.wait()
        }
      }
    }
  }
}
