import GeoCore
import GeoFormats

/// Writes a timer as a property list of launchd.
enum LaunchAgent {
  static func file(of timer: KeptTimer) throws(Failure) -> TimerFile {
    var buffer = OutputBuffer(capacity: 2048)
    buffer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!--\u{20}
      """)
    put(timer.name.signature, to: &buffer)
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
        throw .usage(
          "'\(TerminalText.escaped(word))' has bytes that are not UTF-8, or control "
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
