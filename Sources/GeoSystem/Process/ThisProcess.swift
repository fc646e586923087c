import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

package enum ThisProcess {
  /// Makes the standard descriptors and signals safe. Call it first of all.
  package static func prepare() {
    Descriptor.occupyStandardNumbers()
    csystem_signals_prepare()
  }

  /// The bytes of the command line's words, the program's name first.
  /// `CommandLine.arguments` repairs invalid UTF-8 and so changes paths.
  package static var arguments: [[UInt8]] {
    var count: Int32 = 0
    let words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    if let known = csystem_arguments(&count) {
      words = known
    } else {
      (words, count) = (CommandLine.unsafeArgv, CommandLine.argc)
    }
    return UnsafeBufferPointer(start: words, count: Int(count)).compactMap { word in
      word.map { [UInt8](cString: $0) }
    }
  }

  package static var identifier: Int32 { getpid() }
  package static var isRoot: Bool { geteuid() == 0 }

  /// The folder of `TMPDIR`, or `/tmp`.
  static var temporaryFolder: [UInt8] {
    environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? Array("/tmp".utf8)
  }

  /// A name with 64 random bits: that it exists already is too unlikely to handle.
  static func temporaryName() -> [UInt8] {
    let digits = String(UInt64.random(in: 0...(.max)), radix: 36)
    return Array(".geomapper-\(identifier)-\(digits).tmp".utf8)
  }

  /// Nanoseconds of a monotonic clock, since an unspecified moment.
  package static var nanoseconds: Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package static var workingDirectory: [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return nil }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  /// Runs a shell command, with a text as its `$0`; true if its exit status is 0.
  package static func runShell(_ command: String, _ text: String) -> Bool {
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

  /// Nanoseconds since 1970 by the machine's clock.
  package static var unixNanoseconds: Int64 { nanoseconds(of: CLOCK_REALTIME) }

  /// Limits the number of the allocator's pools, so that memory freed by one thread serves others.
  /// glibc creates up to eight for each processor, and each keeps memory from its busiest moment.
  /// Call it before threads are started. Other allocators are not changed.
  package static func limitMemoryPools(to count: Int32) { csystem_limit_pools(count) }

  /// Returns the allocator's free memory to the system, after threads have ended that used much.
  /// glibc keeps it in the pools of these threads. Other allocators are not changed.
  package static func returnMemory() { csystem_return_memory() }

  /// Decides when to call ``returnMemory()``: after work, but not too often.
  package struct MemoryReturn: Sendable {
    private var isDue = false
    private var last: Int64 = .min

    /// The minimum time between two returns, in nanoseconds.
    private static let pause: Int64 = 10_000_000_000

    package init() {}

    package mutating func setDue() { isDue = true }

    /// Returns the memory if there was work and the last return is long enough ago; true if so.
    @discardableResult
    package mutating func tick(at now: Int64) -> Bool {
      if !isDue || now.subtracting(saturating: last) < Self.pause { return false }
      (isDue, last) = (false, now)
      ThisProcess.returnMemory()
      return true
    }
  }

  /// Cryptographically random bytes, at most 256.
  package static func randomBytes(_ count: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let reason = csystem_random(&bytes, count)
    if reason != 0 { throw Errno(rawValue: reason) }
    return bytes
  }

  /// The processor time of this process so far, in nanoseconds, all threads together.
  package static var processorNanoseconds: Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// How often threads of this process slept until an event, such as the answer of a disk, less how
  /// often other programs took their processor.
  package static var waits: Int64 { csystem_waits() }

  package static func environment(_ name: StaticString) -> [UInt8]? {
    name.withUTF8Buffer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      return base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { name in
        getenv(name).map { [UInt8](cString: $0) }
      }
    }
  }

  /// The absolute path of a file or folder, without links, `.` and `..`.
  package static func realPath(_ path: [UInt8]) throws(Errno) -> [UInt8] {
    try FileSystem.withCString(path) { (path) throws(Errno) in
      while true {
        if let result = realpath(path, nil) {
          defer { free(result) }
          return [UInt8](cString: result)
        }
        if Errno.current != .interrupted { throw Errno.current }
      }
    }
  }

  /// Ends the process normally, unless a signal is about to end it: then it waits for that.
  package static func exit(status: Int32) -> Never {
    waitForSignal()
    #if canImport(Darwin)
      Darwin.exit(status)
    #elseif canImport(Glibc)
      Glibc.exit(status)
    #else
      Musl.exit(status)
    #endif
  }

  /// Ends the process at once, without waiting for other threads; but waits for a signal as above.
  package static func end(status: Int32) -> Never {
    waitForSignal()
    _exit(status)
  }

  /// A thread that handles a signal has removed the output's temporary file; the errors that follow
  /// from this must not be reported.
  private static func waitForSignal() { while csystem_is_ending() { pause() } }
}

package enum Terminal {
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal on standard error; nil if unknown.
  package static var width: Int? {
    let width = csystem_terminal_width(Descriptor.standardError)
    return width > 0 ? Int(width) : nil
  }

  /// Sets whether the terminal shows a line that a signal handler has to clear.
  package static func setLineShown(_ shown: Bool) { csystem_line_shown(shown) }
}

package enum ThisMachine {
  /// The machine's host name, and the system's name and version, such as `Linux 6.1`.
  package static var names: (host: [UInt8], system: [UInt8]) {
    var names = utsname()
    if uname(&names) != 0 { return ([], []) }
    func text<Field>(_ field: Field) -> [UInt8] {
      withUnsafeBytes(of: field) { Array($0.prefix { $0 != 0 }) }
    }
    return (text(names.nodename), text(names.sysname) + [0x20] + text(names.release))
  }

  /// Sleeps until a time of ``ThisProcess/nanoseconds``; signals don't end the sleep.
  package static func sleep(until nanoseconds: Int64) {
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
      // A deadline instead of a duration, so that time before the call counts, too.
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    #endif
  }
}

