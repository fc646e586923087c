import GeoCore

/// A command of the tool.
struct Command: Sendable {
  /// A line to be typed, and what it does.
  struct Example: Sendable {
    let line: String
    let effect: String
  }

  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What follows the tool's name.
  let usage: String
  /// Paragraphs that say how it works.
  let description: [String]
  let options: [Option]
  let examples: [Example]
  /// What the exit status says.
  let statuses: [ExitMeaning]
  let run: @Sendable (LowArguments) throws(Failure) -> ExitStatus
  /// What its first operand may be, if it says what is done.
  var actions: [String] = []

  /// All commands, in the order of the help.
  static let all: [Command] = [
    map, serve, publish, stats, find, locate, whereis, route, verify, deed, join, snapshot, diff,
    history, draw, track, record, replay, recordings,
  ]

  static func named(_ name: [UInt8]) -> Command? {
    all.first { $0.name.utf8.elementsEqual(name) }
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
    name: "map",
    summary: "Draw folders as a map.",
    usage: "map [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Draw folders as a map: each folder is land inside its parent's, each file a point in it. "
        + "The same tree gives the same map, bit for bit, whatever the machine.",
      "Without a DIR the current folder is mapped. LABEL is the name of DIR on the map, by "
        + "default its last component; no two may be alike. A folder whose name holds a '=' is "
        + "given as './a=b', one that begins with '-' as './-a' or behind '--'.",
    ],
    options: Option.map + Option.ofDeed + Option.selection + Option.redaction + Option.links
      + Option.list + [.git],
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
