import GeoCore
import GeoLive
import GeoSystem

extension Option {
  /// What is recorded, and how recordings are played and kept.
  static let recorded: [Option] = [
    Option(
      name: "directory", group: .output, commands: [.record, .recordings],
      help: "The folder of recordings; $XDG_DATA_HOME/geomapper/recordings by default.",
      brief: "The folder of recordings",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.record.directory = text }),
    Option(
      name: "name", group: .output, commands: [.record],
      help: "A name that the recording has inside.",
      effect: .value(placeholder: "NAME") { (low, text) in low.record.name = text }),
    Option(
      name: "tag", group: .output, commands: [.record, .recordings],
      help: "A word to find the recording by; may be given several times.",
      variants: [
        Variant(
          .recordings,
          help:
            "With list and export --all: only recordings with this tag; given several times, with "
            + "all of them.",
          brief: "Only recordings with this tag")
      ],
      effect: .value(placeholder: "WORD") { (low, text) in low.record.tags.append(text) },
      rules: [.needs(.action("list"), .option("all"), in: [.recordings])]),
    Option(
      name: "for", group: .reading, commands: [.record],
      help: "End after this time, such as 90s, 30m, 2h, 1h30m or 7d.",
      brief: "End after this time, such as 2h", effect: .span { $0.record.duration = $1 }),
    Option(
      name: "events", group: .reading, commands: [.record], help: "End after N events of any type.",
      effect: .number("N", in: 1...Int(Int32.max)) { $0.record.events = $1 }),
    Option(
      name: "sample", group: .reading, commands: [.record, .serve],
      help: "Every TIME, such as 60s, record what is below each DIR and what is left on its disk.",
      brief: "Record sums every TIME, such as 60s",
      variants: [
        Variant(
          .serve,
          help:
            "Every TIME, such as 60s, take samples of what is below each DIR, below the thousand "
            + "largest folders in them and left on the disk. The page shows those of the last seven "
            + "days as charts, with where they go. A later run with the same DIRs, layout and selection "
            + "continues them.")
      ],
      effect: .span(atLeast: 1000) { $0.record.sampling = $1 }),
    Option(
      name: "alert", group: .reading, commands: [.record],
      help: "Tell, and record, when RULE comes true: 'PATH QUANTITY COMPARISON LIMIT', such as "
        + "'usr/var/log bytes > 10G' or 'usr growth > 500M/h'. A QUANTITY is bytes, files, free, "
        + "events (a minute) or growth (bytes an hour). 'NAME: ' may stand before it. It may be "
        + "given again.",
      brief: "Tell when RULE comes true: 'usr bytes > 10G'",
      effect: .value(placeholder: "RULE") { (low, text) throws(BadValue) in
        do throws(Malformed) {
          low.record.alerts.append(try AlertRule(parsing: text))
        } catch {
          throw BadValue(reason: "can't use '\(TerminalText.escaped(text))': \(error.reason)")
        }
      }),
    Option(
      name: "alerts", group: .reading, commands: [.record],
      help: "Take rules from the lines of FILE; 'off NAME: RULE' is switched off, '#' begins a "
        + "comment.",
      effect: .path("FILE") { (low, text) in low.record.alertFiles.append(text) }),
    Option(
      name: "cooldown", group: .reading, commands: [.record],
      help: "How long an alert is not raised again; 10m by default.",
      effect: .span { $0.record.cooldown = $1 }),
    Option(
      name: "watch", group: .reading, commands: [.record],
      help: "How changes are found out. inotify: by a watch for each folder. fanotify: by "
        + "watching whole file systems, which needs the right CAP_SYS_ADMIN. By default the "
        + "second, where that is possible.",
      effect: .choice("WAY") { (low, value: WatchWay) in low.record.way = value }),
    Option(
      name: "no-repair", group: .reading, commands: [.record],
      help: "Keep nothing of the folders in memory, however many there are: changes that were "
        + "lost are said, and not looked for. There can be no sums, alerts and selection, and "
        + "fanotify is needed.",
      effect: .flag { $0.record.repairs = false },
      rules: [
        .excludes(
          .option("sample"), .option("alert"), .option("alerts"), .group(.selection),
          .option("watch", [WatchWay.inotify.rawValue]),
          because: "it keeps nothing of the folders")
      ]),
    Option(
      name: "exec", group: .reading, commands: [.record],
      help: "Run COMMAND for each alert: all that follows is its arguments. No shell is asked; "
        + "GEOMAPPER_ALERT, _PATH, _RULE, _VALUE, _LIMIT, _STATE and _TIME are in its environment. "
        + "One runs at a time, and is ended after a minute.",
      brief: "Run all that follows for each alert",
      effect: .rest(placeholder: "COMMAND...") { (low, words) in low.record.command = words },
      rules: [.needs(.option("alert"), .option("alerts"))]),
    Option(
      name: "speed", group: .reading, commands: [.replay, .serve],
      help: "Play X times as fast as it was recorded, 0.001 to 1000000; 1 by default.",
      brief: "Play X times as fast",
      variants: [
        Variant(
          .serve,
          help: "With --replay: begin at X times the speed of the recording, 0.001 to 1000000 "
            + "(default 1).")
      ],
      effect: .speed, rules: [.needs(.option("replay"), in: [.serve])]),
    Option(
      name: "loop", group: .reading, commands: [.replay], help: "Begin again at the end.",
      brief: "Begin again at the end", effect: .flag { $0.record.loops = true },
      rules: [.excludes(.format([.gpx]), because: "a track that never ends is none")]),
    Option(
      name: "from", group: .reading, commands: [.replay],
      help: "Pass over what was recorded before TIME, such as 10m.",
      brief: "Begin at TIME, such as 10m", effect: .span { $0.record.from = $1 }),
    Option(
      name: "compare", group: .filters, commands: [.recordings],
      help: "With info: put two events side by side, by their numbers, counted from 1.",
      brief: "Put two events side by side",
      effect: .value(placeholder: "A,B") { (low, text) throws(BadValue) in
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64(wholeNumber: $0).flatMap { Int(exactly: $0) } }
        guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
          throw BadValue(
            reason: "takes the numbers of two events, such as 1,20, not "
              + "'\(TerminalText.escaped(text))'")
        }
        low.record.compared = (numbers[0], numbers[1])
      },
      rules: [.needs(.action("info"))]),
    Option(
      name: "all", group: .filters, commands: [.recordings],
      help:
        "With export: write each recording to a file of its own in the folder that --output names.",
      brief: "Export all recordings into a folder",
      effect: .flag { $0.record.exportsAll = true },
      rules: [.needs(.action("export")), .needs(.option("output"))]),
  ]
}

