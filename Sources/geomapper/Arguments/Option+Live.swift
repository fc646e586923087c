import GeoWeb

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
          help: "With list and export --all: choose recordings with this tag. Repeatable; all must "
            + "match.",
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
      help: "Record the totals of each DIR and the free space of its disk every TIME, such as 60s.",
      brief: "Record totals every TIME, such as 60s",
      variants: [
        Variant(
          .serve,
          help: "Measure each DIR, the thousand largest folders in them and the free space every "
            + "TIME, such as 60s. The page shows charts and forecasts of the last seven days. A "
            + "later run with the same DIRs, layout and selection continues them.")
      ],
      effect: .span(atLeast: 1000) { $0.record.sampling = $1 }),
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
      effect: .parsed(
        "A,B", "two event numbers (try 1,20)",
        by: { text -> [Int]? in
          let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
          let numbers = parts.compactMap { Int64(wholeNumber: $0).flatMap { Int(exactly: $0) } }
          return parts.count == 2 && numbers.count == 2 && !numbers.contains(0) ? numbers : nil
        }
      ) { $0.record.compared = ($1[0], $1[1]) },
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

extension Option {
  /// Options of the server.
  static let served: [Option] = [
    Option(
      name: "port", group: .serving, commands: [.serve],
      help: "Listen on port N; 0 for a free one. Without it, the same folders always have the same "
        + "port, from 49152 to 65535, so that links and stars last; if it is in use, a free one is "
        + "used, with a note.",
      brief: "Listen on port N [always the same for a folder]",
      effect: .number("N", in: 0...65535) { $0.serve.port = $1 }),
    Option(
      name: "host", group: .serving, commands: [.serve],
      help: "Listen on this name or address of this machine instead of 127.0.0.1, such as 0.0.0.0 "
        + "for the whole network. The connection is not encrypted. Visitors need the token in the "
        + "printed address, which is new at each start. A terminal also gets the address as a QR "
        + "code.",
      brief: "Let other machines connect, with a token",
      effect: .parsed(
        "HOST", "a name or an address",
        by: { text -> String? in
          let isPlain = text.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF || "-.:".utf8.contains($0)
          }
          return isPlain && 1...253 ~= text.count ? String(decoding: text, as: UTF8.self) : nil
        }
      ) { $0.serve.host = $1 }),
    Option(
      name: "token", group: .serving, commands: [.serve],
      help: "Require the token in the printed address, which is new at each start. Without it, "
        + "every user of this machine can see the map.",
      effect: .flag { $0.serve.requiresToken = true },
      rules: [
        .excludes(
          .option("open"),
          because: "every user of this machine would see the token in the list of processes; open "
            + "the printed address yourself")
      ]),
    Option(
      name: "replay", group: .serving, commands: [.serve],
      help: "Play the recording FILE on the map of DIR, the recorded folders. Without DIR the "
        + "map comes from the recording. FILE may be a name in the folder of recordings.",
      effect: .path("FILE") { (low, text) in low.serve.recording = text },
      rules: [.excludes(.option("sample"), because: "they show different things")]),
    Option(
      name: "open", group: .serving, commands: [.serve], help: "Open the map in the browser.",
      brief: "Open the map in the browser", effect: .flag { $0.serve.opensBrowser = true }),
    Option(
      name: "allow-origin", group: .serving, commands: [.serve],
      help: "Let web pages of ORIGIN, such as https://example.org, read the map [no other "
        + "pages]. Repeatable.",
      effect: .parsed(
        "ORIGIN", "a scheme and a host (try https://example.org)", by: WebOrigin.init(parsing:)
      ) { $0.serve.origins.insert($1) }),
  ]
}
