import Foundation
import GeoCore
import TestSupport
import Testing

@testable import GeoLive

/// The files of timers, read back by small parsers of their own.
@Suite struct TimerFileTests {
  private static let program = Array("/usr/local/bin/geomapper".utf8)

  private func timer(
    _ words: [[UInt8]], every seconds: Int64 = 3600, summary: String = "Keep a state of /home"
  ) throws -> KeptTimer {
    try KeptTimer(
      TimerName(of: [Array("/home".utf8)]), running: [Self.program] + words, every: seconds,
      summary: summary)
  }

  /// Command lines whose words have every byte that quoting is about.
  private static func words(_ generator: inout SeededGenerator, without: Set<UInt8>) -> [[UInt8]] {
    let special = Array("%$\"'\\ ;#`!*?~&|<>(){}[]=-xn0u${HOME}$$\\x41%h%%".utf8)
    return (0..<generator.number(in: 1...4)).map { _ in
      var word: [UInt8] = []
      for _ in 0..<generator.number(in: 0...12) {
        switch generator.number(in: 0...5) {
        case 0...2: word.append(special[generator.number(in: 0...(special.count - 1))])
        case 3: word += Array("é\u{202E}\u{9B}日😀".unicodeScalars)[generator.number(in: 0...4)].utf8
        case 4: word.append(UInt8(generator.number(in: 1...255)))
        default: word.append(UInt8(ascii: "a"))
        }
      }
      return word.filter { !without.contains($0) }
    }
  }

  private static func smaller(_ words: [[UInt8]]) -> [[[UInt8]]] {
    var cases: [[[UInt8]]] = []
    for index in words.indices {
      if words.count > 1 { cases.append(words.enumerated().filter { $0.0 != index }.map(\.1)) }
      for byte in words[index].indices {
        var less = words
        less[index].remove(at: byte)
        cases.append(less)
      }
    }
    return cases
  }

  // MARK: systemd

