import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program that is run for its effect, within a time limit.
///
/// It is started without a shell, with empty input and in its own process group, which is ended as
/// a whole.
package struct BoundedProgram {
  /// Its name, which is searched in `PATH`, and its arguments; at least one word.
  package var words: [[UInt8]]
  /// Variables to set in its environment, as `NAME=VALUE`.
  package var variables: [[UInt8]] = []
  /// Names of variables to remove from its environment; a name that ends in `*` is a prefix.
  package var removed: [[UInt8]] = []
  /// The file for all its output; nil for standard error.
  package var messages: ScratchFile?
  /// Whether it is killed when a signal ends this process.
  package var endsWithThis = false
  /// The path of its current folder; nil for that of this process.
  package var folder: [UInt8]?
  package var milliseconds: Int64

  package enum End: Hashable, Sendable {
    case ended(Int32)
    case killed(Int32)
    /// It took too long or was no longer wanted, and was ended.
    case late
  }

  package init(_ words: [[UInt8]], for milliseconds: Int64) {
    self.words = words
    self.milliseconds = milliseconds
  }

  /// Runs it to its end. `isWanted` is called repeatedly; when it returns false, the program is ended.
  package func run(while isWanted: () -> Bool = { true }) throws(Errno) -> End {
    // Standard output may be this process's data, so messages go to standard error.
    let number = try Spawning(
      words: words, variables: variables, removed: removed, output: messages?.rawValue ?? 2,
      messages: messages?.rawValue, folder: folder, isApart: true
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
      // Short programs are checked often, so that waiting adds little to their time.
      WorkerThread.pause(milliseconds: UInt32(min(20, 1 + (now - start) / 10_000_000)))
    }
  }
}
