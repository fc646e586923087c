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
