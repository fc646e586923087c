import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program that is run for what it does; it may take some time, and no more.
///
/// No shell is asked. It has nothing to read, and a process group of its own, which is ended as a whole.
public struct BoundedProgram {
  /// Its name, which is looked for in `PATH`, and its arguments; one at least.
  public var words: [[UInt8]]
  /// What is set in its environment, `NAME=VALUE`.
  public var variables: [[UInt8]] = []
  /// Names of variables that it doesn't get; those that end in `*` stand for all that begin so.
  public var removed: [[UInt8]] = []
  /// What keeps all that it writes; standard error if there is nothing.
  public var messages: ScratchFile?
  /// Whether it ends, too, when a signal ends this process.
  public var endsWithThis = false
  /// How long it may take.
  public var milliseconds: Int64

  /// How a program ended.
  public enum End: Hashable, Sendable {
    /// With a status.
    case ended(Int32)
    /// By a signal.
    case killed(Int32)
    /// It took too long, or nobody wanted it any more, and it was ended.
    case late
  }

  /// The usual way to run a program.
  public init(_ words: [[UInt8]], for milliseconds: Int64) {
    self.words = words
    self.milliseconds = milliseconds
  }

  /// Runs it to its end.
  ///
  /// - Parameter isWanted: Asked now and then; it is ended at once if the answer is no.
  /// - Throws: Why it can't be started.
  public func run(while isWanted: () -> Bool = { true }) throws(Errno) -> End {
    // Standard output may be a stream that nothing else belongs into.
    let number = try Spawning(
      words: words, variables: variables, removed: removed, output: messages?.rawValue ?? 2,
      messages: messages?.rawValue, isApart: true
    ).start()
    if endsWithThis { csystem_group_started(number) }
    defer { if endsWithThis { csystem_group_ended(number) } }
    let start = ThisProcess.nanoseconds
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
      if killing == nil, now - start >= milliseconds * 1_000_000 || !isWanted() {
        kill(-number, SIGTERM)
        killing = now
      } else if let since = killing, now - since > 1_000_000_000 {
        kill(-number, SIGKILL)
      }
      // What takes little is not waited for much longer.
      WorkerThread.pause(milliseconds: UInt32(min(20, 1 + (now - start) / 10_000_000)))
    }
  }
}
