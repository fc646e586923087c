#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a pipe to its end, as fast as it can, or slowly for a while first, to see whether the
/// writer waits or piles up what it can't get rid of.
final class PipeReader {
  private let bytesPerSecond: Double
  private let seconds: Double
  /// How many bytes there were.
  private(set) var total = 0

  /// - Parameters:
  ///   - bytesPerSecond: The rate at first.
  ///   - seconds: How long it is kept to.
  init(bytesPerSecond: Int = 1, seconds: Double = 0) {
    self.bytesPerSecond = Double(bytesPerSecond)
    self.seconds = seconds
  }

  func drain(_ descriptor: Int32) throws(Failure) {
    let begin = System.now()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isSlow = seconds > 0
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        System.retry { read(descriptor, bytes.baseAddress, bytes.count) }
      }
      guard count >= 0 else { throw Failure(call: "read", "pipe") }
      if count == 0 { return }
      total += count
      guard isSlow else { continue }
      let due = Double(total) / bytesPerSecond
      let passed = System.now() - begin
      isSlow = passed < seconds
      if isSlow, due > passed { usleep(UInt32(min(due, seconds) * 1e6 - passed * 1e6)) }
    }
  }
}
