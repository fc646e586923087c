import GeoCore
import GeoProjection

/// A command of the tool.
struct Command: Sendable {
  /// An example command line and its effect.
  struct Example: Sendable {
    let line: String
    let effect: String
  }

  /// The names of the commands.
  enum Name: String, CaseIterable {
    case map, serve, publish, stats, find, locate, whereis, route, verify, split, join, snapshot,
      keep, since, diff, history, draw, track, record, replay, recordings
  }

  /// The sections of the list of commands, in the order of the help.
  enum Group: String, CaseIterable {
    case look = "Look"
    case ask = "Ask"
    case compare = "Compare"
    case record = "Record"
    case share = "Share"
    case largeTrees = "Large trees"

    /// The commands of the section, in the order of the help.
    var commands: [Command] { Command.all.filter { names.contains($0.id) } }

    private var names: [Name] {
      switch self {
      case .look: [.serve, .map, .draw]
      case .ask: [.stats, .find, .locate, .whereis, .route]
      case .compare: [.keep, .since, .snapshot, .diff, .history]
      case .record: [.record, .replay, .recordings, .track]
      case .share: [.publish, .verify]
      case .largeTrees: [.split, .join]
      }
    }
  }

  let id: Name
  var name: String { id.rawValue }
  /// One line for the list of commands.
  let summary: String
  /// The text after the tool's name.
  let usage: String
  /// Paragraphs that explain how the command works.
  let description: [String]
  var options: [Option] { Option.options(of: id) }
  /// The options that help and completions show.
  var shownOptions: [Option] { options.filter { !$0.isHidden } }
  let examples: [Example]
  /// The meanings of the exit status.
  let statuses: [ExitMeaning]
  /// Runs the command, after the rules of its options were checked.
  let run: @Sendable (Run) throws(Failure) -> Void
  /// The possible actions if the first operand is one; the first is the default.
  var actions: [String] = []
  /// Former names: still accepted, but not shown.
  var oldNames: [String] = []

  /// Checks the rules of the options and runs the command; usage errors point to its help.
  func perform(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      try GivenArguments(low, of: id).check()
      let run = Run(id, low)
      try self.run(run)
      return run.status
    } catch {
      throw error.hinting(at: "\(Tool.name) \(name) --help")
    }
  }

  /// All commands, in the order of the help.
  static let all: [Command] = [
    serve, map, draw, stats, find, locate, whereis, route, keep, since, snapshot, diff, history,
    record,
    replay, recordings, track, publish, verify, split, join,
  ]

  static func named(_ name: [UInt8]) -> Command? {
    all.first { ([$0.name] + $0.oldNames).contains { $0.utf8.elementsEqual(name) } }
  }
}

/// The meaning of an exit status.
struct ExitMeaning: Sendable {
  let status: String
  let meaning: String

  init(_ status: String, _ meaning: String) {
    self.status = status
    self.meaning = meaning
  }

  /// The statuses that most commands have.
  ///
  /// - Parameters:
  ///   - done: The meaning of status 0.
  ///   - incomplete: The meaning of status 1; nil if it doesn't occur.
  ///   - wrong: The meaning of status 2 besides wrong usage.
  ///   - others: The statuses from 4 on.
  ///   - left: What remains after a signal.
  static func usual(
    _ done: String, incomplete: String?, wrong: String = "a folder that does not exist",
    others: [ExitMeaning] = [], left: String = "No partial file is left"
  ) -> [ExitMeaning] {
    var statuses = [ExitMeaning("0", "\(done), or the reader closed the pipe.")]
    if let incomplete { statuses.append(ExitMeaning("1", incomplete)) }
    statuses += [
      ExitMeaning("2", "Wrong usage, or \(wrong). Nothing was written."),
      ExitMeaning(
        "3", "The output could not be written, or no thread could be started."),
    ]
    return statuses + others + [ExitMeaning("128+N", "Ended by signal N. \(left).")]
  }
}

extension Command {
  /// `geomapper map`
  static let map = Command(
    id: .map,
    summary: "Write a map of folders.",
    usage: "map [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper map [OPTION]... --git REPO [[LABEL=]REV]...",
    description: [
      "Write a map of folders: each folder is an area inside its parent's area, each file "
        + "a point in it. The same tree gives the same map, bit for bit, on every machine.",
      "Without DIR the current folder is mapped. LABEL is the name of DIR on the map [its "
        + "last component]; labels have to differ. If a folder's name contains '=', write "
        + "'./a=b'; if it begins with '-', write './-a', or '--' before it.",
    ],
    examples: [
      Example(line: "geomapper map -o home.geojson ~", effect: "Map the home folder to a file."),
      Example(
        line: "geomapper map --zoom 5 --format csv /usr | less",
        effect: "List what is visible at zoom 5."),
      Example(
        line: "geomapper map old=backup/src new=src -o both.geojson",
        effect: "Map two folders as two continents."),
      Example(
        line: "geomapper map --tippecanoe --format geojsonl | tippecanoe -z 8 -o map.mbtiles",
        effect: "Make vector tiles."),
      Example(
        line: "ssh host \"find /srv -printf '%s %T@ %y %p\\0'\" |\n"
          + "    geomapper map --files-from - --list-format find /srv",
        effect: "Map a folder on another machine."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was mapped",
      incomplete:
        "The map lacks what could not be read, vanished meanwhile, or is wrong in a list.",
      wrong: "a folder or list that does not exist"),
    run: MapCommand.run)
}

extension Command {
  /// The tool without a command, on a terminal: `serve`, with a browser if there is a display.
  static let open = Command(
    id: serve.id, summary: serve.summary, usage: serve.usage, description: serve.description,
    examples: serve.examples, statuses: serve.statuses,
    run: ServeCommand.open)

