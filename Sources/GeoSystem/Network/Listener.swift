import CSystem

/// Takes connections in at an address.
public final class Listener: Sendable {
  private let descriptor: Descriptor
  /// The port, which the system has picked if none was asked for.
  public let port: UInt16
  /// Whether only programs of this machine can connect.
  public let isLoopback: Bool

  /// Why nobody can connect.
  public enum Failure: Error, Sendable, Hashable {
    /// The host is neither an address nor a name that is known here.
    case unknownHost
    /// The system refuses.
    case refused(Errno)
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - host: A name, or an IPv4 or IPv6 address of this machine.
  ///   - port: 0 for one that is free.
  public init(host: String, port: UInt16) throws(Failure) {
    var bound: UInt16 = 0
    var isLoopback = false
    var reason: Int32 = 0
    let number = csystem_listen(host, port, &bound, &isLoopback, &reason)
    if number < 0 {
      throw reason < 0 ? .unknownHost : .refused(Errno(rawValue: reason))
    }
    descriptor = Descriptor(owning: number)
    self.port = bound
    self.isLoopback = isLoopback
  }

  /// The number that the system knows it by.
  public var rawValue: Int32 { descriptor.rawValue }

  /// The next connection, which lets nobody wait; nil if there is none.
  public func accept() throws(Errno) -> Descriptor? {
    let number = csystem_accept(descriptor.rawValue)
    if number >= 0 { return Descriptor(owning: number) }
    let reason = Errno(rawValue: -number)
    if reason == .wouldBlock { return nil }
    throw reason
  }
}

extension Descriptor {
  /// What became of an attempt to move bytes.
  public enum Transfer: Sendable, Hashable {
    /// So many bytes were moved, at least one.
    case moved(Int)
    /// Nothing can be moved now.
    case wouldWait
    /// The other side has ended, or the connection is broken.
    case ended
  }

  /// Takes in what has arrived on a connection, up to `limit` bytes.
  public borrowing func receive(into bytes: inout [UInt8], limit: Int) -> Transfer {
    let start = bytes.count
    let number = rawValue
    bytes.append(contentsOf: repeatElement(0, count: limit))
    let count = bytes.withUnsafeMutableBytes { buffer in
      csystem_receive(number, buffer.baseAddress.map { $0 + start }, limit)
    }
    bytes.removeLast(limit - max(count, 0))
    return Self.transfer(count)
  }

  /// Sends as much of some bytes as the system takes now.
  public borrowing func send(_ bytes: Span<UInt8>) -> Transfer {
    let number = rawValue
    return bytes.withUnsafeBytes { buffer in
      Self.transfer(csystem_send(number, buffer.baseAddress, buffer.count))
    }
  }

  /// Tells the other side that nothing more is to come.
  public borrowing func endSending() { csystem_end_sending(rawValue) }

  private static func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .moved(count) }
    return Errno(rawValue: Int32(-count)) == .wouldBlock ? .wouldWait : .ended
  }
}

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
