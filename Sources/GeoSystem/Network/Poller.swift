import CSystem

/// Waits for events of many descriptors; other threads can wake it.
package final class Poller: Sendable {
  private let descriptor: Descriptor
  private let waking: WakePipe

  package struct Event: Sendable {
    package var key: UInt64
    /// The descriptor can be read, or is at its end.
    package var isReadable: Bool
    package var isWritable: Bool
    /// The other side will send nothing more, or has closed the connection.
    package var isGone: Bool
  }

  /// The key of the pipe for waking, reserved.
  private static let wakeKey = UInt64.max

  package init() throws(Errno) {
    let poller = csystem_poller_create()
    if poller < 0 { throw Errno(rawValue: -poller) }
    descriptor = Descriptor(owning: poller)
    waking = try WakePipe()
    try set(waking.reader.rawValue, key: Self.wakeKey, isNew: true, reads: true, writes: false)
  }

  /// Registers a descriptor or changes its events; the end of the other side is always reported.
  ///
  /// A descriptor is removed when it is closed.
  /// `key` is not `UInt64.max`.
  package func set(
    _ number: Int32, key: UInt64, isNew: Bool, reads: Bool, writes: Bool
  ) throws(Errno) {
    let reason = csystem_poller_set(descriptor.rawValue, number, key, isNew, reads, writes)
    if reason != 0 { throw Errno(rawValue: reason) }
  }

  /// Waits until there are events, which replace those given, or another thread wakes this one (then
  /// they are empty).
  package func wait(milliseconds: Int32, into events: inout [Event]) throws(Errno) {
    events.removeAll(keepingCapacity: true)
    let none = csystem_event(key: 0, readable: false, writable: false, gone: false)
    var raw = [csystem_event](repeating: none, count: 256)
    let count = csystem_poller_wait(
      descriptor.rawValue, &raw, Int32(raw.count), milliseconds)
    if count < 0 { throw Errno(rawValue: -count) }
    for event in raw.prefix(Int(count)) {
      if event.key == Self.wakeKey {
        waking.drain()
        continue
      }
      events.append(
        Event(
          key: event.key, isReadable: event.readable, isWritable: event.writable,
          isGone: event.gone))
    }
  }

  /// Wakes the waiting thread, or ends the next wait at once.
  package func wake() { waking.wake() }
}