  /// Words as systemd reads them: quotes and escapes, then specifiers, then variables.
  private static func systemdWords(_ line: [UInt8]) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    var rest = line[...]
    while let first = rest.first {
      if first == 0x20 {
        rest.removeFirst()
        continue
      }
      guard first == UInt8(ascii: "\"") else { return nil }
      rest.removeFirst()
      var word: [UInt8] = []
      while true {
        guard let byte = rest.popFirst() else { return nil }
        if byte == UInt8(ascii: "\"") { break }
        if byte != UInt8(ascii: "\\") {
          word.append(byte)
          continue
        }
        guard let escaped = rest.popFirst() else { return nil }
        switch escaped {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): word.append(escaped)
        case UInt8(ascii: "x"):
          guard rest.count >= 2,
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
            value != 0
          else { return nil }
          rest = rest.dropFirst(2)
          word.append(value)
        default: return nil
        }
      }
      guard let plain = halved(word, of: "%"),
        let expanded = words.isEmpty ? plain : halved(plain, of: "$")
      else { return nil }
      words.append(expanded)
    }
    return words
  }

  /// Replaces two marks by one; nil if there is a single one, which would have a meaning.
  private static func halved(_ word: [UInt8], of mark: Unicode.Scalar) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = word[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: mark), rest.popFirst() != byte { return nil }
      result.append(byte)
    }
    return result
  }

  @Test func systemdReadsTheArguments() throws {
    let property = Property(
      "ExecStart=", generate: { Self.words(&$0, without: [0x0A, 0x0D]) }, shrink: Self.smaller
    ) { words in
      let files = try timer(words).files(for: .systemd)
      let lines = files[0].bytes.split(separator: 0x0A)
      guard let line = lines.first(where: { $0.starts(with: "ExecStart=".utf8) }) else {
        return "no ExecStart"
      }
      if line.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a control character" }
      if String(validating: line, as: UTF8.self) == nil { return "not UTF-8" }
      let read = Self.systemdWords(Array(line.dropFirst("ExecStart=".utf8.count)))
      return read == [Self.program] + words ? nil : "read as \(read as Any)"
    }
    let found = try property.counterexample(cases: 2000)
    #expect(found == nil, "\(found as Any)")
  }

  @Test func unitsHaveTheExpectedText() throws {
    let files = try timer(
      ["keep", "--", "/home/me/100 %"].map { Array($0.utf8) },
      summary: #"Keep a state of /home/me/100 % and a\\b every 1h"#
    ).files(for: .systemd)
    #expect(files.map(\.name) == ["geomapper-\(hash).service", "geomapper-\(hash).timer"])
    #expect(
      String(decoding: files[0].bytes, as: UTF8.self) == #"""
        # made by geomapper keep \#(hash)
        [Unit]
        Description=Keep a state of /home/me/100 %% and a\\b every 1h

        [Service]
        Type=oneshot
        ExecStart="/usr/local/bin/geomapper" "keep" "--" "/home/me/100 %%"
        SuccessExitStatus=1
        Nice=10
        IOSchedulingClass=idle

        """#)
    #expect(
      String(decoding: files[1].bytes, as: UTF8.self) == #"""
        # made by geomapper keep \#(hash)
        [Unit]
        Description=Keep a state of /home/me/100 %% and a\\b every 1h

        [Timer]
        OnCalendar=*-*-* *:00:00
        Persistent=true

        [Install]
        WantedBy=timers.target

        """#)
  }

  private var hash: String { TimerName(of: [Array("/home".utf8)]).hash }

  @Test func intervalsBecomeCalendarTimes() {
    func schedule(_ seconds: Int64) -> String { SystemdUnits.schedule(every: seconds) }
    let lasting = "\nPersistent=true"
    #expect(schedule(60) == "OnCalendar=*-*-* *:*:00\(lasting)\nAccuracySec=1s")
    #expect(schedule(900) == "OnCalendar=*-*-* *:00/15:00\(lasting)")
    #expect(schedule(6 * 3600) == "OnCalendar=*-*-* 00/6:00:00\(lasting)")
    #expect(schedule(86_400) == "OnCalendar=*-*-* 00:00:00\(lasting)")
    #expect(schedule(604_800) == "OnCalendar=Mon *-*-* 00:00:00\(lasting)")
    for seconds: Int64 in [61, 90, 420, 5400, 5 * 3600, 2 * 86_400, 14 * 86_400, 31 * 86_400] {
      #expect(schedule(seconds).hasPrefix("OnActiveSec=1min\nOnUnitActiveSec=\(seconds)s"))
    }
  }

  @Test func invalidProgramPathsAreRefused() throws {
    for path in ["/a'b/x", "/a\"b/x", "/a\\b/x", "/a\tb/x", "bin/x", ""] {
      #expect(throws: Failure.self, "\(path)") {
        try SystemdUnits.command([Array(path.utf8)])
      }
    }
    let plain = try SystemdUnits.command([Array("/a $b 5%/x".utf8), Array("$c".utf8)])
    #expect(String(decoding: plain, as: UTF8.self) == #""/a $b 5%%/x" "$$c""#)
  }

  // MARK: launchd

  @Test func launchdReadsTheArguments() throws {
    let controls = Set((0x00...0x1F).map { UInt8($0) }).subtracting([0x09])
    let property = Property(
      "ProgramArguments", generate: { Self.words(&$0, without: controls) }, shrink: Self.smaller
    ) { words in
      let isText = words.allSatisfy { String(validating: $0, as: UTF8.self) != nil }
      guard let file = try? timer(words).files(for: .launchd)[0] else {
        return isText ? "refused" : nil
      }
      if !isText { return "not refused" }
      let list = try PropertyListSerialization.propertyList(
        from: Data(file.bytes), options: [], format: nil)
      let read = (list as? [String: Any])?["ProgramArguments"] as? [String]
      let expected = ([Self.program] + words).map { String(decoding: $0, as: UTF8.self) }
      return read?.map { Array($0.utf8) } == expected.map { Array($0.utf8) }
        ? nil : "read as \(read as Any)"
    }
    let found = try property.counterexample(cases: 500)
    #expect(found == nil, "\(found as Any)")
  }

  @Test func propertyListsHaveTheKeysOfLaunchd() throws {
    let file = try timer([Array("keep".utf8)], every: 5400).files(for: .launchd)[0]
    #expect(file.name == "geomapper.\(hash).plist")
    let list = try PropertyListSerialization.propertyList(
      from: Data(file.bytes), options: [], format: nil)
    let members = try #require(list as? [String: Any])
    #expect(members["Label"] as? String == "geomapper.\(hash)")
    #expect(members["StartInterval"] as? Int == 5400)
    #expect(members["ProcessType"] as? String == "Background")
    #expect(members["LowPriorityIO"] as? Bool == true)
    for word in [[0x1B], [0xFF], Array("\u{FFFE}".utf8), [0x0C]] as [[UInt8]] {
      #expect(throws: Failure.self) { try timer([word]).files(for: .launchd) }
    }
  }

  // MARK: cron

  /// What cron passes to the shell: the text up to a `%`, without the backslash of `\%`.
  private static func cronCommand(_ line: [UInt8], removing: Bool) -> [UInt8]? {
    var command: [UInt8] = []
    var isEscaped = false
    for byte in line {
      if isEscaped {
        if byte == UInt8(ascii: "%"), removing { command.removeLast() }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "%") {
        return nil
      }
      command.append(byte)
    }
    return command
  }

  /// Words as a POSIX shell reads them, without expansions.
  private static func shellWords(_ line: [UInt8]) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var rest = line[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x20:
        if let word { words.append(word) }
        word = nil
      case UInt8(ascii: "'"):
        guard let end = rest.firstIndex(of: byte) else { return nil }
        word = (word ?? []) + rest[..<end]
        rest = rest[(end + 1)...]
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? []) + [next]
      default:
        if "\"$`&|;<>()*?[]#~!{}\t".utf8.contains(byte) { return nil }
        word = (word ?? []) + [byte]
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  @Test(arguments: [false, true])
  func cronAndTheShellReadTheArguments(removing: Bool) throws {
    let controls = Set((0x00...0x1F).map { UInt8($0) } + [0x7F])
    let property = Property(
      "crontab", generate: { Self.words(&$0, without: controls) }, shrink: Self.smaller
    ) { words in
      let line = try CronLine.line(of: timer(words))
      let command = line.dropFirst("0 * * * * ".utf8.count)
      let read = Self.cronCommand(Array(command), removing: removing).flatMap(Self.shellWords)
      let before = ["nice", "-n", "10"].map { Array($0.utf8) } + [Self.program]
      return read == before + words ? nil : "read as \(read as Any)"
    }
    let found = try property.counterexample(cases: 2000)
    #expect(found == nil, "\(found as Any)")
  }

  @Test func intervalsWithoutACronLineAreRefused() throws {
    let word = Array("keep".utf8)
    #expect(CronLine.times(every: 60) == "* * * * *")
    #expect(CronLine.times(every: 1800) == "*/30 * * * *")
    #expect(CronLine.times(every: 3600) == "0 * * * *")
    #expect(CronLine.times(every: 12 * 3600) == "0 */12 * * *")
    #expect(CronLine.times(every: 86_400) == "0 0 * * *")
    #expect(CronLine.times(every: 604_800) == "0 0 * * 1")
    for seconds: Int64 in [61, 90, 2400, 5 * 3600, 2 * 86_400] {
      #expect(throws: Failure.self) { try CronLine.line(of: timer([word], every: seconds)) }
    }
    #expect(throws: Failure.self) { try CronLine.line(of: timer([[0x1B]])) }
    #expect(throws: Failure.self) {
      try CronLine.line(of: timer([[UInt8](repeating: 0x61, count: 1000)]))
    }
  }

  // MARK: Names and marks

  @Test func lineBreaksAreRefused() {
    for word in ["a\nb", "a\rb"] {
      #expect(throws: Failure.self) { try timer([Array(word.utf8)]) }
    }
  }

  @Test func namesDependOnTheFolders() {
    let (a, b) = (Array("/a".utf8), Array("/b".utf8))
    #expect(TimerName(of: [a, b]) == TimerName(of: [b, a]))
    #expect(TimerName(of: [a]) != TimerName(of: [b]))
    // The separator can't be in a path.
    #expect(TimerName(of: [Array("/a/b".utf8)]) != TimerName(of: [a, b]))
    #expect(TimerName(of: [a]).hash.count == 16)
  }

  @Test func onlyItsOwnFilesHaveItsSignature() throws {
    let (own, other) = (TimerName(of: [Array("/home".utf8)]), TimerName(of: [[]]))
    let timer = try timer([Array("keep".utf8)])
    for file in try timer.files(for: .systemd) + timer.files(for: .launchd) {
      #expect(own.signs(file.bytes) && !other.signs(file.bytes), "\(file.name)")
    }
    let signature = own.signature
    for text in ["", "[Unit]\n", "#\(signature)", "# \(signature) x", "\n\n\n\n# \(signature)\n"] {
      #expect(!own.signs(Array(text.utf8)), "\(text)")
    }
  }
}
