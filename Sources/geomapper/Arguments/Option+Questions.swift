import GeoCore
import GeoFormats
import GeoProjection

extension Option {
  /// The options of `geomapper locate`.
  static let locate: [Option] =
    answerOutput + [
      coprocess,
      root, atlasLayout,
      Option(
        name: "type", group: .map,
        help: "What PATH is, if it need not exist (--layout pinned): d a folder, f a file. "
          + "A '/' behind it says that it is a folder, too.",
        effect: .choice("TYPE") { (low, value: PathType) in low.atlas.isFolder = value == .d }),
      Option(
        name: "count", group: .map,
        help: "With --layout pinned, read the listing that a file's minzoom depends on.",
        effect: .flag { $0.atlas.counts = true }),
    ] + questionSelection.filter { $0.name != "type" } + questionSources + atlasMessages

  /// The options of `geomapper whereis`.
  static let whereis: [Option] =
    answerOutput + [
      coprocess,
      root, atlasLayout,
      Option(
        name: "zoom", group: .filters, help: "Answer as a map at zoom Z shows it, 0 to 64.",
        effect: .number("Z", in: 0...64) { $0.zoom = $1 }),
      Option(
        name: "radius", group: .filters,
        help: "Name the files that are nearer than METRES, whatever folder they are in.",
        brief: "Name the files that are nearer than METRES",
        effect: .metres { $0.atlas.radius = $1 }),
      Option(
        name: "limit", group: .filters, help: "Name N files at most; 8 by default.",
        brief: "Name N files at most; 8 by default",
        effect: .number("N", in: 0...1_000_000) { $0.atlas.limit = $1 }),
    ] + questionSelection + questionSources + atlasMessages

  /// The options of `geomapper route`.
  static let route: [Option] =
    [
      answerFile,
      .format(
        FileFormat.holding(.routes),
        help: "text (the default), geojson (a LineString) or gpx (a route). Without it the name of "
          + "FILE decides.",
        brief: "text (the default), geojson or gpx"),
      root, atlasLayout,
    ] + questionSelection + questionSources + atlasMessages

  /// `--format` and `--output` of a command that answers with nodes.
  static let answerOutput: [Option] = [
    .answerFile,
    .format(
      FileFormat.holding(.answers),
      help:
        "text (the default), or the folders and files as 'map' writes them: geojson, geojsonseq, "
        + "geojsonl, csv or gpx. Without it the name of FILE decides.",
      brief: "text (the default), geojson, csv or another"),
  ]

  /// `--output FILE`, of a command that answers.
  static let answerFile = Option(
    name: "output", short: "o", group: .output,
    help: "Write to FILE (replaced only on success); '-' (the default) is standard output.",
    effect: .value(placeholder: "FILE") { (low, text) in low.output = text })

  private static let coprocess = Option(
    name: "coprocess", group: .output,
    help: "Answer questions of another program: a line of JSON in, a line of JSON out, "
      + "{\"path\":\"usr/bin\"} or {\"lon\":1.5,\"lat\":2}, until the input ends.",
    brief: "Answer questions of another program",
    effect: .flag { $0.atlas.isCoprocess = true })

  static let root = Option(
    name: "root", group: .map,
    help: "A folder that is a continent of the map; may be given several times, and all of them "
      + "together decide where they are. By default the current folder.",
    brief: "A continent of the map; by default this folder",
    effect: .value(placeholder: "[LABEL=]DIR") { (low, text) in low.atlas.roots.append(text) })

  /// What is selected, of which the short help names the first alone.
  static let questionSelection = selection.map { option in
    var option = option
    if option.name != "exclude" { option.brief = nil }
    return option
  }

  /// How a disk is read, and what can stand in place of one. `-0` begins numbers here.
  static let questionSources =
    [
      Option.staysOnFileSystem.unabridged, followsLinks,
      readingDepth("What is deeper is not on the map."), git,
    ]
    + list.map { option in
      var option = option
      option.short = nil
      return option
    }

  static let atlasLayout = Option(
    name: "layout", group: .map,
    help: "The map's layout: settled (the default) or pinned.",
    brief: "settled (the default) or pinned",
    effect: .choice("LAYOUT") { (low, value: Layout) in low.layout = value })

