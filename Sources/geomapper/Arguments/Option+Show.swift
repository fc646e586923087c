import GeoCore
import GeoDraw
import GeoFormats
import GeoProjection
import GeoWeb

/// What `geomapper draw` is asked for.
struct DrawArguments: Equatable {
  /// The format of the frames of a film.
  var frames: FileFormat?
  var size: SheetSize?
  var title: [UInt8]?
  var isDark = false
  var shading: Shading?
  var date: Int64?
  /// The folder that is drawn, as it was given.
  var folder: [UInt8]?
}

extension Option {
  /// The options of `geomapper draw`.
  static let draw: [Option] =
    [
      .output(
        "Write to FILE, which is replaced when the sheet is complete and left alone if it "
          + "can't be; '-' is standard output, which must not be a terminal."),
      .format(
        FileFormat.holding(.pictures),
        help: "svg or png, which rsvg-convert or Chromium makes of it where one of these programs "
          + "is installed. Without it the name of FILE decides, else it is svg.",
        brief: "svg or png; else the name of FILE decides"),
      Option(
        name: "sheet", group: .output,
        help: "The size of the sheet: A3 (the default), A2, or WxH in millimetres, from 80 to "
          + "2000 and at most three to one. The legend goes on the right, or below on portrait "
          + "sheets.",
        brief: "A3 (the default), A2, or WxH in millimetres",
        effect: .value(placeholder: "SIZE") { (low, text) throws(BadValue) in
          guard let size = SheetSize(parsing: text) else {
            throw BadValue(
              reason: "takes A3, A2, or WxH in millimetres, such as 300x200, each from 80 to 2000 "
                + "and at most three to one, not '\(TerminalText.escaped(text))'")
          }
          low.draw.size = size
        },
        oldNames: [OldName(name: "size") { SheetSize(parsing: $0) != nil }]),
      Option(
        name: "title", group: .output,
        help: "What stands at the head; else the name of what is drawn.",
        effect: .value(placeholder: "TEXT") { (low, text) in low.draw.title = text }),
      Option(
        name: "date", group: .output,
        help: "Write on the sheet when it was surveyed: a date such as 2026-01-31. Without it no "
          + "date is on it, and the same tree gives the same bytes on any day.",
        effect: .value(placeholder: "DATE") { (low, text) throws(BadValue) in
          guard let date = Moment.seconds(parsing: text) else {
            throw BadValue(
              reason: "takes a date such as 2026-01-31, not '\(TerminalText.escaped(text))'")
          }
          low.draw.date = date
        }),

      Option(
        name: "shade", group: .map,
        help: "What the colours of lands tell: tints (the default) tells neighbours apart, size "
          + "how many bytes are below, age when anything below was changed last (before --date, or the "
          + "newest file), type which type of file has most bytes below.",
        brief: "tints (the default), size, age or type",
        effect: .choice("WHAT") { (low, value: Shading) in low.draw.shading = value }),
      Option(
        name: "dark", group: .map, help: "Draw light lines on dark ground.",
        effect: .flag { $0.draw.isDark = true }),
      Option(
        name: "folder", group: .map,
        help: "Draw a folder, LABEL/... as on the map or a path on disk, in place of the world; "
          + "what it lies in is drawn around it without contents.",
        brief: "Draw a folder, not the world",
        effect: .value(placeholder: "PATH") { (low, text) in low.draw.folder = text }),
    ] + map.filter { ["layout", "bbox"].contains($0.name) }.map(\.ofSheet)
    + map.filter { ["threads", "progress", "quiet", "help"].contains($0.name) }
    + [
      Option.staysOnFileSystem.unabridged, .followsLinks,
      .readingDepth("What is deeper is not drawn."),
    ]
    + selection + redaction
    + list + [.git]

  /// The same option where it says what is drawn.
  private var ofSheet: Option {
    guard name == "bbox" else { return self }
    return Option(
      name: name, group: .map,
      help: "Draw what lies in the box of these degrees, which fills the sheet.",
      brief: "Draw what lies in the box of these degrees", effect: effect)
  }
}

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
        name: "speed", group: .serving,
        help: "With --replay: begin at X times the speed of the recording, 0.001 to 1000000 "
          + "(default 1).",
        effect: .speed),
      Option(
        name: "sample", group: .serving,
        help: "Every TIME, such as 60s, take samples of what is below each DIR, below the thousand "
          + "largest folders in them and left on the disk. The page shows those of the last seven "
          + "days as charts, with where they go. A later run with the same DIRs, layout and selection "
          + "continues them.",
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
      .staysOnFileSystem, followsLinks(besides: " Changes don't show then."),
      readingDepth("What is deeper is not shown."),
      .progress,
      Option(
        name: "quiet", short: "q", group: .messages,
        help: "Don't name what could not be read before it is shown, and show no progress.",
        effect: .flag { $0.isQuiet = true }),
    ].compactMap { $0 } + selection + list + [.git, .showsHelp]
}

