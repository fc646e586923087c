#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error with a message for the user.
struct Failure: Error {
  let message: String

  init(_ message: String) { self.message = message }

  /// The failure of a system call, with its reason.
  init(call: String, _ subject: String) {
    message = "\(subject): \(call): \(String(cString: strerror(errno)))"
  }
}

/// Small wrappers over the C library.
enum System {
  /// Repeats a call while signals interrupt it.
  @discardableResult
  static func retry<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Writes all bytes to a descriptor.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        retry {
          #if canImport(Glibc)
            Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
          #else
            Darwin.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
          #endif
        }
      }
      guard count >= 0 else { throw Failure(call: "write", "output") }
      done += count
    }
  }

  /// Reads at most `limit` bytes; empty at the end.
  static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { buffer in
      retry {
        #if canImport(Glibc)
          Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
    }
    guard count >= 0 else { throw Failure(call: "read", "input") }
    bytes.removeLast(limit - count)
    return bytes
  }

  /// Prints a line on standard output.
  static func print(_ line: String) { try? write(Array((line + "\n").utf8), to: 1) }

  /// Prints a line on standard error.
  static func note(_ line: String) { try? write(Array((line + "\n").utf8), to: 2) }

  /// The bytes of a whole file.
  static func contents(of path: String) throws(Failure) -> [UInt8] {
    let descriptor = retry { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Failure(call: "open", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let more = try read(descriptor, limit: 1 << 16)
      if more.isEmpty { return bytes }
      bytes.append(contentsOf: more)
    }
  }

  /// The text of a file; nil if it can't be read.
  static func text(of path: String) -> String? {
    guard let bytes = try? contents(of: path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a file, replacing an existing one.
  static func replace(_ path: String, with text: String) throws(Failure) {
    let descriptor = retry { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    guard descriptor >= 0 else { throw Failure(call: "open", path) }
    defer { close(descriptor) }
    try write(Array(text.utf8), to: descriptor)
  }

  /// Seconds of the monotonic clock.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The date and time in UTC, as `2026-11-20T08:00:00Z`.
  static func date() -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a folder and its missing parents.
  static func makeFolders(_ path: String) throws(Failure) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += part
      if mkdir(prefix, 0o755) != 0, !isFolder(prefix) { throw Failure(call: "mkdir", prefix) }
      prefix += "/"
    }
  }

  /// The size of a file in bytes; nil if it doesn't exist.
  static func size(of path: String) -> Int? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int(facts.st_size) : nil
  }

  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// The real path; nil if the path doesn't exist.
  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path of this program.
  static func ownPath() -> String {
    if let path = realPath("/proc/self/exe") { return path }
    return realPath(CommandLine.arguments[0]) ?? CommandLine.arguments[0]
  }

  /// The path of a program in the search path; nil if it is not installed.
  static func which(_ program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/\(program)"
      if access(candidate, X_OK) == 0, !isFolder(candidate) { return candidate }
    }
    return nil
  }
}
