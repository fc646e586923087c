#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
