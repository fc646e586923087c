import GeoCore
import GeoSources

extension Option {
  /// What is read in place of a disk.
  static let listed: [Option] = [
    Option(
      name: "files-from", group: .list, commands: listing,
      help: "Map the paths in LIST, in any order, instead of a disk; '-' is standard input. DIR, "
        + "which need not be there, is what they begin with and is taken off. A line that can't "
        + "be used is named and left out, and the exit status is 1.",
      effect: .path("LIST", "the name of a list") { (low, text) in low.list.file = text }),
    Option(
      name: "list-format", group: .list, commands: listing,
      help: "lines (the default): a path a line; a folder ends in '/' or has others below it. "
        + "find: the output of find -printf '%s %T@ %y %p\\0'. ncdu or gdu: an export in JSON.",
      effect: .choice("FORMAT") { (low, value: ListFormat) in low.list.format = value },
      rules: [.needs(.option("files-from"))]),
    Option(
      name: "null", short: "0", group: .list, commands: listing,
      help: "A zero byte stands behind each path of LIST, not a line end.",
      // -0 begins numbers there.
      variants: [Variant(.locate, .whereis, .route, .track, isLong: true)],
      effect: .flag { $0.list.isZeroSeparated = true },
      rules: [
        .needs(.option("files-from")),
        .excludes(
          .option("list-format", ListFormat.allCases.filter(\.isExport).map(\.rawValue)),
          because: "it says how lines end, and an export has none"),
      ]),
    Option(
      name: "git", group: .list, commands: listing + [.diff, .history],
      help: "Take each DIR for a revision of the git repository REPO, such as HEAD~10, v2.0 or "
        + "main:Sources; without any, HEAD. If one begins with 'git:', the others are folders or "
        + "files that exist, else revisions, and './x' is always a path. Without --git, 'git:' means the "
        + "current folder's repository. Read by the program 'git'; "
        + "sizes are the blobs', and submodules are not entered.",
      variants: [
        Variant(
          .history, help: "The git repository whose history it is; read by the program 'git'.",
          brief: "The git repository whose history it is")
      ],
      effect: .path("REPO", "the path of a repository") { (low, text) in low.gitRepository = text }),
  ]

  /// The commands that read a list.
  private static let listing: [Command.Name] = [
    .map, .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .split, .snapshot,
    .draw, .track,
  ]

  /// How a tree is read.
  static let read: [Option] = [
    Option(
      name: "threads", group: .reading,
      commands: [.map, .publish, .stats, .snapshot, .diff, .draw],
      help: "Read and draw with N threads. The map is the same with any number.",
      variants: [Variant(.stats, help: "Read with N threads.")],
      effect: .number("N", in: 1...1024) { $0.threads = $1 }),
    Option(
      name: "no-stat", group: .reading, commands: [.map],
      help: "Don't ask for sizes and times of change, which is faster.",
      effect: .flag { $0.readsMetadata = false }, rules: [.notOfTiles]),
    Option(
      name: "one-file-system", short: "x", group: .reading,
      commands: entering,
      help: "Don't enter folders of another file system than their root's.",
      brief: "Stay in one file system", longOnly: [.draw, .locate, .whereis, .route, .track],
      variants: [
        Variant(
          .map, .publish, .snapshot, .diff,
          help: "Show folders that are in another file system than DIR, but don't enter them.",
          brief: "Stay in one file system"),
        Variant(.record, help: "Don't watch folders of another file system than their root's."),
      ],
      effect: .flag { $0.links.staysOnFileSystem = true }, asksDisk: { $0.links.staysOnFileSystem },
      rules: [.notOfShard, .notOfList]),
    Option(
      name: "follow", short: "L", group: .reading, commands: entering,
      help: "Take symbolic links for what they lead to: folders are entered through them, and "
        + "what can be reached on several ways is drawn several times. A folder that leads back to "
        + "one of its own ancestors is marked as a loop; a broken link stays a link.",
      variants: [
        Variant(
          .stats, .find, .locate, .whereis, .route, .verify, .draw, .track,
          help: "Take symbolic links for what they lead to. All of it is read once before."),
        Variant(
          .serve,
          help: "Take symbolic links for what they lead to. All of it is read once before. Changes "
            + "don't show then."),
        Variant(
          .record,
          help:
            "Refused: nobody tells what happens behind a link. Give what links lead to as a DIR "
            + "of its own."),
      ],
      effect: .flag { $0.links.follows = true }, asksDisk: { $0.links.follows },
      rules: [
        .notOfShard, .notOfList,
        .excludes(
          .option("history"), .option("since"), in: [.serve],
          because:
            "all of a folder is read once before it is shown; give snapshots that 'geomapper "
            + "snapshot --follow' took"),
        .excludes(
          .option("sample"), in: [.serve],
          because: "all of a folder is read once before it is shown"),
      ]),
    Option(
      name: "links", group: .reading, commands: [.map],
      help: "Say of files with several names how many there are (GeoJSON formats only).",
      effect: .flag { $0.links.countsLinks = true },
      rules: [.works(with: .links), .ofMetadata, .notOfList]),
    Option(
      name: "totals", group: .reading, commands: [.map],
      help: "Say of each folder how many files and bytes are below it, whatever is left out; each "
        + "file counts once, however many names it has. Reads all of it first (GeoJSON formats, "
        + "csv and html).",
      brief: "Say how many files and bytes are below each folder",
      effect: .flag { $0.links.totals = true },
      rules: [.works(with: .totals), .ofMetadata, .notOfShard]),
    Option(
      name: "max-depth", group: .reading,
      commands: [
        .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .snapshot, .draw,
        .track,
      ],
      help: "Read no deeper than N levels below each DIR. The rest is not kept.",
      variants: [
        .depth(.serve, "What is deeper is not shown."),
        .depth(.publish, "What is deeper is not in the site."),
        .depth(.stats, "What is deeper is in no sum."),
        .depth(.find, "What is deeper is not found."),
        .depth(.draw, "What is deeper is not drawn."),
        .depth(.verify, "What is deeper is not checked."),
        Variant(
          .locate, .whereis, .route, .track,
          help: "Read no deeper than N levels below each DIR. What is deeper is not on the map."),
      ],
      effect: .number("N", in: 0...Int(Int32.max)) { $0.readingDepth = $1 }),
  ]

