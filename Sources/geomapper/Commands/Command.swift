import GeoCore
import GeoProjection

/// A command of the tool.
struct Command: Sendable {
  /// A line to be typed, and what it does.
  struct Example: Sendable {
    let line: String
    let effect: String
  }

  /// What commands are called.
  enum Name: String, CaseIterable {
    case map, serve, publish, stats, find, locate, whereis, route, verify, split, join, snapshot,
      diff,
      history, draw, track, record, replay, recordings
  }

  let id: Name
  var name: String { id.rawValue }
  /// One line for the list of commands.
  let summary: String
  /// What follows the tool's name.
  let usage: String
  /// Paragraphs that say how it works.
  let description: [String]
  var options: [Option] { Option.options(of: id) }
  /// Those that help and completions have.
  var shownOptions: [Option] { options.filter { !$0.isHidden } }
  let examples: [Example]
  /// What the exit status says.
  let statuses: [ExitMeaning]
  /// What is done, with options that go together.
  let run: @Sendable (LowArguments) throws(Failure) -> ExitStatus
  /// What its first operand may be, if it says what is done.
  var actions: [String] = []
  /// Its former names: they work, and no help has them.
  var oldNames: [String] = []

  /// Does it: refuses options that don't go together, and leads wrong usage to the help.
  func perform(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      try GivenArguments(low, of: id).check()
      return try run(low)
    } catch {
      throw error.hinting(at: "\(Tool.name) \(name) --help")
    }
  }

  /// All commands, in the order of the help.
  static let all: [Command] = [
    map, serve, publish, stats, find, locate, whereis, route, verify, split, join, snapshot, diff,
    history, draw, track, record, replay, recordings,
  ]

  static func named(_ name: [UInt8]) -> Command? {
    all.first { ([$0.name] + $0.oldNames).contains { $0.utf8.elementsEqual(name) } }
  }
}

/// What an exit status says.
struct ExitMeaning: Sendable {
  let status: String
  let meaning: String

  init(_ status: String, _ meaning: String) {
    self.status = status
    self.meaning = meaning
  }

  /// What most commands say.
  ///
  /// - Parameters:
  ///   - done: What status 0 means.
  ///   - incomplete: What status 1 means, if it can come.
  ///   - wrong: What status 2 means besides wrong usage.
  ///   - others: Those from 4 on.
  ///   - left: What a signal leaves.
  static func usual(
    _ done: String, incomplete: String?, wrong: String = "a folder that does not exist",
    others: [ExitMeaning] = [], left: String = "nothing is left behind"
  ) -> [ExitMeaning] {
    var statuses = [ExitMeaning("0", "\(done), or the reader of the pipe had enough.")]
    if let incomplete { statuses.append(ExitMeaning("1", incomplete)) }
    statuses += [
      ExitMeaning("2", "Wrong usage, or \(wrong); nothing was written."),
      ExitMeaning(
        "3", "The output could not be opened or written, or no thread could be started."),
    ]
    return statuses + others + [ExitMeaning("128+N", "Signal N ended it; \(left).")]
  }
}

extension Command {
  /// `geomapper map`
  static let map = Command(
    id: .map,
    summary: "Draw folders as a map.",
    usage: "map [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Draw folders as a map: each folder is land inside its parent's, each file a point in it. "
        + "The same tree gives the same map, bit for bit, whatever the machine.",
      "Without a DIR the current folder is mapped. LABEL is the name of DIR on the map, by "
        + "default its last component; no two may be alike. A folder whose name holds a '=' is "
        + "given as './a=b', one that begins with '-' as './-a' or behind '--'.",
    ],
    examples: [
      Example(line: "geomapper map -o home.geojson ~", effect: "Map the home folder to a file."),
      Example(
        line: "geomapper map --zoom 5 --format csv /usr | less",
        effect: "Look at what is visible at zoom 5."),
      Example(
        line: "geomapper map old=backup/src new=src -o both.geojson",
        effect: "Draw two folders as two continents."),
      Example(
        line: "geomapper map --tippecanoe --format geojsonl | tippecanoe -z 8 -o map.mbtiles",
        effect: "Make vector tiles."),
      Example(
        line: "ssh host \"find /srv -printf '%s %T@ %y %p\\0'\" |\n"
          + "    geomapper map --files-from - --list-format find /srv",
        effect: "Map a folder of another machine."),
    ],
    statuses: ExitMeaning.usual(
      "All was mapped",
      incomplete: "The map is complete but for what could not be read, vanished meanwhile, or is "
        + "wrong in a list.", wrong: "a folder or list that does not exist"),
    run: MapCommand.run)
}