  private static let atlasMessages: [Option] = [
    .progress,
    Option(
      name: "quiet", short: "q", group: .messages,
      help: "Don't say which folder is the root if none is given, and show no progress.",
      brief: "Don't say which folder is the root",
      effect: .flag { $0.isQuiet = true }),
    .showsHelp,
  ]
}

/// What a path leads to.
enum PathType: String, CaseIterable {
  case d
  case f
}

/// What `geomapper stats` takes, as it was typed.
struct StatsArguments {
  var limit: Int?
  var depth: Int?
  var grouping: StatsGrouping?
  var order: StatsOrder?
}

/// What sums are told of.
enum StatsGrouping: String, CaseIterable {
  case folder, `extension`, age, owner
}

/// What stands first.
enum StatsOrder: String, CaseIterable {
  /// What takes most room.
  case size
  /// What has most files.
  case files
  /// The order of names, or of ages.
  case name
  /// What was changed last.
  case newest
}

extension Option {
  /// The options of `geomapper stats`.
  static let stats: [Option] =
    [
      Option(
        name: "by", group: .output,
        help: "Add up by folder (the default), extension, age or owner.",
        brief: "folder (the default), extension, age or owner",
        effect: .choice("WHAT") { (low, value: StatsGrouping) in low.stats.grouping = value }),
      Option(
        name: "depth", group: .output,
        help: "Show folders N levels down, 1 by default; 0 shows the roots alone.",
        brief: "Show folders N levels down; 1 by default",
        effect: .number("N", in: 0...1000) { $0.stats.depth = $1 }),
      Option(
        name: "sort", group: .output,
        help: "What stands first: size (the default) on the disk, files, name or newest. Bars and "
          + "shares are of the number of files if that is the order, else of the room on the disk.",
        brief: "size (the default), files, name or newest",
        effect: .choice("ORDER") { (low, value: StatsOrder) in low.stats.order = value }),
      Option(
        name: "limit", group: .output,
        help: "Show N rows at each level, 20 by default, and N of the largest files and of other "
          + "lists, 10 by default.",
        brief: "Show N rows at each level; 20 by default",
        effect: .number("N", in: 0...10_000) { $0.stats.limit = $1 },
        oldNames: [OldName(name: "top")]),
      answerFile,
      reportFormat(
        "with all extensions, ages, owners and depths.",
        oldNames: [OldName(name: "json", value: "json")]),
      Option(
        name: "threads", group: .reading, help: "Read with N threads.",
        effect: .number("N", in: 1...1024) { $0.threads = $1 }),
      .staysOnFileSystem,
      followsLinks,
      readingDepth("What is deeper is in no sum."),
      .git,
      .progress,
      Option(
        name: "quiet", short: "q", group: .messages,
        help:
          "Don't name what could not be read, and show no progress; the exit status still tells.",
        brief: "Don't name what could not be read",
        effect: .flag { $0.isQuiet = true }),
      .showsHelp,
    ] + selection + redaction + list

  /// `-L`, of a command that writes no map.
  static let followsLinks = followsLinks(besides: "")

  /// - Parameter sentence: What else is to be said of it, after a space.
  static func followsLinks(besides sentence: String) -> Option {
    Option(
      name: "follow", short: "L", group: .reading,
      help: "Take symbolic links for what they lead to. All of it is read once before." + sentence,
      effect: .flag { $0.links.follows = true })
  }

  /// `--max-depth`, of a command that writes no map.
  ///
  /// - Parameter effect: What becomes of the rest, as a sentence.
  static func readingDepth(_ effect: String) -> Option {
    Option(
      name: "max-depth", group: .reading,
      help: "Read no deeper than N levels below each DIR. \(effect)",
      effect: .number("N", in: 0...Int(Int32.max)) { $0.readingDepth = $1 })
  }

  /// `-x`, where nothing is shown that isn't entered.
  static let staysOnFileSystem = Option(
    name: "one-file-system", short: "x", group: .reading,
    help: "Don't enter folders of another file system than their root's.",
    brief: "Stay in one file system",
    effect: .flag { $0.links.staysOnFileSystem = true })
}