  /// The commands that enter folders.
  private static let entering: [Command.Name] = [
    .map, .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .snapshot, .diff,
    .draw, .track, .record,
  ]

  /// What is told beside the output.
  static let messages: [Option] = [
    Option(
      name: "progress", group: .messages,
      commands: Command.Name.allCases.filter { $0 != .record },
      help: "Show on standard error how far it is, and when a map is written a summary: auto (the "
        + "default; on a terminal), always (elsewhere a line a second) or never, which still names "
        + "what could not be read.",
      effect: .choice("WHEN") { (low, value: ProgressMode) in low.progress = value }),
    Option(
      name: "quiet", short: "q", group: .messages,
      commands: Command.Name.allCases,
      help: "Don't name what could not be read, and show no progress and no summary unless "
        + "'--progress always' is given; the exit status still tells.",
      brief: "Show nothing but errors",
      variants: [
        Variant(
          .stats,
          help:
            "Don't name what could not be read, and show no progress; the exit status still tells.",
          brief: "Don't name what could not be read"),
        Variant(
          .find,
          help:
            "Don't say that nothing was found, or could not be searched, and show no progress; the "
            + "exit status still tells of what could not be searched.",
          brief: "Don't say that nothing was found"),
        Variant(
          .serve,
          help: "Don't name what could not be read before it is shown, and show no progress."),
        Variant(.replay, .recordings, help: "Show no progress."),
        Variant(
          .locate, .whereis, .route,
          help: "Don't say which folder is the root if none is given, and show no progress.",
          brief: "Don't say which folder is the root"),
        Variant(
          .verify,
          help: "Print faults only, don't name what could not be read, and show no progress.",
          brief: "Print faults only"),
        Variant(.split, help: "Don't say what was written."),
        Variant(
          .join,
          help: "Don't say how much could not be read when the parts were mapped; the exit status "
            + "still tells."),
        Variant(
          .track, help: "Don't say what was left out, and show no progress.",
          brief: "Don't say what was left out"),
        Variant(.record, help: "Don't say what goes on.", brief: "Don't say what goes on"),
      ],
      effect: .flag { $0.isQuiet = true }),
    Option(
      name: "help", short: "h", group: .messages, commands: Command.Name.allCases,
      help: "Show this help; -h shows what is used most, in a line each.",
      brief: "Show this; --help shows all", effect: .help),
  ]
}

extension Option.Variant {
  /// - Parameter effect: What becomes of the rest, as a sentence.
  fileprivate static func depth(_ command: Command.Name, _ effect: String) -> Self {
    Self(command, help: "Read no deeper than N levels below each DIR. \(effect)")
  }
}

extension OptionRule {
  /// Of what a part can't know.
  fileprivate static let notOfShard = excludes(
    .option("shard"), in: [.map], because: "it needs the whole tree")

  /// Of what only a disk knows.
  fileprivate static let notOfList = excludes(
    .option("files-from"), because: "it asks the disk for what a list lacks")
}
