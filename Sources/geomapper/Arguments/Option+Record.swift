import GeoCore
import GeoLive
import GeoSystem

extension Option {
  /// Options of recording, and of playing and keeping recordings.
  static let recorded: [Option] = [
    Option(
      name: "directory", group: .output, commands: [.record, .recordings],
      help: "Use DIR as the folder of recordings [$XDG_DATA_HOME/geomapper/recordings, else "
        + "~/.local/share/geomapper/recordings].",
      brief: "Use DIR as the folder of recordings",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.record.directory = text }),
    Option(
      name: "name", group: .output, commands: [.record],
      help: "Save NAME in the recording.",
      effect: .value(placeholder: "NAME") { (low, text) in low.record.name = text }),
    Option(
      name: "tag", group: .output, commands: [.record, .recordings],
      help: "Save a word to find the recording by. Repeatable.",
      variants: [
        Variant(
          .recordings,
          help:
            "With list and export --all: choose recordings with this tag. Repeatable; all "
            + "must match.",
          brief: "Choose recordings with this tag")
      ],
      effect: .value(placeholder: "WORD") { (low, text) in low.record.tags.append(text) },
      rules: [.needs(.action("list"), .option("all"), in: [.recordings])]),
    Option(
      name: "for", group: .recording, commands: [.record],
      help: "Stop after this time, such as 90s, 30m, 2h, 1h30m or 7d.",
      brief: "Stop after this time, such as 2h", effect: .span { $0.record.duration = $1 }),
    Option(
      name: "events", group: .recording, commands: [.record],
      help: "Stop after N events of any type.",
      effect: .number("N", in: 1...Int(Int32.max)) { $0.record.events = $1 }),
    Option(
      name: "sample", group: .recording, commands: [.record, .serve],
      help: "Record the totals of each DIR and the free space of its disk every TIME, such as "
        + "60s.",
      brief: "Record totals every TIME, such as 60s",
      variants: [
        Variant(
          .serve,
          help:
            "Measure each DIR, the thousand largest folders in them and the free space "
            + "every TIME, such as 60s. The page shows charts and forecasts of the last "
            + "seven days. A later run with the same DIRs, layout and selection continues "
            + "them.")
      ],
      effect: .span(atLeast: 1000) { $0.record.sampling = $1 }),
    Option(
      name: "watch", group: .recording, commands: [.record],
      help: "Choose how to detect changes: inotify (one watch for each folder) or fanotify "
        + "(whole file systems; needs CAP_SYS_ADMIN) [fanotify where possible].",
      effect: .choice("METHOD") { (low, value: WatchMethod) in low.record.watchMethod = value }),
    Option(
      name: "no-repair", group: .recording, commands: [.record],
      help: "Keep nothing about the folders in memory. Lost changes are reported, not looked "
        + "for. Needs fanotify, and excludes totals, alerts and selection.",
      effect: .flag { $0.record.repairs = false },
      rules: [
        .excludes(
          .option("sample"), .option("alert"), .option("alerts"), .group(.selection),
          .option("watch", [WatchMethod.inotify.rawValue]),
          because: "it keeps nothing about the folders")
      ]),
    Option(
      name: "speed", group: .playing, commands: [.replay, .serve],
      help: "Play X times as fast as recorded, 0.001 to 1000000 [1].",
      brief: "Play X times as fast [1]",
      variants: [
        Variant(
          .serve,
          help: "With --replay: begin at X times the recorded speed, 0.001 to 1000000 [1].")
      ],
      effect: .speed, rules: [.needs(.option("replay"), in: [.serve])]),
    Option(
      name: "loop", group: .playing, commands: [.replay], help: "Start again at the end.",
      brief: "Start again at the end", effect: .flag { $0.record.loops = true },
      rules: [.excludes(.format([.gpx]), because: "a track has to end")]),
    Option(
      name: "from", group: .playing, commands: [.replay],
      help: "Skip the events before TIME, such as 10m.",
      brief: "Start at TIME, such as 10m", effect: .span { $0.record.from = $1 }),
    Option(
      name: "compare", group: .action, commands: [.recordings],
      help: "With info: compare two events, given by their numbers (the first is 1).",
      brief: "Compare two events",
      effect: .value(placeholder: "A,B") { (low, text) throws(Malformed) in
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64(wholeNumber: $0).flatMap { Int(exactly: $0) } }
        guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
          throw Malformed(
            reason: "'\(TerminalText.escaped(text))' is not two event numbers (try 1,20)")
        }
        low.record.compared = (numbers[0], numbers[1])
      },
      rules: [.needs(.action("info"))]),
    Option(
      name: "all", group: .action, commands: [.recordings],
      help:
        "With export: write each recording to its own file in the folder of --output.",
      brief: "Export all recordings into a folder",
      effect: .flag { $0.record.exportsAll = true },
      rules: [.needs(.action("export")), .needs(.option("output"))]),
  ]
}

extension Option.Effect {
  /// An option that takes a playback speed.
  static let speed = Self.value(placeholder: "X") { (low, text) throws(Malformed) in
    guard let speed = DecimalNumber.parse(text), 0.001...1_000_000 ~= speed else {
      throw Malformed(
        reason: "'\(TerminalText.escaped(text))' is not a number from 0.001 to 1000000")
    }
    low.record.speed = speed
  }

  /// An option that takes a time span, in milliseconds above 0.
  static func span(
    atLeast least: Int64 = 1, atMost most: Int64 = .max,
    store: @escaping @Sendable (inout LowArguments, Int64) -> Void
  ) -> Self {
    .value(placeholder: "TIME") { (low, text) throws(Malformed) in
      guard let span = TimeSpan.milliseconds(parsing: text), span > 0 else {
        throw Malformed(
          reason: "'\(TerminalText.escaped(text))' is not a time (try 90s, 30m, 2h or 7d)")
      }
      if span < least {
        throw Malformed(reason: "'\(TerminalText.escaped(text))' is less than a second (try 1s)")
      }
      if span > most {
        throw Malformed(
          reason: "'\(TerminalText.escaped(text))' is more than "
            + TimeSpan.text(seconds: Double(most) / 1000))
      }
      store(&low, span)
    }
  }
}

/// Decimal numbers as users type them.
enum DecimalNumber {
  /// Parses digits with at most one point; nil if `text` is anything else.
  static func parse(_ text: some Collection<UInt8>) -> Double? {
    let digits = text.filter { 0x30...0x39 ~= $0 }.count
    let points = text.count - digits
    guard digits > 0, text.count < 40, points == 0 || points == 1 && text.contains(0x2E) else {
      return nil
    }
    return Double(String(decoding: Array(text), as: UTF8.self))
  }
}

/// Time spans as users type them.
enum TimeSpan {
  private static let units: [(letters: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ("w", 604_800_000),
  ]
  /// A hundred years, in milliseconds.
  private static let longest = 36_525.0 * 86_400_000

  /// Parses `90s`, `1h30m`, `0.5s` or plain seconds as milliseconds; nil if `text` is not a time
  /// span.
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
        // A number without a unit must be the whole text.
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

  /// A time span as hours, minutes and seconds: `1:02:03`.
  static func text(seconds: Double) -> String {
    let whole = Int64(max(0, min(seconds, 1e12)).rounded())
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