extension Option.Effect {
  /// An option that takes how fast a recording is played.
  static let speed = Self.value(placeholder: "X") { (low, text) throws(BadValue) in
    guard let speed = DecimalNumber.parse(text), 0.001...1_000_000 ~= speed else {
      throw BadValue(
        reason: "takes a number from 0.001 to 1000000, not '\(TerminalText.escaped(text))'")
    }
    low.record.speed = speed
  }

  /// An option that takes a span of time, in milliseconds above 0.
  static func span(
    atLeast least: Int64 = 1, store: @escaping @Sendable (inout LowArguments, Int64) -> Void
  ) -> Self {
    .value(placeholder: "TIME") { (low, text) throws(BadValue) in
      guard let span = TimeSpan.milliseconds(parsing: text), span > 0 else {
        throw BadValue(
          reason: "takes a time such as 90s, 30m, 2h or 7d, not '\(TerminalText.escaped(text))'")
      }
      if span < least { throw BadValue(reason: "takes a second at least, 1s") }
      store(&low, span)
    }
  }
}

/// Numbers with decimals, as people type them.
enum DecimalNumber {
  /// The number that digits and at most one point make; nil if they make none.
  static func parse(_ text: some Collection<UInt8>) -> Double? {
    let digits = text.filter { 0x30...0x39 ~= $0 }.count
    let points = text.count - digits
    guard digits > 0, text.count < 40, points == 0 || points == 1 && text.contains(0x2E) else {
      return nil
    }
    return Double(String(decoding: Array(text), as: UTF8.self))
  }
}

/// Spans of time, as people type them.
enum TimeSpan {
  private static let units: [(letters: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
  /// A hundred years.
  private static let longest = 36_525.0 * 86_400_000

  /// Milliseconds of `90s`, `1h30m`, `0.5s` or plain seconds; nil if it is none.
  static func milliseconds(parsing text: [UInt8]) -> Int64? {
    var rest = text[...]
    var sum = 0.0
    if rest.isEmpty { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { 0x30...0x39 ~= $0 || $0 == 0x2E }
      rest = rest.dropFirst(number.count)
      let letters = rest.prefix { 0x61...0x7A ~= $0 }
      rest = rest.dropFirst(letters.count)
      guard let value = DecimalNumber.parse(number) else { return nil }
      if letters.isEmpty {
        // Plain seconds stand alone.
        guard number.count == text.count else { return nil }
        sum = value * 1000
        continue
      }
      guard let unit = units.first(where: { $0.letters.utf8.elementsEqual(letters) }) else {
        return nil
      }
      sum += value * unit.milliseconds
    }
    return sum <= longest ? Int64(sum.rounded()) : nil
  }

  /// A span in words: `1:02:03`.
  static func text(seconds: Double) -> String {
    let whole = Int64(max(0, min(seconds, 1e12)).rounded())
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
