import GeoPath

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
  let run: @Sendable (LowArguments) throws(Failure) -> ExitStatus

  /// All commands, in the order of the help.
  static let all: [Command] = [
    map, serve, locate, whereis, route, verify, stats, deed, join, track,
  ]

  static func named(_ name: [UInt8]) -> Command? {
    all.first { $0.name.utf8.elementsEqual(name) }
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
    options: Option.map + Option.ofDeed + Option.selection + Option.links + Option.list,
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
    run: MapCommand.run)
}