/// What `geomapper track` takes, as it was typed.
struct TrackArguments {
  /// What the lines of timed paths are.
  enum Lines: String, CaseIterable {
    case plain
    case strace
    case recording
  }

  var tolerance: Double?
  var near: [(longitude: Double, latitude: Double, radius: Double)] = []
  var lines: Lines?
}

extension Option {
  /// The options of `geomapper track`.
  static let track: [Option] =
    [
      .output("Write to FILE, complete or not at all; '-' is standard output."),
      .format(
        FileFormat.holding([.reports, .tracks]),
        help:
          "The default is what the name of FILE ends in, else gpx. gpx, geojson, json (a track to a "
          + "line) or csv; of info, places and cues text (the default) or json.",
        brief: "gpx, geojson, json, csv or text"),
      Option(
        name: "tolerance", group: .filters,
        help: "How far simplify may let the line stray, in metres; 10 by default.",
        brief: "How far simplify may let the line stray",
        effect: .metres { $0.track.tolerance = $1 }),
      Option(
        name: "near", group: .filters,
        help: "Redact what is within METRES of a place; may be given several times.",
        brief: "Redact what is near a place",
        effect: .value(placeholder: "LON,LAT,METRES") { (low, text) throws(BadValue) in
          let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
          let numbers = parts.compactMap { BoundingBox.degrees($0) }
          guard parts.count == 3, numbers.count == 3, -180...180 ~= numbers[0],
            -90...90 ~= numbers[1], numbers[2].isFinite, numbers[2] >= 0
          else {
            throw BadValue(
              reason: "takes LON,LAT,METRES, such as 13.4,52.5,500, not "
                + "'\(TerminalText.escaped(text))'")
          }
          low.track.near.append((numbers[0], numbers[1], numbers[2]))
        }),
      Option(
        name: "lines", group: .reading,
        help: "What from reads: plain, lines of 'TIME PATH' (the default), strace, the log of "
          + "'strace -ttt', or recording, what 'geomapper record' has made (the default for a FILE that "
          + "begins so).",
        brief: "What from reads: plain, strace, recording",
        effect: .choice("LINES") { (low, value: TrackArguments.Lines) in low.track.lines = value }),
      root, atlasLayout, .progress,
      Option(
        name: "quiet", short: "q", group: .messages,
        help: "Don't say what was left out, and show no progress.",
        brief: "Don't say what was left out",
        effect: .flag { $0.isQuiet = true }),
      .showsHelp,
    ] + questionSelection.map(\.unabridged) + questionSources.map(\.unabridged)
}

extension Option {
  /// The option of `geomapper map` that maps a part.
  static let ofDeed: [Option] = [
    Option(
      name: "deed", group: .map,
      help: "Map the part that FILE, made by 'geomapper deed', is about, to be put together with "
        + "the others by 'geomapper join'. DIR is the folder that was split. '-' is standard input.",
      effect: .value(placeholder: "FILE") { (low, text) in low.deeds.deed = text })
  ]

  /// The options of `geomapper deed`.
  static let deed: [Option] =
    [
      Option(
        name: "output", short: "o", group: .output,
        help:
          "Write the deed to FILE; with --split, a file for each deed into the folder FILE, which "
          + "is made if it isn't there, and must be empty. '-' (the default) is standard output, a "
          + "deed a line.",
        brief: "Write to FILE, or with --split into the folder FILE",
        effect: .value(placeholder: "FILE") { (low, text) in low.output = text }),
      Option(
        name: "split", group: .map,
        help: "Cut DIR into about N deeds of similar work, and one for the rest.",
        brief: "Cut DIR into about N deeds",
        effect: .number("N", in: 1...10_000) { $0.deeds.parts = $1 }),
      Option(
        name: "root", group: .map,
        help: "The world that PATH is in, by default the current folder; give it again for each of "
          + "several roots.",
        brief: "The world that PATH is in",
        effect: .value(placeholder: "[LABEL=]DIR") { (low, text) in low.deeds.roots.append(text) }),
      named("layout", in: map),
      reportFormat("of what was made; the deeds go to a FILE then."),
      .progress,
      Option(
        name: "quiet", short: "q", group: .messages, help: "Don't say what was made.",
        effect: .flag { $0.isQuiet = true }),
      .git, .showsHelp,
    ].compactMap { $0 } + list

  /// The options of `geomapper join`.
  static let join: [Option] = [
    named("output", in: map),
    reportFormat("of what was joined; the map goes to a FILE then."),
    .progress,
    Option(
      name: "quiet", short: "q", group: .messages,
      help:
        "Don't say how much could not be read when the parts were mapped; the exit status still "
        + "tells.",
      effect: .flag { $0.isQuiet = true }),
    .showsHelp,
  ].compactMap { $0 }

  /// An option that another command has, too.
  private static func named(_ name: String, in options: [Option]) -> Option? {
    options.first { $0.name == name }
  }
}