extension Command {
  /// Folders without a command, on a terminal: `serve`, with the browser if there can be one.
  static let open = Command(
    id: serve.id, summary: serve.summary, usage: serve.usage, description: serve.description,
    examples: serve.examples, statuses: serve.statuses,
    run: ServeCommand.open)

  /// `geomapper serve`
  static let serve = Command(
    id: .serve,
    summary: "Show folders as a map in the browser.",
    usage: "serve [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper serve --history [OPTION]... --git REPO [[LABEL=]REV]\n"
      + "       geomapper serve --history [OPTION]... [LABEL=]STATE...\n"
      + "       geomapper serve --replay FILE [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Show folders as a map in the browser, as 'geomapper map' draws them. Only what is looked "
        + "at is read, so it begins at once however large the tree is. The address is printed; "
        + "Ctrl-C ends it.",
      "Only programs of this machine can connect, whoever runs them (see --token), and no page but "
        + "its own is answered. It also serves vector tiles (/tilejson.json, /style.json) to other programs.",
    ],
    examples: [
      Example(line: "geomapper serve --open ~", effect: "Look at the home folder."),
      Example(
        line: "geomapper serve --git . v1.0", effect: "Look at a revision of what is here."),
      Example(
        line: "geomapper serve --history --git .", effect: "Play the history of what is here."),
      Example(
        line: "geomapper serve --replay build.json src", effect: "Play what was recorded in src."),
      Example(
        line: "geomapper serve --port 8080 old=backup/src new=src",
        effect: "Show two folders as two continents, always at the same address."),
    ],
    statuses: [
      ExitMeaning("2", "Wrong usage, or a folder that does not exist."),
      ExitMeaning("3", "It could not listen there, or no thread could be started."),
      ExitMeaning("128+N", "Signal N ended it; nothing is left behind."),
    ],
    run: ServeCommand.run)
}

extension Command {
  /// `geomapper verify`
  static let verify = Command(
    id: .verify,
    summary: "Check that maps are what they have to be.",
    usage: "verify [OPTION]... [[LABEL=]DIR]...\n       geomapper verify [OPTION]... FILE...",
    description: [
      "Check maps of folders, or maps in files, against the definition of the projection and of the "
        + "format, to the byte. Every feature is written anew from its path and compared; every node "
        + "has to lie strictly inside the land that holds it, and neighbours have to be apart, on the "
        + "decimals. What nothing decides but the disk (sizes of files, times) is taken as it is.",
      "A DIR, by default the current folder, is mapped in both layouts with several numbers of "
        + "threads, and its folders are placed again from shuffled listings. A FILE is a map in one of "
        + "the GeoJSON formats; it is read twice. Of a map that a filter was given for, what can be "
        + "checked is checked.",
      "The first fault is printed in full, and the exit status is 4. The last line says what was found "
        + "right, and what was not checked.",
    ],
    examples: [
      Example(line: "geomapper verify usr.geojson", effect: "Is the map as it has to be?"),
      Example(line: "geomapper verify /usr", effect: "Are all maps of /usr?"),
    ],
    statuses: ExitMeaning.usual(
      "All is as it has to be", incomplete: "What could not be read was not checked.",
      wrong: "a file or folder that does not exist, or a file in a format that can't be checked",
      others: [ExitMeaning("4", "There is a fault.")]),
    run: VerifyCommand.run)
}

