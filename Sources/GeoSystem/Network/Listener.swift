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
