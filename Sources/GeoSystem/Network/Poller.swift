import CSystem

/// Tells which of many descriptors are ready, and lets other threads wake the one that waits.
public final class Poller: Sendable {
  private let descriptor: Descriptor
  private let wakeReader: Descriptor
  private let wakeWriter: Descriptor

  /// What has happened to a descriptor.
  public struct Event: Sendable {
    /// What it was registered with.
    public var key: UInt64
    /// Something can be read, or the end is there.
    public var isReadable: Bool
    /// Something can be written.
    public var isWritable: Bool
    /// The other side will send nothing more, or is gone.
    public var isGone: Bool
  }

  /// The key of no descriptor.
  private static let wakeKey = UInt64.max

  /// A poller of no descriptor.
  public init() throws(Errno) {
    let poller = csystem_poller_create()
    if poller < 0 { throw Errno(rawValue: -poller) }
    descriptor = Descriptor(owning: poller)
    var ends: (Int32, Int32) = (-1, -1)
    let reason = withUnsafeMutableBytes(of: &ends) {
      csystem_wake_pipe($0.bindMemory(to: Int32.self).baseAddress)
    }
    wakeReader = Descriptor(owning: ends.0)
    wakeWriter = Descriptor(owning: ends.1)
    if reason != 0 { throw Errno(rawValue: reason) }
    try set(wakeReader.rawValue, key: Self.wakeKey, isNew: true, reads: true, writes: false)
  }

  /// Says what is to be waited for; the end of the other side is told in any case.
  ///
  /// A descriptor that is closed is forgotten.
  ///
  /// - Parameters:
  ///   - number: An open descriptor.
  ///   - key: What events of it are told with, not the greatest number.
  ///   - isNew: Whether it wasn't registered before.
  ///   - reads: Whether to tell when something can be read.
  ///   - writes: Whether to tell when something can be written.
  public func set(
    _ number: Int32, key: UInt64, isNew: Bool, reads: Bool, writes: Bool
  ) throws(Errno) {
    let reason = csystem_poller_set(descriptor.rawValue, number, key, isNew, reads, writes)
    if reason != 0 { throw Errno(rawValue: reason) }
  }

  /// Waits until something happens, or another thread wakes this one.
  ///
  /// - Parameters:
  ///   - milliseconds: How long at most.
  ///   - events: Replaced by what has happened; nothing, if it was woken only.
  public func wait(milliseconds: Int32, into events: inout [Event]) throws(Errno) {
    events.removeAll(keepingCapacity: true)
    let none = csystem_event(key: 0, readable: false, writable: false, gone: false)
    var raw = [csystem_event](repeating: none, count: 256)
    let count = csystem_poller_wait(
      descriptor.rawValue, &raw, Int32(raw.count), milliseconds)
    if count < 0 { throw Errno(rawValue: -count) }
    for event in raw.prefix(Int(count)) {
      if event.key == Self.wakeKey {
        csystem_wake_drain(wakeReader.rawValue)
        continue
      }
      events.append(
        Event(
          key: event.key, isReadable: event.readable, isWritable: event.writable,
          isGone: event.gone))
    }
  }

  /// Wakes the thread that waits, or the next that would.
  public func wake() {
    csystem_wake(wakeWriter.rawValue)
  }
}
