import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another program that is run for what it does; it may take some time, and no more.
///
/// No shell is asked. It has nothing to read, and a process group of its own, which is ended as a whole.
public struct BoundedProgram {
  /// Its name, which is looked for in `PATH`, and its arguments; one at least.
  public var words: [[UInt8]]
  /// What is set in its environment, `NAME=VALUE`.
  public var variables: [[UInt8]] = []
  /// Names of variables that it doesn't get; those that end in `*` stand for all that begin so.
  public var removed: [[UInt8]] = []
  /// What keeps all that it writes; standard error if there is nothing.
  public var messages: ScratchFile?
  /// Whether it ends, too, when a signal ends this process.
  public var endsWithThis = false
  /// How long it may take.
  public var milliseconds: Int64

  /// How a program ended.
  public enum End: Hashable, Sendable {
    /// With a status.
    case ended(Int32)
    /// By a signal.
    case killed(Int32)
    /// It took too long, or nobody wanted it any more, and it was ended.
    case late
  }

  /// The usual way to run a program.
  public init(_ words: [[UInt8]], for milliseconds: Int64) {
    self.words = words
    self.milliseconds = milliseconds
  }

  /// Runs it to its end.
  ///
  /// - Parameter isWanted: Asked now and then; it is ended at once if the answer is no.
  /// - Throws: Why it can't be started.
  public func run(while isWanted: () -> Bool = { true }) throws(Errno) -> End {
    // Standard output may be a stream that nothing else belongs into.
    let number = try Spawning(
      words: words, variables: variables, removed: removed, output: messages?.rawValue ?? 2,
      messages: messages?.rawValue, isApart: true
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
      // What takes little is not waited for much longer.
      WorkerThread.pause(milliseconds: UInt32(min(20, 1 + (now - start) / 10_000_000)))
    }
  }
}

/// Another program that is started, and whose output is read.
///
/// It reads a file or nothing, or questions that are put to it one after the other. What it has to say about
/// errors is kept in a scratch file, so that neither waits for the other. It ends with the value at the latest:
/// then it is killed if it hasn't ended.
public final class RunningProgram {
  /// The number of its process; nil if it could not be started, for 0 would be this process's group.
  private var number: pid_t?
  private let output: Descriptor
  private let messages: ScratchFile
  /// Where questions are written; nil if there are none.
  private var questions: Descriptor?
  private var status: Int32?

  // Where the system can, nobody who is started meanwhile gets the socket, and holds it open.
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  #elseif canImport(Musl)
    private static let stream = SOCK_STREAM | SOCK_CLOEXEC
  #else
    private static let stream = SOCK_STREAM
  #endif

  /// What a program reads.
  public enum Input {
    /// Nothing.
    case nothing
    /// A file, from the beginning on. Nobody else may write to it or read on in it meanwhile.
    case file(ScratchFile)
    /// What ``RunningProgram/ask(_:)`` writes.
    case questions
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: Its name, which is looked for in `PATH`.
  ///   - arguments: What follows its name.
  ///   - input: What it reads.
  ///   - messages: Where what it says of errors is kept; empty, and no other program's.
  ///   - variables: What is set in its environment, `NAME=VALUE`.
  ///   - removed: Names of variables that it doesn't get; those that end in `*` stand for all that begin
  ///     so.
  /// - Throws: Why it can't be started; ``Errno/noEntry`` if there is no such program.
  public init(
    _ name: String, _ arguments: [[UInt8]], input: Input = .nothing, messages: ScratchFile,
    setting variables: [String] = [],
    removing removed: [String] = []
  ) throws(Errno) {
    self.messages = messages
    var ends: [Int32] = [-1, -1]
    let reason = csystem_pipe(&ends)
    if reason != 0 { throw Errno(rawValue: reason) }
    output = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])

    var reading: Descriptor?
    switch input {
    case .nothing: break
    case .file(let file):
      try file.rewind()
      reading = try Descriptor.duplicate(file.rawValue)
    case .questions:
      // A socket, as what is written to it is no end of this process when the other one has ended.
      guard socketpair(AF_UNIX, Self.stream, 0, &ends) == 0 else { throw .current }
      reading = Descriptor(owning: ends[0])
      questions = Descriptor(owning: ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    number = try Spawning(
      words: [Array(name.utf8)] + arguments, variables: variables.map { Array($0.utf8) },
      removed: removed.map { Array($0.utf8) }, input: reading?.rawValue, output: writing.rawValue,
      messages: messages.rawValue
    ).start()
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

  /// Writes a question, which is to be answered before the next one.
  ///
  /// - Parameter question: What the program reads to its end before it answers, or 4096 bytes at most: else
  ///   each might wait for the other to read on.
  public func ask(_ question: Span<UInt8>) throws(Errno) {
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

  /// Ends what it reads, and waits for the end of the program.
  ///
  /// - Returns: Its exit status; nil if a signal ended it.
  public func finish() -> Int32? {
    questions = nil
    let status = wait()
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// What it has said of errors, the beginning of it.
  public var errorText: [UInt8] { messages.beginning(4096) }

  private func wait() -> Int32 {
    if let status { return status }
    guard let number else { return 0 }
    var found: Int32 = 0
    while waitpid(number, &found, 0) == -1, Errno.current == .interrupted {}
    status = found
    return found
  }
}

/// How this process starts another program; no shell is asked.
struct Spawning {
  /// Its name, which is looked for in `PATH`, and its arguments; one at least.
  var words: [[UInt8]]
  /// What is set in its environment, `NAME=VALUE`.
  var variables: [[UInt8]] = []
  /// Names of variables that it doesn't get; those that end in `*` stand for all that begin so.
  var removed: [[UInt8]] = []
  /// What it reads; nothing if there is none.
  var input: Int32?
  /// Where it writes what it has to say.
  var output: Int32
  /// Where it writes what it has to say about errors; this process's own if there is none.
  var messages: Int32?
  /// Whether it gets a process group of its own, and all signals that are blocked here.
  var isApart = false

  /// Starts it.
  ///
  /// - Returns: The number of its process.
  /// - Throws: Why it can't be started; ``Errno/noEntry`` if there is no such program.
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

    // What this process ignores, the other one need not.
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

  /// The variables of this process that are neither removed nor set, to be freed.
  private func inherited() -> [UnsafeMutablePointer<CChar>?] {
    let names = removed + variables.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
    var result: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      next += 1
      let variable = UnsafeBufferPointer(start: text, count: strlen(text)).map {
        UInt8(bitPattern: $0)
      }
      let own = variable.prefix { $0 != UInt8(ascii: "=") }
      let isLeftOut = names.contains { name in
        name.last == UInt8(ascii: "*") ? own.starts(with: name.dropLast()) : own.elementsEqual(name)
      }
      if !isLeftOut { result.append(strdup(text)) }
    }
    return result
  }

  /// Bytes with a zero after them, to be freed.
  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) { strdup($0) }
    }
  }
}
