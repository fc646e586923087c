import GeoCore

/// Writes a timer as a line of a crontab.
package enum CronLine {
  /// The longest command of common crons, in bytes.
  private static let longest = 998

  /// Without a line end.
  package static func line(of timer: KeptTimer) throws(Failure) -> [UInt8] {
    guard let times = times(every: timer.seconds) else {
      throw .usage("cron has no interval of \(timer.seconds.grouped) seconds (try 15m, 1h or 1d)")
    }
    if let word = timer.words.first(where: { $0.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw .usage("'\(TerminalText.escaped(word))' has control characters")
    }
    let command =
      Array("nice -n \(KeptTimer.niceness)".utf8) + timer.words.flatMap { [0x20] + quoted($0) }
    if command.count > longest {
      throw .usage("the command has more than \(longest) bytes")
    }
    return Array(times.utf8) + [0x20] + command
  }

  static func times(every seconds: Int64) -> String? {
    switch ClockInterval(seconds: seconds) {
    case .minutes(1): "* * * * *"
    case .minutes(let count): "*/\(count) * * * *"
    case .hours(1): "0 * * * *"
    case .hours(let count): "0 */\(count) * * *"
    case .day: "0 0 * * *"
    case .week: "0 0 * * 1"
    case nil: nil
    }
  }

  /// Cron needs `\%` for `%`. Some crons remove the backslash and some leave it, so it is outside
  /// the quotes, where the shell removes it.
  static func quoted(_ word: [UInt8]) -> [UInt8] {
    if ShellText.isPlain(word) { return word }
    let percent = UInt8(ascii: "%")
    let parts = ShellText.quoted(word).split(separator: percent, omittingEmptySubsequences: false)
    return Array(parts.joined(separator: "'\\%'".utf8))
  }
}
