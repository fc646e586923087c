import GeoCore
import GeoWeb

/// What the options of `geomapper serve` say.
struct ServeArguments {
  var port: Int?
  var host: String?
  var opensBrowser = false
  var origins: Set<WebOrigin> = []
  var requiresToken = false
  /// `[LABEL=]STATE`, of the state that is compared with
  var since: [[UInt8]] = []
  /// Whether operands are states, all of which are shown.
  var showsHistory = false
  /// The recording that is played on the map.
  var recording: [UInt8]?
}

extension Option {
  /// The options of `geomapper serve`.
  static let serve: [Option] =
    [
      Option(
        name: "port", group: .serving,
        help: "Listen at port N; 0 (the default) picks one that is free.",
        brief: "Listen at port N",
        effect: .number("N", in: 0...65535) { $0.serve.port = $1 }),
      Option(
        name: "host", group: .serving,
        help: "Listen at this name or address instead of 127.0.0.1, such as 0.0.0.0 for the whole "
          + "network. Whoever connects then needs the token that stands in the printed address.",
        brief: "Let other machines connect, with a token",
        effect: .value(placeholder: "HOST") { (low, text) throws(BadValue) in
          let isPlain = text.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
              || [0x2D, 0x2E, 0x3A].contains($0)
          }
          if text.isEmpty || text.count > 253 || !isPlain {
            throw BadValue(
              reason: "takes a name or an address, not '\(TerminalText.escaped(text))'")
          }
          low.serve.host = String(decoding: text, as: UTF8.self)
        }),
      Option(
        name: "token", group: .serving,
        help: "Let in only who has the token that stands in the printed address, on a machine that "
          + "others use as well: without it any user of the machine can look at the map.",
        effect: .flag { $0.serve.requiresToken = true }),
      Option(
        name: "history", group: .serving,
        help: "Play a history on the map, as 'geomapper history' tells it: with --git of the "
          + "repository up to REV, else of the states that the operands are. "
          + "New commits show as they come.",
        brief: "Play a history: of --git REPO, or of states",
        effect: .flag { $0.serve.showsHistory = true }),
      Option(
        name: "replay", group: .serving,
        help: "Play the recording FILE on the map of DIR, the folders that were recorded; without "
          + "DIR their lands are what the recording tells. FILE may be the name of one in the "
          + "folder of recordings.",
        effect: .value(placeholder: "FILE") { (low, text) in low.serve.recording = text }),
      Option(
        name: "sample", group: .serving,
        help: "Every TIME, such as 60s, take samples of what is below each DIR, below the thousand "
          + "largest folders in them and left on the disk. The page shows those of the last seven "
          + "days as charts, with where they go.",
        effect: .span { $0.record.sampling = $1 }),
      Option(
        name: "open", group: .serving, help: "Open the map in the browser.",
        brief: "Open the map in the browser",
        effect: .flag { $0.serve.opensBrowser = true }),
      Option(
        name: "allow-origin", group: .serving,
        help: "Let pages of ORIGIN, such as https://example.org, read the map. It may be given "
          + "again; by default no other page is answered.",
        effect: .value(placeholder: "ORIGIN") { (low, text) throws(BadValue) in
          guard let origin = WebOrigin(parsing: text) else {
            throw BadValue(
              reason: "takes a scheme and a host, such as https://example.org, not "
                + "'\(TerminalText.escaped(text))'")
          }
          low.serve.origins.insert(origin)
        }),
      Option(
        name: "since", group: .map,
        help: "Show what has changed since the state OLD, which may be whatever 'geomapper diff' "
          + "takes: a folder, a snapshot, a map or an export, git:REV. Given again, it has several "
          + "roots. Both states lie on one land: what is new shines, what changed glows, what is gone "
          + "is a ruin.",
        brief: "Show what has changed since OLD, a snapshot, a folder, git:REV",
        effect: .value(placeholder: "[LABEL=]OLD") { (low, text) in low.serve.since.append(text) }),
      Option.map.first { $0.name == "layout" },
      .staysOnFileSystem, readingDepth("What is deeper is not shown."),
    ].compactMap { $0 } + selection + list + [.git, .showsHelp]
}
