import CLaunch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time and memory of one run of a program.
struct Measurement {
  var status: Int
  var seconds: Double
  var user: Double
  var system: Double
  /// Peak memory in bytes.
  var peak: Int
  var majorFaults: Int
  var contextSwitches: Int
}

/// Runs and measures programs from a separate small process.
///
/// A child starts with the memory of the process that forks it, so a large parent would count as
/// the child's peak.
enum Launcher {
  /// Seconds after which a program is killed, set by `GEOMAPPER_BENCH_LIMIT`.
  static let limit = getenv("GEOMAPPER_BENCH_LIMIT").flatMap { UInt16(String(cString: $0)) } ?? 900

  /// `launch REPORT OUTPUT COMMAND…`: the small process; writes its report to the descriptor
  /// `REPORT`.
  static func run(_ arguments: [String]) throws(Failure) {
    guard arguments.count >= 3, let report = Int32(arguments[0]) else {
      throw Failure("launch is used by the other commands only")
    }
    let output: String? = arguments[1] == "-" ? nil : arguments[1]
    _ = fcntl(report, F_SETFD, FD_CLOEXEC)
    var command = arguments[2...].map { strdup($0) }
    command.append(nil)
    var result = launch_result()
    let code = launch_measured(command, output, UInt32(limit), &result)
    guard code == 0 else { throw Failure("launch: \(String(cString: strerror(code)))") }
    let figures = [
      Int64(result.status), result.nanoseconds, result.user, result.system, result.peak,
      result.major_faults, result.voluntary + result.involuntary,
    ]
    let text = figures.map { String($0) }.joined(separator: " ")
    try System.write(Array(text.utf8), to: report)
  }

  /// Runs a command (a path and its arguments) with its output in a file.
  static func measure(_ command: [String], output: String) throws(Failure) -> Measurement {
    try measure(command, output: output, reader: nil)
  }

  /// Runs a command with its output in a pipe, which `reader` reads.
  ///
  /// When `reader` returns, the pipe is closed and the rest of the output is lost.
  static func measure(
    _ command: [String], reader: @escaping (Int32) throws(Failure) -> Void
  ) throws(Failure) -> Measurement {
    try measure(command, output: "-", reader: reader)
  }

  private static func measure(
    _ command: [String], output: String, reader: ((Int32) throws(Failure) -> Void)?
  ) throws(Failure) -> Measurement {
    let report = try makePipe()
    defer { close(report.read) }
    var actions = SpawnActions()
    actions.begin()
    defer { actions.end() }
    var data: (read: Int32, write: Int32)?
    if reader != nil {
      let pipe = try makePipe()
      actions.duplicate(pipe.write, to: 1)
      data = pipe
    }
    actions.duplicate(report.write, to: 9)
    let pid: pid_t
    do throws(Failure) {
      pid = try actions.spawn([System.ownPath(), "launch", "9", output] + command)
    } catch {
      close(report.write)
      throw error
    }
    close(report.write)
    var readFailure: Failure?
    if let data, let reader {
      close(data.write)
      do throws(Failure) { try reader(data.read) } catch { readFailure = error }
      close(data.read)
    }
    let text = String(decoding: try System.read(report.read, limit: 512), as: UTF8.self)
    var status: Int32 = 0
    System.retry { waitpid(pid, &status, 0) }
    if let readFailure { throw readFailure }
    let figures = text.split(separator: " ").compactMap { Int($0) }
    guard figures.count == 7 else { throw Failure("\(command[0]) could not be measured") }
    return Measurement(
      status: figures[0], seconds: Double(figures[1]) * 1e-9, user: Double(figures[2]) * 1e-6,
      system: Double(figures[3]) * 1e-6, peak: figures[4], majorFaults: figures[5],
      contextSwitches: figures[6])
  }

  /// Runs a command without measuring it.
  ///
  /// - Returns: Its standard output, with standard error if `withErrors`; nil if it can't be run.
  static func output(of command: [String], withErrors: Bool = false) -> String? {
    guard let pipe = try? makePipe() else { return nil }
    var actions = SpawnActions()
    actions.begin()
    defer { actions.end() }
    actions.duplicate(pipe.write, to: 1)
    if withErrors { actions.duplicate(pipe.write, to: 2) }
    let pid = try? actions.spawn(command)
    close(pipe.write)
    defer { close(pipe.read) }
    guard let pid else { return nil }
    var bytes: [UInt8] = []
    while let more = try? System.read(pipe.read, limit: 1 << 16), !more.isEmpty { bytes += more }
    var status: Int32 = 0
    System.retry { waitpid(pid, &status, 0) }
    return status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func makePipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(call: "pipe", "launch") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// The descriptors of a new process.
private struct SpawnActions {
  #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
  #else
    private var actions = posix_spawn_file_actions_t()
  #endif

  mutating func begin() { posix_spawn_file_actions_init(&actions) }

  mutating func end() { posix_spawn_file_actions_destroy(&actions) }

  mutating func duplicate(_ descriptor: Int32, to target: Int32) {
    posix_spawn_file_actions_adddup2(&actions, descriptor, target)
  }

  mutating func spawn(_ command: [String]) throws(Failure) -> pid_t {
    var pid: pid_t = 0
    var arguments = command.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let code = posix_spawn(&pid, command[0], &actions, nil, arguments, environ)
    guard code == 0 else { throw Failure("\(command[0]): \(String(cString: strerror(code)))") }
    return pid
  }
}
