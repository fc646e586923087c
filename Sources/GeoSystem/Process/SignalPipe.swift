import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells of signals that would otherwise end the process: of one that asks it to end, the first time,
/// so that it can end in good order, and of SIGUSR1.
public final class SignalPipe: Sendable {
  /// What a signal asks for.
  public enum Request: Sendable {
    /// To come to an end; with the signal's number.
    case end(Int32)
    /// To pause, or to go on (SIGUSR1).
    case toggle
  }

  private let reader: Descriptor
  private let writer: Descriptor

  /// Takes the signals over; there is one of its kind in a process.
  public init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    let reason = csystem_wake_pipe(&ends)
    if reason != 0 { throw Errno(rawValue: reason) }
    reader = Descriptor(owning: ends[0])
    writer = Descriptor(owning: ends[1])
    csystem_signals_tell(ends[1])
  }

  /// Waits for signals.
  public func next() throws(Errno) -> [Request] {
    var bytes: [UInt8] = []
    _ = try reader.read(upTo: 64, appendingTo: &bytes)
    return bytes.map { Int32($0) == SIGUSR1 ? .toggle : .end(Int32($0)) }
  }
}
