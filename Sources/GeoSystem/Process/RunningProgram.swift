#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program that is started, and whose output is read.
///
/// It reads a file or nothing, and what it has to say about errors is kept in a scratch file, so that neither waits
/// for the other. It ends with the value at the latest: then it is killed if it hasn't ended.
public final class RunningProgram {
  /// The number of its process; nil if it could not be started, for 0 would be this process's group.
  private var number: pid_t?
  private let output: Descriptor
  private let messages: ScratchFile
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: Its name, which is looked for in `PATH`.
  ///   - arguments: What follows its name.
  ///   - input: What it reads, from the beginning on; nothing if there is none. Nobody else may write to
  ///     it or read on in it meanwhile.
  ///   - variables: What is set in its environment, `NAME=VALUE`.
  ///   - removed: Names of variables that it doesn't get; those that end in `*` stand for all that begin
  ///     so.
  /// - Throws: Why it can't be started; ``Errno/noEntry`` if there is no such program.
  public init(
    _ name: String, _ arguments: [[UInt8]], input: ScratchFile? = nil,
    setting variables: [String] = [],
    removing removed: [String] = []
  ) throws(Errno) {
    messages = try ScratchFile()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .current }
    output = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

    var words = [Self.copy(Array(name.utf8))] + arguments.map(Self.copy)
    words.append(nil)
    var environment = Self.environment(without: removed)
    environment += variables.map { Self.copy(Array($0.utf8)) }
    environment.append(nil)
    defer { for word in words + environment { free(word) } }

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
    if let input {
      try input.rewind()
      posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, writing.rawValue, 1)
    posix_spawn_file_actions_adddup2(&actions, messages.rawValue, 2)
    // What this process ignores, the other one need not.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var started: pid_t = 0
    let error = posix_spawnp(&started, name, &actions, &attributes, words, environment)
    if error != 0 { throw Errno(rawValue: error) }
    number = started
  }

  deinit {
    guard status == nil, let number, number > 0 else { return }
    kill(number, SIGKILL)
    _ = wait()
  }

  /// Adds the next of what the program writes to other bytes.
  ///
  /// - Returns: How many there were, at most `count`; 0 at the end.
  public func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    try output.read(upTo: count, appendingTo: &bytes)
  }

  /// Waits for the end of the program.
  ///
  /// - Returns: Its exit status; nil if a signal ended it.
  public func finish() -> Int32? {
    let status = wait()
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// What it has said of errors, the beginning of it.
  public var errorText: [UInt8] {
    var bytes: [UInt8] = []
    _ = try? messages.read(upTo: 4096, at: 0, appendingTo: &bytes)
    return bytes
  }

  private func wait() -> Int32 {
    if let status { return status }
    guard let number else { return 0 }
    var found: Int32 = 0
    while waitpid(number, &found, 0) == -1, Errno.current == .interrupted {}
    status = found
    return found
  }

  /// Bytes with a zero after them, to be freed.
  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) { strdup($0) }
    }
  }

  private static func environment(
    without removed: [String]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var result: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      next += 1
      let variable = UnsafeBufferPointer(start: text, count: strlen(text)).map {
        UInt8(bitPattern: $0)
      }
      let name = variable.prefix { $0 != UInt8(ascii: "=") }
      let isRemoved = removed.contains { pattern in
        pattern.hasSuffix("*")
          ? name.starts(with: pattern.dropLast().utf8) : name.elementsEqual(pattern.utf8)
      }
      if !isRemoved { result.append(strdup(text)) }
    }
    return result
  }
}