  /// `geomapper serve`
  static let serve = Command(
    id: .serve,
    summary: "Show folders in the browser.",
    usage: "serve [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper serve [OPTION]... --git REPO [[LABEL=]REV]...\n"
      + "       geomapper serve --history [OPTION]... --git REPO [[LABEL=]REV]\n"
      + "       geomapper serve --history [OPTION]... [LABEL=]STATE...\n"
      + "       geomapper serve --history --kept [OPTION]... [[LABEL=]DIR]\n"
      + "       geomapper serve --replay FILE [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Show folders as a map in the browser. Only what you look at is read, so it starts "
        + "at once on any tree. The address is printed, the same each time for the same folders; "
        + "Ctrl-C ends it.",
      "Only programs on this machine can connect, of any user (see --token), and no other "
        + "web page gets an answer. Other programs can read vector tiles from it "
        + "(/tilejson.json, /style.json). In an SSH session the terminal also gets the command "
        + "that lets the user's own machine connect.",
    ],
    examples: [
      Example(line: "geomapper serve --open ~", effect: "Show the home folder."),
      Example(
        line: "geomapper serve --git . v1.0", effect: "Show a revision of this repository."),
      Example(
        line: "geomapper serve --history --git .", effect: "Play the history of this repository."),
      Example(
        line: "geomapper serve --replay build.json src",
        effect: "Play a recording on the map of src."),
      Example(
        line: "geomapper serve --port 8080 old=backup/src new=src",
        effect: "Show two folders as two continents, at port 8080."),
    ],
    statuses: [
      ExitMeaning("2", "Wrong usage, or a folder that does not exist."),
      ExitMeaning("3", "Can't listen there, or start threads."),
      ExitMeaning("128+N", "Ended by signal N. No partial file is left."),
    ],
    run: ServeCommand.run)
}

extension Command {
  /// `geomapper verify`
  static let verify = Command(
    id: .verify,
    summary: "Check that maps are correct.",
    usage: "verify [OPTION]... [[LABEL=]DIR]...\n       geomapper verify [OPTION]... FILE...",
    description: [
      "Check maps of folders, or map files, against the specification of the projection "
        + "and the format, to the byte. Every feature is made again from its path and "
        + "compared. Every node has to be strictly inside its folder, and neighbours have to "
        + "be apart. Sizes and times, which only the disk knows, are not checked.",
      "A DIR [the current folder] is mapped in both layouts with several numbers of "
        + "threads, and its folders are placed again from shuffled listings. A FILE is a map "
        + "in a GeoJSON format; it is read twice. A filtered map is checked as far as "
        + "possible.",
      "The first fault is printed in full, and the exit status is 4. The last line says "
        + "what was checked and what was not.",
    ],
    examples: [
      Example(line: "geomapper verify usr.geojson", effect: "Check a map file."),
      Example(line: "geomapper verify /usr", effect: "Check all maps of /usr."),
    ],
    statuses: ExitMeaning.usual(
      "No fault was found", incomplete: "What could not be read was not checked.",
      wrong: "a file or folder that does not exist, or a format that can't be checked",
      others: [ExitMeaning("4", "A fault was found.")]),
    run: VerifyCommand.run)
}

extension Command {
  /// `geomapper split`
  static let split = Command(
    id: .split,
    summary: "Split a large tree into parts.",
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
    summary: "Join the parts of a map.",
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
    summary: "Read, convert and make GPX tracks.",
    usage: "track ACTION [OPTION]... FILE...",
    description: [
      "Read tracks, routes and waypoints of GPX 1.0 and 1.1 from any program; '-' is "
        + "standard input. For GPX of a map use 'geomapper map', of a path to another "
        + "'geomapper route', of a recording 'geomapper replay'. ACTION is one of these:",
      "info: show length, duration, speeds, climb, profile and bounds of each FILE.",
      "convert: write FILE in another format.",
      "simplify: write FILE with fewer points; the line moves by --tolerance at most.",
      "redact: write FILE without metadata and without the points near the places of "
        + "--near.",
      "places: list the folders that FILE crosses, and when.",
      "cues: list the turns of a planned route.",
      "from: make a track from timed paths: lines 'TIME PATH', a log of 'strace -ttt', or "
        + "a recording.",
    ],
    examples: [
      Example(line: "geomapper track info ride.gpx", effect: "Show length, time and climb."),
      Example(
        line: "geomapper track convert --format geojson -o ride.geojson ride.gpx",
        effect: "Convert a track for QGIS."),
      Example(
        line: "geomapper track redact --near 13.4,52.5,500 -o public.gpx ride.gpx",
        effect: "Leave out 500 metres around a home."),
      Example(
        line: "strace -f -ttt -e trace=%file -o make.log make; "
          + "geomapper track from --lines strace --root / make.log > make.gpx",
        effect: "Show where a build goes on the map of /."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was done", incomplete: "Some input could not be used.",
      wrong: "a file that does not exist or is not GPX"),
    run: TrackCommand.run, actions: TrackCommand.Action.allCases.map(\.rawValue))
}
