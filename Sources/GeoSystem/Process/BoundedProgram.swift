#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program that is run for what it does; it may take some time, and no more.
public enum BoundedProgram {
  /// How a program ended.
  public enum End: Hashable, Sendable {
    /// With a status.
    case ended(Int32)
    /// By a signal.
    case killed(Int32)
    /// It took too long, and was ended.
    case late
  }

  /// Runs a program to its end, with nothing to read, and standard error in place of standard output.
  ///
  /// No shell is asked. It gets a process group of its own, which is ended as a whole.
  ///
  /// - Parameters:
  ///   - words: Its name, which is looked for in `PATH`, and its arguments; one at least.
  ///   - variables: What is set in its environment, `NAME=VALUE`.
  ///   - milliseconds: How long it may take.
  /// - Throws: Why it can't be started.
  public static func run(
    _ words: [[UInt8]], setting variables: [[UInt8]], for milliseconds: Int64
  ) throws(Errno) -> End {
    // Standard output may be a stream that nothing else belongs into.
    let number = try Spawning(words: words, variables: variables, output: 2, isApart: true).start()
    let deadline = ThisProcess.nanoseconds + milliseconds * 1_000_000
    var killing: Int64?
    while true {
      var status: Int32 = 0
      let found = waitpid(number, &status, WNOHANG)
      if found == number {
        if killing != nil { return .late }
        return status & 0x7F == 0 ? .ended(status >> 8 & 0xFF) : .killed(status & 0x7F)
      }
      if found < 0, Errno.current != .interrupted { throw .current }
      let now = ThisProcess.nanoseconds
      if killing == nil, now >= deadline {
        kill(-number, SIGTERM)
        killing = now
      } else if let since = killing, now - since > 1_000_000_000 {
        kill(-number, SIGKILL)
      }
      WorkerThread.pause(milliseconds: 20)
    }
  }
}
