import GeoCore
import GeoLive
import GeoSystem
import GeoTree

extension LowArguments {
  /// Maximum size of a file of rules, in bytes.
  private static let largestFile = 16 << 20

  /// All alert rules, each checked to be about a root or a folder below one.
  func alertRules(of roots: [ScanRoot]) throws(Failure) -> [AlertRule] {
    let labels = roots.map(\.label)
    var rules = record.alerts
    for path in record.alertFiles { rules += try Self.rules(from: path) }
    for rule in rules {
      let label = rule.path.firstComponent
      if !labels.contains(where: { $0.elementsEqual(label) }) {
        let shown = labels.map(\.shown).joined(separator: ", ")
        throw .usage("the alert \(rule.text.quoted) is about none of the roots: \(shown)")
      }
      if !isQuiet, let root = roots.first(where: { $0.label.elementsEqual(label) }),
        (try? FileSystem.rootFacts(root.directory + rule.path[label.endIndex...]))?.kind
          != .directory
      {
        Messages.note(
          "\(rule.path.quoted) is not a folder: as long as it isn't, "
            + "\(rule.text.quoted) is not evaluated")
      }
    }
    return rules
  }

  private static func rules(from path: [UInt8]) throws(Failure) -> [AlertRule] {
    let shown = path.shown
    let bytes = try explaining("--alerts can't read '\(shown)'") {
      try FileSystem.readInput(path, limit: largestFile)
    }
    return try rethrowing(AlertRule.parse(file: bytes)) { (failure: Failure) in
      Failure.usage("--alerts: '\(shown)', \(failure.message)")
    }
  }
}

extension CommandRule {
  /// Refuses a DIR after `--exec`, which is an argument of the command.
  static let noFolderInCommand = Self { given in
    guard given.operands.isEmpty, let last = given.low.record.command?.dropFirst().last,
      (try? FileSystem.rootFacts(last))?.kind == .directory
    else { return nil }
    return "all after --exec belongs to the command, \(last.quoted) too: give the "
      + "DIRs before --exec"
  }
}

extension RecordedAlert {
  var words: String {
    let name = name == rule ? "" : "\(name.shown): "
    let amount = abs(value) < 1e15 ? Int(value.rounded()).grouped : "\(value)"
    return "\(state.rawValue): \(name)\(rule.shown) (\(amount))"
  }

  /// The time is in Unix milliseconds.
  func report(at time: Int64) {
    Messages.write("\(Tool.name): \(TrackInfo.moment(time)) alert \(words)\n")
  }
}

struct AlertCommand: Sendable {
  let words: [[UInt8]]

  /// The time limit, in milliseconds.
  static let patience: Int64 = 60_000

  /// The alert in environment variables; its time is in Unix milliseconds.
  static func variables(of alert: RecordedAlert, timestamp: Int64) -> [[UInt8]] {
    func variable(_ name: String, _ value: [UInt8]) -> [UInt8] {
      Array("GEOMAPPER_\(name)=".utf8) + value.filter { $0 != 0 }
    }
    return [
      variable("ALERT", alert.name), variable("PATH", alert.path), variable("RULE", alert.rule),
      variable("VALUE", Array("\(alert.value)".utf8)),
      variable("LIMIT", Array("\(alert.limit)".utf8)),
      variable("STATE", Array(alert.state.rawValue.utf8)),
      variable("TIME", Array(TrackInfo.moment(timestamp).utf8)),
    ]
  }

  @discardableResult
  func run(_ variables: [[UInt8]]) -> Bool {
    let name = TerminalText.escaped(words.first ?? [])
    do throws(Errno) {
      var program = BoundedProgram(words, for: Self.patience)
      program.variables = variables
      switch try program.run() {
      case .ended(0): return true
      case .ended(let status): Messages.note("'\(name)' ended with status \(status)")
      case .killed(let signal): Messages.note("'\(name)' was ended by signal \(signal)")
      case .late: Messages.note("'\(name)' took more than a minute, and was ended")
      }
    } catch {
      Messages.note("can't run '\(name)': \(error)")
    }
    return false
  }
}

/// Runs a command for alerts, one at a time, on its own thread.
final class AlertRunner: @unchecked Sendable {
  // Sendable: all mutable state is used inside the monitor only.
  private let command: AlertCommand
  private let monitor = Monitor()
  private var waiting: [[[UInt8]]] = []
  private var isRunning = false

  /// Maximum number of waiting alerts; more are dropped and reported.
  private static let maximumWaiting = 100

  init(_ words: [[UInt8]]) throws(Errno) {
    command = AlertCommand(words: words)
    try WorkerThread.start { [self] in
      while true { command.run(next()) }
    }
  }

  func add(_ alert: RecordedAlert, timestamp: Int64) {
    let variables = AlertCommand.variables(of: alert, timestamp: timestamp)
    let isTaken = monitor.withLock {
      if waiting.count >= Self.maximumWaiting { return false }
      waiting.append(variables)
      monitor.wakeOne()
      return true
    }
    if !isTaken { Messages.note("too many alerts wait for the command: this one is left out") }
  }

  private func next() -> [[UInt8]] {
    monitor.withLock {
      isRunning = false
      while waiting.isEmpty { monitor.wait() }
      isRunning = true
      return waiting.removeFirst()
    }
  }

  func finish() {
    let deadline = ThisProcess.nanoseconds + AlertCommand.patience * 1_000_000
    while ThisProcess.nanoseconds < deadline {
      if monitor.withLock({ waiting.isEmpty && !isRunning }) { return }
      WorkerThread.pause(milliseconds: 20)
    }
  }
}
