import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