extension LocalZone {
  /// The zone of the process: that of `TZ`, else the system's.
  package static let ofThisProcess: LocalZone = {
    tzset()
    return LocalZone { seconds in
      var (time, clock) = (time_t(seconds), tm())
      // Fails only for years that a calendar can't have.
      guard localtime_r(&time, &clock) != nil else { return 0 }
      return Int64(timegm(&clock)) &- seconds
    }
  }()
}

extension FileSystem {
  package static func freeBytes(at directory: Int32) throws(Errno) -> Int64 {
    try space(at: directory).free
  }

  /// The bytes in use in the file system of an open folder, and those available to the user.
  package static func space(
    at directory: Int32
  ) throws(Errno) -> (used: Int64, free: Int64) {
    var facts = statvfs()
    _ = try retrying { fstatvfs(directory, &facts) }
    func bytes(_ blocks: UInt64) -> Int64 {
      Int64(clamping: blocks).multiplied(saturating: Int64(clamping: facts.f_frsize))
    }
    let (blocks, free) = (UInt64(facts.f_blocks), UInt64(facts.f_bfree))
    return (bytes(blocks - min(blocks, free)), bytes(UInt64(facts.f_bavail)))
  }
}

package enum UserNames {
  package static func name(of user: UInt32) -> [UInt8]? {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    return name { text, size in
      getpwuid_r(user, &entry, text, size, &found) == 0 && found != nil ? entry.pw_name : nil
    }
  }

  package static func name(ofGroup number: UInt32) -> [UInt8]? {
    var (entry, found) = (group(), UnsafeMutablePointer<group>?.none)
    return name { text, size in
      getgrgid_r(number, &entry, text, size, &found) == 0 && found != nil ? entry.gr_name : nil
    }
  }

  private static func name(
    _ find: (UnsafeMutablePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?
  ) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { text in
      text.baseAddress.flatMap { find($0, text.count) }.map { [UInt8](cString: $0) }
    }
  }
}

extension [UInt8] {
  init(cString text: UnsafePointer<CChar>) {
    self = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }
}

/// Reports signals that would otherwise end the process: SIGUSR1, and the first SIGINT, SIGTERM or
/// SIGHUP, so that the process can finish its work. The next signal of the same number ends it.
package final class SignalPipe: Sendable {
  package enum Request: Sendable {
    case end(Int32)
    /// Pause or resume (SIGUSR1).
    case toggle
  }

  private let pipe: WakePipe

  /// A process can have one pipe. `pauses` says whether to handle SIGUSR1.
  package init(pauses: Bool = true) throws(Errno) {
    pipe = try WakePipe()
    csystem_signals_tell(pipe.writer.rawValue, pauses)
  }

  package func next() throws(Errno) -> [Request] {
    var bytes: [UInt8] = []
    _ = try pipe.reader.read(upTo: 64, appendingTo: &bytes)
    return bytes.map { Int32($0) == SIGUSR1 ? .toggle : .end(Int32($0)) }
  }

  /// Ends the process by a signal that ``next()`` has returned.
  package static func end(by signal: Int32) { kill(getpid(), signal) }
}

extension ThisProcess {
  /// The absolute path of a program, found as the system finds it: by its path, or in `PATH`.
  /// Links are not resolved.
  package static func path(ofProgram name: [UInt8]) -> [UInt8]? {
    if name.isEmpty { return nil }
    if name.contains(.slash) { return isProgram(name) ? absolutePath(name) : nil }
    let folders = (environment("PATH") ?? Array("/usr/bin:/bin".utf8))
      .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    // An empty name is the current folder.
    return folders.lazy.map { $0.isEmpty ? name : Array($0).appending(component: name) }
      .first(where: isProgram).flatMap(absolutePath)
  }

  /// The absolute path of this program, by which it can be started again.
  ///
  /// It is the path by which the program was started, links included, if that still leads to it:
  /// such a path outlives an update more often than the real one.
  package static func ownPath(calledAs name: [UInt8]) -> [UInt8]? {
    let found = path(ofProgram: name)
    #if os(Linux)
      let real = Array("/proc/self/exe".utf8)
      guard let own = try? FileSystem.rootFacts(real).identity else { return found }
      if let found, (try? FileSystem.rootFacts(found).identity) == own { return found }
      return try? realPath(real)
    #else
      return found
    #endif
  }

  /// A path from the root folder. Neither links nor `..` are resolved.
  package static func absolutePath(_ path: [UInt8]) -> [UInt8]? {
    if path.first == .slash { return path }
    var rest = path[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2).drop { $0 == .slash } }
    return workingDirectory.map { $0 == [.slash] ? $0 + rest : $0.appending(component: rest) }
  }

  private static func isProgram(_ path: [UInt8]) -> Bool {
    guard (try? FileSystem.rootFacts(path).kind) == .regular else { return false }
    let result = try? FileSystem.withCString(path) { (path) throws(Errno) in access(path, X_OK) }
    return result == 0
  }

  package static var user: UInt32 { UInt32(getuid()) }
}

/// The program of the system that starts other programs at set times.
package enum ServiceManager: Hashable, Sendable, CaseIterable {
  case systemd
  case launchd

  package static var ofThisSystem: ServiceManager {
    #if canImport(Darwin)
      .launchd
    #else
      .systemd
    #endif
  }
}
