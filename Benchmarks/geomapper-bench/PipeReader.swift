#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a pipe to its end at full speed, or slowly at first, to test whether the writer waits or
/// buffers its output.
final class PipeReader {
  private let bytesPerSecond: Double
  private let seconds: Double
  /// Number of bytes read.
  private(set) var total = 0

  /// - Parameters:
  ///   - bytesPerSecond: The rate at first.
  ///   - seconds: How long to read at this rate.
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
