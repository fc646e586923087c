import GeoCore
import GeoFormats

/// Writes a timer as a property list of launchd.
enum LaunchAgent {
  static func file(of timer: KeptTimer) throws(Failure) -> TimerFile {
    var words = OutputBuffer(capacity: 1024)
    for word in timer.words {
      if !isText(word) {
        throw .usage(
          "'\(TerminalText.escaped(word))' has bytes that are not UTF-8, or control "
            + "characters, which the file of a timer (XML) can't hold")
      }
      words.append("    <string>")
      words.append(xml: word.span)
      words.append("</string>\n")
    }
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- \(timer.name.signature) -->
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(timer.name.label)</string>
        <key>ProgramArguments</key>
        <array>
      \(String(decoding: words.bytes, as: UTF8.self))  </array>
        <key>StartInterval</key>
        <integer>\(timer.seconds)</integer>
        <key>Nice</key>
        <integer>\(KeptTimer.niceness)</integer>
        <key>LowPriorityIO</key>
        <true/>
        <key>ProcessType</key>
        <string>Background</string>
      </dict>
      </plist>

      """
    return TimerFile(name: timer.name.fileNames(for: .launchd)[0], bytes: Array(text.utf8))
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
