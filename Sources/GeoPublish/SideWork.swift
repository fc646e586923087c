import GeoSystem

/// Work that another thread does meanwhile.
final class SideWork<Value>: @unchecked Sendable {
  // Sendable: the result is touched inside the monitor only.
  private let monitor = Monitor()
  private let work: @Sendable () throws(Errno) -> Value
  private var result: Result<Value, Errno>?

  /// Work that nobody has begun.
  init(_ work: @escaping @Sendable () throws(Errno) -> Value) { self.work = work }

  /// Has another thread begin.
  ///
  /// - Returns: Whether there is one.
  func begin() -> Bool {
    let begun: Void? = try? WorkerThread.start(stackSize: 8 << 20) { [self] in run() }
    return begun != nil
  }

  /// Does the work.
  func run() {
    let result: Result<Value, Errno>
    do throws(Errno) { result = .success(try work()) } catch { result = .failure(error) }
    monitor.withLock {
      self.result = result
      monitor.wakeAll()
    }
  }

  /// What has come of it; waits for the thread that does it.
  func finish() throws(Errno) -> Value {
    try monitor.withLock { () -> Result<Value, Errno> in
      while true {
        if let result { return result }
        monitor.wait()
      }
    }.get()
  }
}
