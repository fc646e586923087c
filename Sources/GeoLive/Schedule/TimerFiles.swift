import GeoCore
import GeoFormats

/// Writes a timer as two units of systemd: a service, and the timer that starts it.
enum SystemdUnits {
  /// The service and the timer.
  ///
  /// - Throws: If systemd can't run the program because of its path.
  static func files(of timer: KeptTimer) throws(Malformed) -> [TimerFile] {
    let names = timer.name.fileNames(for: .systemd)
    return [
      TimerFile(name: names[0], bytes: try service(of: timer)),
      TimerFile(name: names[1], bytes: Array(text(of: timer).utf8)),
    ]
  }

  /// The service: one run of the command.
  ///
  /// Status 1 is that of a state without what could not be read: no reason to call the unit failed.
  private static func service(of timer: KeptTimer) throws(Malformed) -> [UInt8] {
    let head = """
      # \(timer.name.mark)
      [Unit]
      Description=\(escaped(timer.summary))

      [Service]
      Type=oneshot
      ExecStart=
      """
    let tail = """

      SuccessExitStatus=1
      Nice=\(KeptTimer.niceness)
      IOSchedulingClass=idle

      """
    return Array(head.utf8) + (try command(timer.words)) + Array(tail.utf8)
  }

  private static func text(of timer: KeptTimer) -> String {
    """
    # \(timer.name.mark)
    [Unit]
    Description=\(escaped(timer.summary))

    [Timer]
    \(schedule(every: timer.seconds))

    [Install]
    WantedBy=timers.target

    """
  }

  /// The settings that say when the timer elapses.
  ///
  /// A run that was missed is made up for, which needs a calendar. Other intervals begin again with
  /// the service manager.
  static func schedule(every seconds: Int64) -> String {
    // The usual accuracy is a minute.
    let accuracy = seconds < 600 ? "\nAccuracySec=1s" : ""
    guard let calendar = calendar(seconds) else {
      return "OnActiveSec=1min\nOnUnitActiveSec=\(seconds)s" + accuracy
    }
    return "OnCalendar=\(calendar)\nPersistent=true" + accuracy
  }

  /// An expression for times so many seconds apart; nil if there isn't one.
  private static func calendar(_ seconds: Int64) -> String? {
    switch ClockInterval(seconds: seconds) {
    case .minutes(1): "*-*-* *:*:00"
    case .minutes(let count): "*-*-* *:00/\(count):00"
    case .hours(1): "*-*-* *:00:00"
    case .hours(let count): "*-*-* 00/\(count):00:00"
    case .day: "*-*-* 00:00:00"
    case .week: "Mon *-*-* 00:00:00"
    case nil: nil
    }
  }

  /// A text without specifiers.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  /// A command line for `ExecStart=`, each word in double quotes.
  static func command(_ words: [[UInt8]]) throws(Malformed) -> [UInt8] {
    guard let program = words.first, program.first == .slash else {
      throw Malformed(reason: "a unit needs the absolute path of its program")
    }
    // systemd refuses such programs, however they are quoted.
    let forbidden = Array("\"'\\".utf8)
    if program.contains(where: { $0 < 0x20 || $0 == 0x7F || forbidden.contains($0) }) {
      throw Malformed(
        reason: "systemd can't run '\(TerminalText.escaped(program))': the path of a program "
          + "may have no quotes, backslashes and control characters")
    }
    var line = quoted(program, dollars: false)
    for word in words.dropFirst() {
      line.append(0x20)
      line += quoted(word)
    }
    return line
  }

  /// A word in double quotes.
  ///
  /// Bytes that are not UTF-8, and characters that control rather than show, are `\xNN`.
  ///
  /// - Parameter dollars: Whether `$` is doubled; systemd expands no variables in the path of a
  ///   program.
  static func quoted(_ word: [UInt8], dollars: Bool = true) -> [UInt8] {
    var text = [UInt8(ascii: "\"")]
    let span = word.span
    var start = 0
    while start < word.count {
      let step = span.utf8Step(at: start)
      let bytes = word[start..<(start + step.length)]
      start += step.length
      switch word[bytes.startIndex] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        text.append(UInt8(ascii: "\\"))
        text += bytes
      case UInt8(ascii: "%"): text += Array("%%".utf8)
      case UInt8(ascii: "$") where dollars: text += Array("$$".utf8)
      default:
        if TerminalText.escapedBytes(Array(bytes).span).elementsEqual(bytes) {
          text += bytes
        } else {
          for byte in bytes { text += hex(byte) }
        }
      }
    }
    text.append(UInt8(ascii: "\""))
    return text
  }

  private static func hex(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}