extension Command {
  /// `geomapper split`
  static let split = Command(
    id: .split,
    summary: "Cut a large tree into parts.",
    usage: "split --parts N [OPTION]... [[LABEL=]DIR]...\n       geomapper split [OPTION]... PATH",
    description: [
      "Write shard manifests: small files, each with what 'geomapper map --shard' needs to map one part "
        + "of a tree on any machine that has it. 'geomapper join' makes the whole map of the parts.",
      "With --parts N, estimate the work with a shallow scan of DIR [the current folder], and cut it "
        + "into about N parts and one for the rest: N + 1 manifests. "
        + "With PATH, write the manifest of that one folder. It is a folder on disk, in the folder "
        + "that --root names.",
    ],
    examples: [
      Example(
        line: "geomapper split --parts 8 -o shards /data",
        effect: "Write nine manifests: eight parts and the rest."),
      Example(
        line: "ls shards | xargs -P8 -I{} geomapper map --shard shards/{} -o parts/{} /data",
        effect: "Map them, eight at a time, into the folder parts."),
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together."),
    ],
    statuses: ExitMeaning.usual(
      "All manifests were written", incomplete: nil, wrong: "a path that is not on the map"),
    run: SplitCommand.run, oldNames: ["deed"])

  /// `geomapper join`
  static let join = Command(
    id: .join,
    summary: "Put the parts of a map together.",
    usage: "join [OPTION]... PART...",
    description: [
      "Write the whole map from its parts: the same bytes as one run of 'geomapper map'. Each PART is "
        + "a regular file that 'geomapper map --shard' wrote. Give the parts of all manifests of one "
        + "split, in any order. A part that is missing, given twice, changed or from another split is "
        + "an error."
    ],
    examples: [
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together.")
    ],
    statuses: ExitMeaning.usual(
      "The map is complete",
      incomplete: "The map is complete but for what could not be read when the parts were mapped.",
      wrong: "parts that don't go together"),
    run: JoinCommand.run)
}

extension Command {
  /// `geomapper track`
  static let track = Command(
    id: .track,
    summary: "Read, convert and make tracks (GPX).",
    usage: "track ACTION [OPTION]... FILE...",
    description: [
      "Read tracks, routes and waypoints in GPX 1.0 and 1.1, whoever wrote them; '-' stands for "
        + "standard input. ACTION is one of these:",
      "info: length, duration, speeds, climb, profile and bounds of each FILE.",
      "convert: FILE in another format.",
      "simplify: FILE with fewer points; what is left strays by no more than --tolerance.",
      "redact: FILE without the points near the places of --near, and without its metadata.",
      "places: the folders that FILE crosses, and when.",
      "cues: the turns of a planned route, as words.",
      "from: a track of timed paths: FILE has lines 'TIME PATH', or is a log of 'strace -ttt' or a "
        + "recording, whose places are taken as they are.",
    ],
    examples: [
      Example(line: "geomapper track info ride.gpx", effect: "How far was it?"),
      Example(
        line: "geomapper track convert --format geojson -o ride.geojson ride.gpx",
        effect: "Take it to QGIS."),
      Example(
        line: "geomapper track redact --near 13.4,52.5,500 -o public.gpx ride.gpx",
        effect: "Leave out 500 metres around a home."),
      Example(
        line: "strace -f -ttt -e trace=%file -o make.log make; "
          + "geomapper track from --lines strace --root / make.log > make.gpx",
        effect: "Where on the map of / does a build go?"),
    ],
    statuses: ExitMeaning.usual(
      "All was done", incomplete: "Some of it could not be used.",
      wrong: "a file that does not exist or is no GPX"),
    run: TrackCommand.run, actions: TrackCommand.Action.allCases.map(\.rawValue))
}
