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
    let number = try start(words, variables)
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

  private static func start(_ words: [[UInt8]], _ variables: [[UInt8]]) throws(Errno) -> pid_t {
    guard let name = words.first, !name.isEmpty else { throw .noEntry }
    let arguments = words.map(copy) + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = []
    let names = variables.map { $0.prefix { $0 != UInt8(ascii: "=") } }
    var next = environ
    while let text = next.pointee {
      next += 1
      let variable = UnsafeBufferPointer(start: text, count: strlen(text)).map {
        UInt8(bitPattern: $0)
      }
      let name = variable.prefix { $0 != UInt8(ascii: "=") }
      if !names.contains(where: { $0.elementsEqual(name) }) { environment.append(strdup(text)) }
    }
    environment += variables.map(copy) + [nil]
    defer { for word in arguments + environment { free(word) } }

    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    // Standard output may be a stream that nothing else belongs into.
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    // What this process ignores, catches or leaves to other threads, the other one need not.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    var started: pid_t = 0
    guard let program = arguments[0] else { throw Errno(rawValue: ENOMEM) }
    let error = posix_spawnp(
      &started, program, &actions, &attributes, arguments, environment)
    if error != 0 { throw Errno(rawValue: error) }
    return started
  }

  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) { strdup($0) }
    }
  }
}
