import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What concerns the process as a whole.
public enum ThisProcess {
  /// Makes the standard descriptors and the signals safe; to be called first of all.
  public static func prepare() {
    Descriptor.occupyStandardNumbers()
    csystem_signals_prepare()
  }

  /// The number that the system knows the process by.
  public static var number: Int32 { getpid() }

  /// Whether it may do all that the system lets anybody do.
  public static var isRoot: Bool { geteuid() == 0 }

  /// Nanoseconds since some moment, never running backwards.
  public static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The folder that relative paths begin at; nil if it can't be told.
  public static var workingDirectory: [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return nil }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  /// Runs a command of the shell, with a text as its `$0`, and waits for it.
  ///
  /// - Returns: Whether it ended well.
  public static func runShell(_ command: String, _ text: String) -> Bool {
    let texts: [String] = ["/bin/sh", "-c", command, text]
    var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var number: pid_t = 0
    guard posix_spawn(&number, "/bin/sh", nil, nil, words, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(number, &status, 0) == -1 {
      if Errno.current != .interrupted { return false }
    }
    return status == 0
  }

  /// Nanoseconds since 1970, as the clock of the machine has it.
  public static var unixNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Has the allocator keep few pools, so that what one thread gives back serves others, too.
  ///
  /// glibc makes up to eight for each processor, and what each of them has kept of its busiest moment
  /// adds up. To be called before threads are started; other allocators are left as they are.
  public static func limitMemoryPools(to count: Int32) {
    csystem_limit_pools(count)
  }

  /// Has the allocator give back what is free, where threads that have ended have left much of it.
  ///
  /// glibc keeps it in the pools of these threads; other allocators are left as they are.
  ///
  /// - Complexity: O(memory that is free); some milliseconds.
  public static func returnMemory() { csystem_return_memory() }

  /// Bytes that nobody can foretell.
  ///
  /// - Parameter count: At most 256.
  public static func randomBytes(_ count: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let reason = csystem_random(&bytes, count)
    if reason != 0 { throw Errno(rawValue: reason) }
    return bytes
  }

  /// Nanoseconds that processors have spent on this process so far, all its threads together.
  public static var processorNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The bytes of a variable of the environment.
  public static func environment(_ name: StaticString) -> [UInt8]? {
    name.withUTF8Buffer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      return base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { name in
        getenv(name).map { value in
          UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) }
        }
      }
    }
  }

  /// The path of a file or folder from `/` on, free of links, `.` and `..`.
  public static func realPath(_ path: [UInt8]) throws(Errno) -> [UInt8] {
    try FileSystem.withCString(path) { (path) throws(Errno) in
      while true {
        if let result = realpath(path, nil) {
          defer { free(result) }
          return UnsafeBufferPointer(start: result, count: strlen(result)).map {
            UInt8(bitPattern: $0)
          }
        }
        if Errno.current != .interrupted { throw Errno.current }
      }
    }
  }

  /// Ends the process in good order.
  ///
  /// If a signal is about to end it, that is waited for.
  public static func exit(status: Int32) -> Never {
    waitForSignal()
    #if canImport(Darwin)
      Darwin.exit(status)
    #elseif canImport(Glibc)
      Glibc.exit(status)
    #else
      Musl.exit(status)
    #endif
  }

  /// Ends the process at once, whatever its other threads do.
  ///
  /// If a signal is about to end it, that is waited for.
  public static func end(status: Int32) -> Never {
    waitForSignal()
    _exit(status)
  }

  /// Another thread that handles a signal has removed the output's temporary file, and what
  /// followed from that is no failure to report.
  private static func waitForSignal() { while csystem_is_ending() { pause() } }
}

/// Standard error, as far as it is a terminal.
public enum Terminal {
  /// Whether a descriptor is a terminal.
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// How many columns the terminal behind standard error has, if it says.
  public static var width: Int? {
    let width = csystem_terminal_width(Descriptor.standardError)
    return width > 0 ? Int(width) : nil
  }

  /// Whether the terminal shows a line that a signal has to wipe.
  public static func setLineShown(_ shown: Bool) { csystem_line_shown(shown) }
}

/// What concerns the machine as a whole.
public enum ThisMachine {
  /// The machine's own name, and the system's with its version, such as `Linux 6.1`.
  public static var names: (host: [UInt8], system: [UInt8]) {
    var names = utsname()
    if uname(&names) != 0 { return ([], []) }
    func text<Field>(_ field: Field) -> [UInt8] {
      withUnsafeBytes(of: field) { Array($0.prefix { $0 != 0 }) }
    }
    return (text(names.nodename), text(names.sysname) + [0x20] + text(names.release))
  }

  /// Sleeps until the clock of ``ThisProcess/nanoseconds`` has come to a time; a signal doesn't end it.
  public static func sleep(until nanoseconds: Int64) {
    #if canImport(Darwin)
      while true {
        let rest = nanoseconds - ThisProcess.nanoseconds
        if rest <= 0 { return }
        var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
        nanosleep(&time, nil)
      }
    #else
      var time = timespec()
      time.tv_sec = time_t(max(0, nanoseconds) / 1_000_000_000)
      time.tv_nsec = Int(max(0, nanoseconds) % 1_000_000_000)
      // A deadline and no span: what goes on before the call doesn't count.
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    #endif
  }
}

extension FileSystem {
  /// Bytes that are left for files of whoever asks, in the file system of an open folder.
  public static func freeBytes(at directory: Int32) throws(Errno) -> Int64 {
    var facts = statvfs()
    _ = try retrying { fstatvfs(directory, &facts) }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}

/// How users are called.
public enum UserNames {
  /// The longest entry of the user database that is read, in bytes.
  private static let longestEntry = 1 << 16

  /// The name of a user; nil if the number has none here.
  public static func name(of user: UInt32) -> [UInt8]? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: longestEntry)
    return text.withUnsafeMutableBufferPointer { text in
      guard let room = text.baseAddress,
        getpwuid_r(user, &entry, room, text.count, &found) == 0, found != nil,
        let name: UnsafeMutablePointer<CChar> = entry.pw_name
      else { return nil }
      return UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
    }
  }
}

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
  ///
  /// - Parameter pauses: Whether SIGUSR1 is one of them.
  public init(pauses: Bool = true) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    let reason = csystem_wake_pipe(&ends)
    if reason != 0 { throw Errno(rawValue: reason) }
    reader = Descriptor(owning: ends[0])
    writer = Descriptor(owning: ends[1])
    csystem_signals_tell(ends[1], pauses)
  }

  /// Waits for signals.
  public func next() throws(Errno) -> [Request] {
    var bytes: [UInt8] = []
    _ = try reader.read(upTo: 64, appendingTo: &bytes)
    return bytes.map { Int32($0) == SIGUSR1 ? .toggle : .end(Int32($0)) }
  }

  /// Ends the process by a signal that ``next()`` has returned.
  public static func end(by signal: Int32) { kill(getpid(), signal) }
}
