import CSystem

/// A non-blocking pipe with which one thread wakes another.
struct WakePipe: ~Copyable, Sendable {
  /// The end that can be read once the thread has to wake.
  let reader: Descriptor
  /// The end that handlers of signals may write to.
  let writer: Descriptor

  init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    let reason = csystem_wake_pipe(&ends)
    if reason != 0 { throw Errno(rawValue: reason) }
    reader = Descriptor(owning: ends[0])
    writer = Descriptor(owning: ends[1])
  }

  /// Wakes the thread that waits for the reader, or ends its next wait at once.
  borrowing func wake() { csystem_wake(writer.rawValue) }

  /// Makes the next wait last until the next call of ``wake()``.
  borrowing func drain() { csystem_wake_drain(reader.rawValue) }
}
