import CSystem
import GeoCore

/// Accepts connections at an address.
package final class Listener: Sendable {
  private let descriptor: Descriptor
  /// The port, chosen by the system if 0 was requested.
  package let port: UInt16
  /// Whether only programs of this machine can connect.
  package let isLoopback: Bool

  /// `host` is a name or an address of this machine; `port` is 0 for any free one.
  package init(host: String, port: UInt16) throws(Failure) {
    var bound: UInt16 = 0
    var isLoopback = false
    var reason: Int32 = 0
    let number = csystem_listen(host, port, &bound, &isLoopback, &reason)
    if number < 0 { throw Self.failure(reason, host: host, port: port) }
    descriptor = Descriptor(owning: number)
    self.port = bound
    self.isLoopback = isLoopback
  }

  /// - Parameter number: The system's number; negative if it doesn't know the host.
  private static func failure(_ number: Int32, host: String, port: UInt16) -> Failure {
    if number < 0 {
      return .usage("--host: '\(TerminalText.escaped(Array(host.utf8)))' is not known here")
    }
    let reason = Errno(rawValue: number)
    if reason == .addressNotAvailable {
      return .usage(
        "--host: \(host) is not an address of this machine; 'ip address' shows those it has, and "
          + "0.0.0.0 is all of them")
    }
    let isTaken = reason == .addressInUse || reason == .accessDenied
    return .output(
      "can't listen at \(host), port \(port): \(reason)"
        + (isTaken ? "; --port 0 picks a port that is free" : ""), cause: reason)
  }

  package var rawValue: Int32 { descriptor.rawValue }

  /// Accepts the next connection as a non-blocking descriptor, or nil.
  package func accept() throws(Errno) -> Descriptor? {
    let number = csystem_accept(descriptor.rawValue)
    if number >= 0 { return Descriptor(owning: number) }
    let reason = Errno(rawValue: -number)
    if reason == .wouldBlock { return nil }
    throw reason
  }
}

extension ThisProcess {
  /// The numeric address at which other machines reach this one; nil without a network.
  ///
  /// It is that of the interface with the default route. Nothing is sent to find it.
  package static var machineAddress: String? {
    var text = [CChar](repeating: 0, count: 256)
    guard csystem_machine_address(&text, text.count) else { return nil }
    // A scope such as "%eth0" has a meaning on this machine only.
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
  }
}

extension Descriptor {
  package enum Transfer: Sendable, Hashable {
    /// The number of bytes transferred, at least one.
    case moved(Int)
    /// The call would have to wait.
    case wouldWait
    /// The other side has closed the connection, or it is broken.
    case ended
  }

  /// Receives the bytes that have arrived on a connection, at most `limit`, and appends them.
  package borrowing func receive(into bytes: inout [UInt8], limit: Int) -> Transfer {
    let start = bytes.count
    let number = rawValue
    bytes += [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { buffer in
      csystem_receive(number, buffer.baseAddress.map { $0 + start }, limit)
    }
    bytes.removeLast(limit - max(count, 0))
    return Self.transfer(count)
  }

  /// Receives the bytes that have arrived, and replaces those from an index on, below their number.
  package borrowing func receive(into bytes: inout [UInt8], from start: Int) -> Transfer {
    let number = rawValue
    let count = bytes.withUnsafeMutableBytes { buffer in
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      return csystem_receive(number, rest.baseAddress, rest.count)
    }
    return Self.transfer(count)
  }

  /// Sends as many bytes as the system accepts now.
  package borrowing func send(_ bytes: Span<UInt8>) -> Transfer {
    let number = rawValue
    return bytes.withUnsafeBytes { buffer in
      Self.transfer(csystem_send(number, buffer.baseAddress, buffer.count))
    }
  }

  package borrowing func endSending() { csystem_end_sending(rawValue) }

  private static func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .moved(count) }
    return Errno(rawValue: Int32(-count)) == .wouldBlock ? .wouldWait : .ended
  }
}
