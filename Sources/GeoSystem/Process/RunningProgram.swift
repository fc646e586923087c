import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
