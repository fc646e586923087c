#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How long tests wait.
///
/// No test depends on the machine's speed. This limit is so generous that only a test that hangs
/// reaches it.
public enum Patience {
  /// Ten minutes.
  public static let seconds = 600
  /// The same in milliseconds, for system calls.
  public static let milliseconds: Int32 = 600_000

  /// The deadline of a wait that begins now, on a monotonic clock.
  static var end: Int { now + seconds }

  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  /// Waits until the task is cancelled.
  public static func untilCancelled() async throws {
    while true { try await Task.sleep(for: .seconds(seconds)) }
  }

  /// Runs a body, and cancels it if it hangs, so that the test fails.
  public static func bounding<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await body() }
    let watch = Task {
      try await Task.sleep(for: .seconds(seconds))
      task.cancel()
    }
    defer { watch.cancel() }
    return try await task.value
  }
}

/// Polls until a condition holds; false if it never does.
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = Patience.end
  var pause: UInt32 = 250
  while try !condition() {
    if Patience.now > end { return false }
    usleep(pause)
    pause = min(2 * pause, 8000)
  }
  return true
}

/// Polls until a condition holds, and suspends in between; false if it never does.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
  let end = Patience.end
  while try await !condition() {
    if Patience.now > end { return false }
    try await Task.sleep(for: .milliseconds(2))
  }
  return true
}
