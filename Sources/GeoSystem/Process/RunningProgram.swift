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

    if let input { try input.rewind() }
    number = try Spawning(
      words: [Array(name.utf8)] + arguments, variables: variables.map { Array($0.utf8) },
      removed: removed.map { Array($0.utf8) }, input: input?.rawValue, output: writing.rawValue,
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
}
