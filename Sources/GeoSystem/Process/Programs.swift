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

/// Another program that runs while this process writes its input or reads its output.
///
/// Its input is a file, nothing, or a series of questions. Its error messages go to a scratch file,
/// so that neither process waits for the other. If it still runs when the value is destroyed, it is
/// killed.
package final class RunningProgram {
  /// The number of its process; nil if it could not be started, because 0 would be this process's
  /// group.
  private var number: pid_t?
  /// Its output; nil if that goes to the messages.
  private var output: Descriptor?
  /// Whether it has its own process group, which ends with it and with this process.
  private let isGroup: Bool
  private let messages: ScratchFile
  private var questions: Descriptor?
  private var status: Int32?

  // Closed on exec, if the system can set that at once: a program started by another thread must
  // not inherit the socket and keep it open.
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  #elseif canImport(Musl)
    private static let stream = SOCK_STREAM | SOCK_CLOEXEC
  #else
    private static let stream = SOCK_STREAM
  #endif

  package enum Input {
    case nothing
    /// A file, from its beginning. Don't read or write it elsewhere in the meantime.
    case file(ScratchFile)
    /// The questions written by ``RunningProgram/ask(_:)``.
    case questions
    /// Questions at its descriptor 3, without an input. Its descriptor 4 goes nowhere.
    case questionsApart
  }

  /// Starts a program, found in `PATH`, whose output is read. `messages` is an empty file for its errors
  /// that no other program uses. For the variables see ``Spawning``. Throws ``Errno/noEntry`` if there
  /// is no such program.
  package init(
    _ name: String, _ arguments: [[UInt8]], input: Input = .nothing, messages: ScratchFile,
    setting variables: [String] = [],
    removing removed: [String] = []
  ) throws(Errno) {
    self.messages = messages
    isGroup = false
    var ends: [Int32] = [-1, -1]
    let reason = csystem_pipe(&ends)
    if reason != 0 { throw Errno(rawValue: reason) }
    output = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    number = try start(
      Spawning(
        words: [Array(name.utf8)] + arguments, variables: variables.map { Array($0.utf8) },
        removed: removed.map { Array($0.utf8) }, output: writing.rawValue,
        messages: messages.rawValue),
      input)
  }

  /// Starts a program in its own process group, with all its output in `messages`.
  ///
  /// The group is killed when the program ends, when the value is destroyed, or when a signal ends
  /// this process.
  /// ``ask(_:)`` fails if the program reads nothing for `patience` seconds.
  package init(
    group words: [[UInt8]], in folder: [UInt8]? = nil, input: Input, messages: ScratchFile,
    patience: Int,
    setting variables: [[UInt8]] = [], removing removed: [[UInt8]] = []
  ) throws(Errno) {
    self.messages = messages
    isGroup = true
    let number = try start(
      Spawning(
        words: words, variables: variables, removed: removed, output: messages.rawValue,
        messages: messages.rawValue, folder: folder, isApart: true),
      input)
    self.number = number
    csystem_group_started(number)
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    if let socket = questions?.rawValue {
      setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private func start(_ program: Spawning, _ input: Input) throws(Errno) -> pid_t {
    var (program, ends): (Spawning, [Int32]) = (program, [-1, -1])
    var reading: Descriptor?
    switch input {
    case .nothing: break
    case .file(let file):
      try file.rewind()
      reading = try Descriptor.duplicate(file.rawValue)
    case .questions, .questionsApart:
      // A socket instead of a pipe: writing to it after the program has ended doesn't raise
      // SIGPIPE.
      guard socketpair(AF_UNIX, Self.stream, 0, &ends) == 0 else { throw .current }
      reading = Descriptor(owning: ends[0])
      questions = Descriptor(owning: ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    if case .questionsApart = input {
      program.control = reading?.rawValue
    } else {
      program.input = reading?.rawValue
    }
    return try program.start()
  }

  deinit {
    guard status == nil, let number, number > 0 else { return }
    kill(isGroup ? -number : number, SIGKILL)
    _ = wait()
  }

  /// Reads the next bytes of the program's output, at most `count`, and appends them; 0 at the end.
  package func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    try output?.read(upTo: count, appendingTo: &bytes) ?? 0
  }

  /// Writes a question, whose answer must be read before the next one.
  ///
  /// - Parameter question: At most 4,096 bytes, unless the program reads it to its end before it
  ///   answers. Otherwise both processes could wait for each other.
  package func ask(_ question: Span<UInt8>) throws(Errno) {
    guard let number = questions?.rawValue else { throw .badDescriptor }
    var start = 0
    while start < question.count {
      let sent = question.extracting(start...).withUnsafeBytes {
        csystem_send(number, $0.baseAddress, $0.count)
      }
      if sent < 0 { throw Errno(rawValue: Int32(-sent)) }
      start += sent
    }
  }

  /// Closes its input and waits for its end, as long as a condition holds; else ends it.
  package func finish(while isWanted: () -> Bool) -> BoundedProgram.End {
    questions = nil
    while !hasEnded {
      if !isWanted() {
        if let number { kill(isGroup ? -number : number, SIGKILL) }
        _ = wait()
        return .late
      }
      WorkerThread.pause(milliseconds: 20)
    }
    let status = wait()
    return status & 0x7F == 0 ? .ended(status >> 8 & 0xFF) : .killed(status & 0x7F)
  }

  /// Closes its input and waits for its end. Nil if a signal ended it.
  package func finish() -> Int32? {
    questions = nil
    let status = wait()
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// The beginning of its error messages.
  package var errorText: [UInt8] { messages.beginning(4096) }

  package var hasEnded: Bool {
    if status == nil, hasExited(WNOHANG) { _ = wait() }
    return status != nil
  }

  /// Whether it has ended, its status still to be taken. `options` is `WNOHANG`, or 0 to wait.
  private func hasExited(_ options: Int32) -> Bool {
    guard let number else { return true }
    var facts = siginfo_t()
    while waitid(P_PID, id_t(number), &facts, WEXITED | WNOWAIT | options) == -1 {
      if Errno.current != .interrupted { return true }
    }
    return facts.si_signo != 0
  }

  private func wait() -> Int32 {
    if let status { return status }
    guard let number else { return 0 }
    if isGroup {
      // As long as the status isn't taken, the number of the group can't be another one's.
      _ = hasExited(0)
      kill(-number, SIGKILL)
      csystem_group_ended(number)
    }
    var found: Int32 = 0
    while waitpid(number, &found, 0) == -1, Errno.current == .interrupted {}
    status = found
    return found
  }
}

/// Starts another program without a shell.
struct Spawning {
  /// The words and variables are those of a ``BoundedProgram``.
  var words: [[UInt8]]
  var variables: [[UInt8]] = []
  var removed: [[UInt8]] = []
  var input: Int32?
  /// What becomes its descriptor 3, with `/dev/null` as 4; nil for neither.
  var control: Int32?
  var output: Int32
  /// The descriptor for its error messages; nil for this process's standard error.
  var messages: Int32?
  var folder: [UInt8]?
  /// Whether it gets its own process group, and a signal mask that blocks nothing.
  var isApart = false

  /// Throws ``Errno/noEntry`` if the program isn't found.
  func start() throws(Errno) -> pid_t {
    guard let name = words.first, !name.isEmpty else { throw .noEntry }
    let arguments = words.map(Self.copy) + [nil]
    let environment = inherited() + variables.map(Self.copy) + [nil]
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
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    if let messages { posix_spawn_file_actions_adddup2(&actions, messages, 2) }
    if let folder {
      let path = Self.copy(folder)
      defer { free(path) }
      guard let path else { throw Errno(rawValue: ENOMEM) }
      let reason = csystem_spawn_folder(&actions, path)
      if reason != 0 { throw Errno(rawValue: reason) }
    }
    if let control {
      posix_spawn_file_actions_adddup2(&actions, control, 3)
      posix_spawn_file_actions_addopen(&actions, 4, "/dev/null", O_WRONLY, 0)
    }

    // The program shouldn't inherit ignored signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF)
    if isApart {
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP)
    }
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, flags)

    var started: pid_t = 0
    guard let program = arguments[0] else { throw Errno(rawValue: ENOMEM) }
    let error = posix_spawnp(&started, program, &actions, &attributes, arguments, environment)
    if error != 0 { throw Errno(rawValue: error) }
    return started
  }

  /// Copies of this process's variables that are neither removed nor set; the caller frees them.
  private func inherited() -> [UnsafeMutablePointer<CChar>?] {
    let names = removed + variables.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
    var result: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      next += 1
      let own = [UInt8](cString: text).prefix { $0 != UInt8(ascii: "=") }
      let isLeftOut = names.contains { name in
        name.last == UInt8(ascii: "*") ? own.starts(with: name.dropLast()) : own.elementsEqual(name)
      }
      if !isLeftOut { result.append(strdup(text)) }
    }
    return result
  }

  /// Copies bytes as a C string; the caller frees it.
  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) { strdup($0) }
    }
  }
}
