#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a pipe slowly for a while and then as fast as it can, to see whether the writer waits or
/// piles up what it can't get rid of.
final class SlowReader {
  private let bytesPerSecond: Double
  private let seconds: Double
  /// How many bytes there were.
  private(set) var total = 0

  init(bytesPerSecond: Int, seconds: Double) {
    self.bytesPerSecond = Double(bytesPerSecond)
    self.seconds = seconds
  }

  func drain(_ descriptor: Int32) throws(Failure) {
    let begin = System.now()
    while true {
      let count = try System.read(descriptor, limit: 1 << 16).count
      if count == 0 { return }
      total += count
      let due = Double(total) / bytesPerSecond
      let passed = System.now() - begin
      if passed < seconds, due > passed { usleep(UInt32(min(due, seconds) * 1e6 - passed * 1e6)) }
    }
  }
}
