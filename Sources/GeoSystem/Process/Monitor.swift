import CSystem

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
