import GeoFormats
import GeoCore
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
  private static let questionSelection = selection.map { option in
    var option = option
    if option.name != "exclude" { option.brief = nil }
    return option
  }

  /// What can stand in place of a disk. `-0` begins numbers here.
  private static let questionSources =
    [Option.staysOnFileSystem.unabridged, git]
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

  private static let atlasMessages = [
    Option(
      name: "quiet", short: "q", group: .messages,
      help: "Don't say which folder is the root if none is given.",
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
