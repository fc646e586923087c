#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How long tests wait for what has to happen.
///
/// No test depends on how fast the machine is: this is the only bound, and so generous that only
/// what hangs reaches it.
public enum Patience {
  /// Ten minutes.
  public static let seconds = 600
  /// The same in milliseconds, for system calls.
  public static let milliseconds: Int32 = 600_000

  /// When patience that begins now ends, on a clock that never runs backwards.
  static var end: Int { now + seconds }

  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  /// Waits until it is ended by a cancellation.
  public static func untilCancelled() async throws {
    while true { try await Task.sleep(for: .seconds(seconds)) }
  }

  /// Runs something that hangs if it is wrong: it is cancelled then, and so fails.
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

/// Looks again and again until something holds; false if it never does.
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

/// Looks again and again until something holds, and lets others work meanwhile; false if it never does.
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
