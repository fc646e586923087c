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
    case map, serve, publish, stats, find, locate, whereis, route, verify, deed, join, snapshot,
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
  let run: @Sendable (Run) throws(Failure) -> Void
  /// What its first operand may be, if it says what is done.
  var actions: [String] = []

  /// Does it: refuses options that don't go together, and leads wrong usage to the help.
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
    map, serve, publish, stats, find, locate, whereis, route, verify, deed, join, snapshot, diff,
    history, draw, track, record, replay, recordings,
  ]

  static func named(_ name: [UInt8]) -> Command? {
    all.first { $0.name.utf8.elementsEqual(name) }
  }
}

extension Command {
  /// A command that opens, writes and counts by itself.
  init(
    id: Name, summary: String, usage: String, description: [String], examples: [Example],
    statuses: [ExitMeaning],
    run: @escaping @Sendable (LowArguments) throws(Failure) -> ExitStatus
  ) {
    self.init(
      id: id, summary: summary, usage: usage, description: description, examples: examples,
      statuses: statuses,
      run: { (job: Run) throws(Failure) in
        if try run(job.low) != .success { job.add(faults: 1) }
      })
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
  /// `geomapper deed`
  static let deed = Command(
    id: .deed,
    summary: "Write what is needed to map a part elsewhere.",
    usage: "deed [OPTION]... PATH\n       geomapper deed --split N [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Write a deed: a small file that says where a folder's land is, so that 'geomapper map --deed' "
        + "maps what is in it with no knowledge of the rest. PATH is a folder on disk, in the folder "
        + "that --root names.",
      "With --split, a shallow scan of DIR, by default the current folder, judges how much work is "
        + "where; sub-trees are dealt out to about N deeds, and one more deed is for the rest, which "
        + "says what was cut out. Map each, on any machine that has DIR, and give the parts to "
        + "'geomapper join'.",
    ],
    examples: [
      Example(
        line: "geomapper deed --split 8 -o deeds /data", effect: "Make nine deeds of /data."),
      Example(
        line: "ls deeds | xargs -P8 -I{} geomapper map --deed deeds/{} -o parts/{} /data",
        effect: "Map them, eight at a time; parts is a folder."),
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together."),
    ],
    statuses: ExitMeaning.usual(
      "The deeds were made", incomplete: nil, wrong: "a path that is not on the map"),
    run: DeedCommand.run)

  /// `geomapper join`
  static let join = Command(
    id: .join,
    summary: "Put the parts of a map together.",
    usage: "join [OPTION]... PART...",
    description: [
      "Write the map that one run would have written, byte for byte, from parts that 'geomapper map "
        + "--deed' made of all deeds of one split, in any order. They have to be regular files. Each "
        + "part's check sum is compared; a part that is missing, doubled, foreign or changed is "
        + "refused."
    ],
    examples: [
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together.")
    ],
    statuses: ExitMeaning.usual(
      "The map is whole",
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
