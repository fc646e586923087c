import GeoCore
import GeoLive
import GeoSystem
import GeoTrack

extension LowArguments {
  /// Maximum size of a file of rules, in bytes.
  private static let largestFile = 16 << 20

  /// All alert rules, each checked to be about a root or a folder below one.
  ///
  /// - Parameter labels: The labels of the roots.
  func alertRules(of labels: [[UInt8]]) throws(Failure) -> [AlertRule] {
    var rules = record.alerts
    for path in record.alertFiles { rules += try Self.rules(from: path) }
    for rule in rules {
      let label = rule.path.firstComponent
      if !labels.contains(where: { $0.elementsEqual(label) }) {
        let shown = labels.map { TerminalText.escaped($0) }.joined(separator: ", ")
        throw .usage(
          "the alert '\(TerminalText.escaped(rule.text))' is about none of the roots: \(shown)")
      }
    }
    return rules
  }

  private static func rules(from path: [UInt8]) throws(Failure) -> [AlertRule] {
    let shown = TerminalText.escaped(path)
    let bytes = try explaining("--alerts can't read '\(shown)'") {
      try FileSystem.readInput(path, limit: largestFile)
    }
    do throws(Malformed) {
      return try AlertRule.parse(file: bytes)
    } catch {
      throw .usage("--alerts: '\(shown)', \(error.reason)")
    }
  }

  /// Refuses a DIR after `--exec`, which is an argument of the command.
  func refuseFolderInCommand() throws(Failure) {
    if operands.isEmpty, let last = record.command?.dropFirst().last,
      (try? FileSystem.rootFacts(last))?.kind == .directory
    {
      throw .usage(
        "all after --exec belongs to the command, '\(TerminalText.escaped(last))' too: give the DIRs "
          + "before --exec")
    }
  }
}

extension RecordedAlert {
  /// The value, rounded.
  var valueText: String { abs(value) < 1e15 ? Int(value.rounded()).grouped : "\(value)" }

  /// Writes the alert to standard error.
  ///
  /// - Parameter time: Its time, in Unix milliseconds.
  func report(at time: Int64) {
    let name = name == rule ? "" : "\(TerminalText.escaped(name)): "
    Messages.write(
      "\(Tool.name): \(TrackInfo.moment(time)) alert \(state.rawValue): \(name)"
        + "\(TerminalText.escaped(rule)) (\(valueText))\n")
  }
}
