import GeoCore

/// Writes a timer as two units of systemd: a service, and the timer that starts it.
enum SystemdUnits {
  static func files(of timer: KeptTimer) throws(Failure) -> [TimerFile] {
    let names = timer.name.fileNames(for: .systemd)
    return [
      TimerFile(name: names[0], bytes: try service(of: timer)),
      TimerFile(name: names[1], bytes: Array(text(of: timer).utf8)),
    ]
  }

  /// Status 1 is that of a state without what could not be read: no reason to call the unit failed.
  private static func service(of timer: KeptTimer) throws(Failure) -> [UInt8] {
    let head = """
      # \(timer.name.signature)
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
    # \(timer.name.signature)
    [Unit]
    Description=\(escaped(timer.summary))

    [Timer]
    \(schedule(every: timer.seconds))

    [Install]
    WantedBy=timers.target

    """
  }

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

  private static func escaped(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  /// For `ExecStart=`.
  static func command(_ words: [[UInt8]]) throws(Failure) -> [UInt8] {
    guard let program = words.first, program.first == .slash else {
      throw .usage("a unit needs the absolute path of its program")
    }
    // systemd refuses such programs, however they are quoted.
    let forbidden = Array("\"'\\".utf8)
    if program.contains(where: { $0 < 0x20 || $0 == 0x7F || forbidden.contains($0) }) {
      throw .usage(
        "systemd can't run '\(TerminalText.escaped(program))': the path of a program "
          + "may have no quotes, backslashes and control characters")
    }
    var line = quoted(program, dollars: false)
    for word in words.dropFirst() {
      line.append(0x20)
      line += quoted(word)
    }
    return line
  }

  /// Bytes that are not UTF-8, and characters that control rather than show, are `\xNN`. systemd
  /// expands no variables in the path of a program, so `$` is not doubled there.
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
          for byte in bytes {
            let one = [byte]
            text += Array("\\x".utf8) + one.span.hexDigits
          }
        }
      }
    }
    text.append(UInt8(ascii: "\""))
    return text
  }
}