/// Writes a timer as a property list of launchd.
enum LaunchAgent {
  /// The property list.
  ///
  /// - Throws: If a word has characters that XML can't hold.
  static func file(of timer: KeptTimer) throws(Malformed) -> TimerFile {
    var buffer = OutputBuffer(capacity: 2048)
    buffer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!--\u{20}
      """)
    put(timer.name.mark, to: &buffer)
    buffer.append(
      """
       -->
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>
      """)
    put(timer.name.label, to: &buffer)
    buffer.append("</string>\n  <key>ProgramArguments</key>\n  <array>\n")
    for word in timer.words {
      if !isText(word) {
        throw Malformed(
          reason: "'\(TerminalText.escaped(word))' has bytes that are not UTF-8, or control "
            + "characters, which the file of a timer (XML) can't hold")
      }
      buffer.append("    <string>")
      buffer.append(xml: word.span)
      buffer.append("</string>\n")
    }
    buffer.append("  </array>\n  <key>StartInterval</key>\n  <integer>")
    put("\(timer.seconds)", to: &buffer)
    buffer.append("</integer>\n  <key>Nice</key>\n  <integer>")
    put("\(KeptTimer.niceness)", to: &buffer)
    buffer.append(
      """
      </integer>
        <key>LowPriorityIO</key>
        <true/>
        <key>ProcessType</key>
        <string>Background</string>
      </dict>
      </plist>

      """)
    return TimerFile(name: timer.name.fileNames(for: .launchd)[0], bytes: buffer.bytes)
  }

  private static func put(_ text: String, to buffer: inout OutputBuffer) {
    buffer.append(xml: Array(text.utf8).span)
  }

  /// Whether XML 1.0 can hold the bytes as characters.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var start = 0
    while start < bytes.count {
      let step = span.utf8Step(at: start)
      let isControl = bytes[start] < 0x20 && bytes[start] != 0x09
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      let isNone =
        step.length == 3 && bytes[start] == 0xEF && bytes[start + 1] == 0xBF
        && bytes[start + 2] >= 0xBE
      if !step.isValid || isControl || isNone { return false }
      start += step.length
    }
    return true
  }
}

/// Writes a timer as a line of a crontab.
package enum CronLine {
  /// The longest command of common crons, in bytes.
  private static let longest = 998

  /// The line, without a line end.
  ///
  /// - Throws: Why cron can't run the timer.
  package static func line(of timer: KeptTimer) throws(Malformed) -> [UInt8] {
    guard let times = times(every: timer.seconds) else {
      throw Malformed(
        reason: "cron has no interval of \(timer.seconds.grouped) seconds (try 15m, 1h or 1d)")
    }
    if let word = timer.words.first(where: { $0.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw Malformed(reason: "'\(TerminalText.escaped(word))' has control characters")
    }
    let command =
      Array("nice -n \(KeptTimer.niceness)".utf8) + timer.words.flatMap { [0x20] + quoted($0) }
    if command.count > longest {
      throw Malformed(reason: "the command has more than \(longest) bytes")
    }
    return Array(times.utf8) + [0x20] + command
  }

  /// The five fields of the times; nil if no fields give the interval.
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

  /// A word as cron and then the shell read it.
  ///
  /// Cron needs `\%` for `%`. Some crons remove the backslash and some leave it, so it is outside
  /// the quotes, where the shell removes it.
  static func quoted(_ word: [UInt8]) -> [UInt8] {
    if ShellText.isPlain(word) { return word }
    let mark = UInt8(ascii: "%")
    let parts = ShellText.quoted(word).split(separator: mark, omittingEmptySubsequences: false)
    return Array(parts.joined(separator: "'\\%'".utf8))
  }
}
