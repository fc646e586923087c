import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A child process, with arguments of any bytes.
public final class Subprocess: @unchecked Sendable {
  /// Where a standard descriptor of the process leads.
  public enum Stream {
    /// `/dev/null`
    case null
    /// A pipe that ``Subprocess/finish()`` reads to its end.
    case captured
    /// An open descriptor of the test, which the test keeps open.
    case descriptor(Int32)
  }

  /// How a process ended, and its captured output.
  public struct Outcome: Sendable {
    /// The exit status; nil if a signal ended the process.
    public var status: Int32?
    /// The signal that ended it; nil if it exited.
    public var signal: Int32?
    /// The bytes of standard output, if captured.
    public var output: [UInt8] = []
    /// The bytes of standard error, if captured.
    public var error: [UInt8] = []

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    public var errorText: String { String(decoding: error, as: UTF8.self) }
  }

  private let name: String
  /// The process identifier.
  public let number: pid_t
  private var captured: [(descriptor: Int32, isOutput: Bool)] = []

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: The arguments after the program's name.
  ///   - environment: Variables to add to the test's environment, as `NAME=value`.
  ///   - folder: The working directory; the test's own if nil.
  /// - Throws: ``SystemFailure`` if it can't be started.
  public init(
    _ program: String, _ arguments: [[UInt8]], environment: [String] = [], in folder: String? = nil,
    output: Stream = .captured, error: Stream = .captured
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    var ours: [Int32] = []
    defer { for descriptor in ours { close(descriptor) } }
    for (stream, number) in [(output, Int32(1)), (error, Int32(2))] {
      switch stream {
      case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .captured:
        let pipe = try TestPipe()
        captured.append((pipe.reader, number == 1))
        ours.append(pipe.writer)
        posix_spawn_file_actions_adddup2(&actions, pipe.writer, number)
      }
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test runner may have been started with signals ignored.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var variables = Self.variables(adding: environment).map { strdup($0) }
    var line = [Array(program.utf8)] + arguments
    if let folder {
      let script = #"cd "$0" && exec "$@""#
      line = ["/bin/sh", "-c", script, folder].map { Array($0.utf8) } + line
    }
    var words = line.map { word in
      strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    defer { for string in variables + words { free(string) } }
    variables.append(nil)
    words.append(nil)
    var number: pid_t = 0
    let failure = posix_spawn(
      &number, folder == nil ? program : "/bin/sh", &actions, &attributes, words, variables)
    if failure != 0 {
      for stream in captured { close(stream.descriptor) }
      throw SystemFailure(call: "posix_spawn \(program)", number: failure)
    }
    self.number = number
    name = ([Array(program.utf8)] + arguments)
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// The test's environment, with the given variables (`NAME=value`) added or replaced.
  private static func variables(adding others: [String]) -> [String] {
    let names = Set(others.map { $0.prefix { $0 != "=" } })
    var variables = others
    var pointer = environ
    while let variable = pointer.pointee {
      let text = String(cString: variable)
      if !names.contains(text.prefix { $0 != "=" }) { variables.append(text) }
      pointer += 1
    }
    return variables
  }

  /// Sends a signal to the process.
  public func send(_ signal: Int32) { kill(number, signal) }

  /// Reads the captured output to its end, and waits for the process to exit.
  ///
  /// A process that is still there after ``Patience`` is killed; the outcome shows the signal.
  public func finish() -> Outcome {
    var outcome = Outcome()
    let end = Patience.end
    while !captured.isEmpty {
      var requests = captured.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      if poll(&requests, nfds_t(requests.count), 1000) <= 0, Patience.now > end { break }
      for (index, request) in requests.enumerated().reversed() where request.revents != 0 {
        let bytes = readSome(request.fd)
        if bytes.isEmpty {
          close(request.fd)
          captured.remove(at: index)
        } else if captured[index].isOutput {
          outcome.output += bytes
        } else {
          outcome.error += bytes
        }
      }
    }
    // Its child processes may hold the pipes open.
    for stream in captured { close(stream.descriptor) }
    captured = []
    var status: Int32 = 0
    var pause: UInt32 = 100
    while true {
      let gone = waitpid(number, &status, WNOHANG)
      if gone == number || (gone == -1 && errno != EINTR) { break }
      if Patience.now > end {
        print("killed because it did not end: \(name)")
        kill(number, SIGKILL)
      }
      usleep(pause)
      pause = min(2 * pause, 10_000)
    }
    if status & 0x7F == 0 {
      outcome.status = status >> 8 & 0xFF
    } else {
      outcome.signal = status & 0x7F
    }
    return outcome
  }

  #if os(Linux)
    /// The contents of a file of `/proc` for each thread; threads that have ended are left out.
    private func threads(_ file: String) throws -> [String] {
      let tasks = "/proc/\(number)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task in
        try? String(contentsOfFile: "\(tasks)/\(task)/\(file)", encoding: .utf8)
      }
    }

    /// The targets of its descriptors, as `/proc` shows them.
    public func descriptors() throws -> [String] {
      let folder = "/proc/\(number)/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
    }

    /// The processor time of all its threads, in nanoseconds.
    public func processorNanoseconds() throws -> Int {
      try threads("schedstat").reduce(0) { sum, text in
        sum + (text.split(separator: " ").first.flatMap { Int($0) } ?? 0)
      }
    }

    /// Whether all its threads are asleep, so that all past events have been handled.
    public func isAsleep() throws -> Bool {
      try threads("stat").allSatisfy { text in
        guard let end = text.lastIndex(of: ")") else { return false }
        return text[end...].hasPrefix(") S")
      }
    }
  #endif

  /// Runs a program to its end.
  public static func run(
    _ program: String, _ arguments: [String], in folder: String? = nil
  ) throws -> Outcome {
    try Subprocess(program, arguments.map { Array($0.utf8) }, in: folder).finish()
  }
}
