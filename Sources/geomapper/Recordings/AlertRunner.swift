import GeoCore
import GeoFormats
import GeoLive
import GeoSystem

/// A command that runs for an alert, with a time limit.
struct AlertCommand: Sendable {
  /// Its name and its arguments.
  let words: [[UInt8]]

  /// The time limit, in milliseconds.
  static let patience: Int64 = 60_000

  /// The alert in environment variables.
  ///
  /// - Parameter timestamp: Its time, in Unix milliseconds.
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

  /// Runs the command to its end, and reports its failure.
  ///
  /// - Returns: Whether it succeeded.
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
  private static let mostWaiting = 100

  /// Starts a thread that waits for alerts.
  init(_ words: [[UInt8]]) throws(Errno) {
    command = AlertCommand(words: words)
    try WorkerThread.start { [self] in
      while true { command.run(next()) }
    }
  }

  /// Queues a run of the command, with the alert in environment variables.
  func add(_ alert: RecordedAlert, timestamp: Int64) {
    let variables = AlertCommand.variables(of: alert, timestamp: timestamp)
    let isTaken = monitor.withLock {
      if waiting.count >= Self.mostWaiting { return false }
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

  /// Waits for queued runs, for a limited time.
  func finish() {
    let deadline = ThisProcess.nanoseconds + AlertCommand.patience * 1_000_000
    while ThisProcess.nanoseconds < deadline {
      if monitor.withLock({ waiting.isEmpty && !isRunning }) { return }
      WorkerThread.pause(milliseconds: 20)
    }
  }
}

/// The trends of sampled folders, as text and as JSON.
enum TrendText {
  static func plain(of summary: RecordingSummary) -> String {
    var text = ""
    for (path, trend) in trends(of: summary) {
      text += "  \(TerminalText.escaped(path)): \(Quantity.bytes(Int(trend.value)))"
      if let rate = trend.rate, let direction = trend.direction {
        text += "  \(direction.arrow) \(direction.rawValue), \(change(rate)) an hour"
        if let free = summary.free[path], let hours = trend.hoursUntilFull(free: free) {
          text += ", full in \(span(hours: hours))"
        }
      }
      text += "\n"
      for window in trend.windows {
        text +=
          "    \(padded("last \(window.span / 3600) h", 12))"
          + "least \(padded(Quantity.bytes(Int(window.least)), 12))"
          + "greatest \(padded(Quantity.bytes(Int(window.greatest)), 12))"
          + "average \(Quantity.bytes(whole(window.average)))\n"
      }
    }
    return text
  }

  static func put(_ summary: RecordingSummary, to json: inout JSONBuilder) {
    let all = trends(of: summary)
    if all.isEmpty { return }
    json.key("trends")
    json.array { json in
      for (path, trend) in all {
        json.object { json in
          json.member("path", text: path)
          json.member("bytes", trend.value)
          if let rate = trend.rate, let direction = trend.direction {
            json.key("bytesPerHour")
            json.value(rate)
            json.member("direction", text: Array(direction.rawValue.utf8))
          }
          if let free = summary.free[path] {
            json.member("free", free)
            if let hours = trend.hoursUntilFull(free: free) {
              json.key("hoursUntilFull")
              json.value(hours)
            }
          }
          json.member("windows", each: trend.windows) { window, json in
            json.object { json in
              json.member("hours", window.span / 3600)
              json.member("least", window.least)
              json.member("greatest", window.greatest)
              json.key("average")
              json.value(window.average)
            }
          }
        }
      }
    }
  }

  private static func trends(of summary: RecordingSummary) -> [([UInt8], Trend)] {
    summary.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .compactMap { path, series in Trend(of: series).map { (path, $0) } }
  }

  private static func change(_ rate: Double) -> String {
    let number = whole(rate)
    return (number < 0 ? "-" : "+") + Quantity.bytes(abs(number))
  }

  private static func whole(_ number: Double) -> Int {
    Int(min(max(number, -9e18), 9e18).rounded())
  }

  private static func span(hours: Double) -> String {
    if hours < 48 { return "\(whole(hours)) h" }
    return hours < 1e6 ? "\(whole(hours / 24)) days" : "more than a century"
  }
}
