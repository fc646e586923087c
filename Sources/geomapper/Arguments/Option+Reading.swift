import GeoSources

extension Option {
  /// Options of sources other than a disk.
  static let listed: [Option] = [
    Option(
      name: "files-from", group: .list, commands: lists,
      help: "Map the paths in LIST instead of a disk; '-' is standard input. DIR is the prefix "
        + "that is removed from each path, and need not exist. Lines that can't be used are "
        + "reported and skipped, with exit status 1.",
      brief: "Map the paths in LIST instead of a disk",
      longOnly: lists.filter { ![.map, .snapshot].contains($0) },
      effect: .path("LIST", "the name of a list") { (low, text) in low.list.file = text }),
    Option(
      name: "list-format", group: .list, commands: lists,
      help: "Choose the format of LIST: lines (one path a line; a folder ends in '/' or has "
        + "paths below it), find (of find -printf '%s %T@ %y %p\\0'), ncdu or gdu (a JSON "
        + "export), restic (of restic ls --json), borg (of borg list --json-lines), rclone (of "
        + "rclone lsjson -R), mtree (of bsdtar --format=mtree), tar (of tar -tv) or unzip (of "
        + "unzip -l) [by content, else lines]. Listings of restic, borg, rclone, mtree, tar and unzip "
        + "need no DIR.",
      gist: "Choose the format of LIST [by content]",
      effect: .choice("FORMAT", of: ListFormat.allCases.map(\.rawValue)) {
        $0.list.format = ListFormat(rawValue: $1)
      },
      rules: [.needs(.option("files-from"))]),
    Option(
      name: "null", short: "0", group: .list, commands: lists,
      help: "Expect a zero byte after each path of LIST, not a line end.",
      // These commands have no `-0`, which begins a number.
      variants: [Variant(.locate, .whereis, .route, .track, isLong: true)],
      effect: .flag { $0.list.isZeroSeparated = true },
      rules: [
        .needs(.option("files-from")),
        .excludes(
          .option(
            "list-format", ListFormat.allCases.filter { !$0.canHaveZeros }.map(\.rawValue)),
          because: "its entries have ends of their own"),
      ]),
    Option(
      name: "git", group: .list, commands: listing + [.diff, .history],
      help: "Read revisions of the git repository REPO: each DIR is one, such as HEAD~10, v2.0 or "
        + "main:Sources [HEAD]. If you write git:REV for one of them, the others may be folders or "
        + "files; './x' is always a path. Without --git, git:REV is of the current folder's "
        + "repository. Needs git. Sizes are those of blobs; submodules are not entered.",
      gist: "Read revisions of the git repository REPO, not folders",
      variants: [
        Variant(
          .history, help: "Read the history of the git repository REPO. Needs git.",
          brief: "Read the history of the git repository REPO")
      ],
      effect: .path("REPO", "the path of a repository") { (low, text) in low.gitRepository = text }),
  ]

  /// The commands that can read a list of paths.
  private static let lists = listing.filter { $0 != .split }

  /// The commands that can read other sources than a disk.
  static let listing: [Command.Name] = [
    .map, .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .split, .snapshot,
    .draw, .track,
  ]

  /// Options of how a tree is read.
  static let read: [Option] = [
    Option(
      name: "threads", group: .reading,
      commands: [.map, .publish, .stats, .snapshot, .keep, .diff, .since, .draw],
      help: "Use N threads [by the storage]. The result is always the same.",
      variants: [Variant(.stats, help: "Use N threads [by the storage].")],
      effect: .number("N", in: 1...1024) { $0.map.scan.threads = $1 }),
    Option(
      name: "give-up", group: .reading, commands: entering.filter { $0 != .record },
      help: "Treat a folder as unreadable if its file system, such as a network share, doesn't "
        + "answer for TIME, such as 30s [never].",
      brief: "Treat folders as unreadable that don't answer for TIME",
      longOnly: entering,
      effect: .span(atLeast: 1000) { $0.patience = $1 }, asksDisk: { $0.patience != nil },
      rules: [.notOfList]),
    Option(
      name: "no-stat", group: .reading, commands: [.map],
      help: "Leave out sizes and times, which is faster.",
      effect: .flag { $0.map.scan.readsMetadata = false }, rules: [.notOfTiles]),
    Option(
      name: "one-file-system", short: "x", group: .reading,
      commands: entering,
      help: "Don't enter folders on other file systems.",
      brief: "Stay on one file system",
      longOnly: [.draw, .locate, .whereis, .route, .keep, .track],
      variants: [
        Variant(
          .map, .publish, .snapshot, .keep, .diff,
          help: "Show folders on other file systems, but don't enter them.",
          brief: "Stay on one file system"),
        Variant(.record, help: "Don't watch folders on other file systems."),
      ],
      effect: .flag { $0.map.scan.staysOnFileSystem = true },
      asksDisk: { $0.map.scan.staysOnFileSystem },
      rules: [.notOfList]),
    Option(
      name: "follow", short: "L", group: .reading, commands: entering,
      help: "Follow symbolic links. What several links reach is drawn several times. A folder that "
        + "links back to one of its ancestors is marked as a loop; broken links stay links.",
      variants: [
        Variant(
          .stats, .find, .locate, .whereis, .route, .verify, .draw, .track,
          help: "Follow symbolic links. Everything is read once first."),
        Variant(
          .serve,
          help: "Follow symbolic links. Everything is read once first, and changes don't appear."),
        Variant(
          .record,
          help:
            "Refused: changes behind links can't be watched. Give the targets of links as DIRs."),
      ],
      effect: .flag { $0.map.scan.followsLinks = true }, asksDisk: { $0.map.scan.followsLinks },
      rules: [
        .notOfList,
        .excludes(
          .option("history"), .option("since"), in: [.serve],
          because: "everything is read once first; give snapshots made with 'geomapper snapshot "
            + "--follow'"),
        .excludes(
          .option("sample"), in: [.serve],
          because: "everything is read once first"),
      ]),
    Option(
      name: "links", group: .reading, commands: [.map],
      help: "Add the link count of files with several names (GeoJSON formats only).",
      effect: .flag { $0.map.scan.countsLinks = true },
      rules: [.works(with: .links), .ofMetadata, .notOfList]),
    Option(
      name: "totals", group: .reading, commands: [.map],
      help: "Add the number of files and bytes in each folder and below, whatever is left out. "
        + "A file with several names counts once. Everything is read once first (GeoJSON "
        + "formats, csv and html).",
      brief: "Add the number of files and bytes in each folder",
      effect: .flag { $0.map.totals = true },
      rules: [.works(with: .totals), .ofMetadata]),
    Option(
      name: "max-depth", group: .reading,
      commands: [
        .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .snapshot, .keep,
        .draw, .track,
      ],
      help: "Read at most N levels below each DIR [all]. Deeper levels are not saved.",
      variants: [
        .depth(.serve, "Deeper levels are not shown."),
        .depth(.publish, "Deeper levels are not in the site."),
        .depth(.stats, "Deeper levels are not counted."),
        .depth(.find, "Deeper levels are not searched."),
        .depth(.draw, "Deeper levels are not drawn."),
        .depth(.verify, "Deeper levels are not checked."),
        Variant(
          .locate, .whereis, .route, .track,
          help: "Read at most N levels below each DIR [all]. Deeper levels are not on the map."),
      ],
      effect: .number("N", in: 0...Int(Int32.max)) { $0.scanDepth = $1 }),
  ]

  /// The commands that can follow links and cross file systems.
  private static let entering: [Command.Name] = [
    .map, .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .snapshot, .keep,
    .diff, .draw, .track, .record,
  ]

  /// Options of messages and progress.
  static let messages: [Option] = [
    Option(
      name: "progress", group: .messages,
      commands: Command.Name.allCases.filter { $0 != .record },
      help: "Show progress and a summary on standard error: auto (on a terminal), always "
        + "(elsewhere one line a second) or never [auto].",
      gist: "Show progress: auto, always or never [auto]",
      effect: .choice("WHEN") { (low, value: ProgressMode) in low.progress = value }),
    Option(
      name: "quiet", short: "q", group: .messages,
      commands: Command.Name.allCases,
      help: "Don't report unreadable files, and show no progress or summary (unless with "
        + "'--progress always'). The exit status stays the same.",
      brief: "Show nothing but errors",
      variants: [
        Variant(
          .stats,
          help:
            "Don't report unreadable files, and show no progress. The exit status stays the same.",
          brief: "Don't report unreadable files"),
        Variant(
          .find,
          help: "Don't report that nothing was found or that folders could not be searched, and "
            + "show no progress. The exit status stays the same.",
          brief: "Don't report that nothing was found"),
        Variant(
          .serve,
          help: "Don't report unreadable files before the map is shown, and show no progress."),
        Variant(.replay, .recordings, help: "Show no progress."),
        Variant(
          .locate, .whereis, .route,
          help: "Don't report which root is used, and show no progress.",
          brief: "Don't report which root is used"),
        Variant(
          .verify,
          help: "Print faults only, and show no progress.",
          brief: "Print faults only"),
        Variant(.split, help: "Don't report what was written."),
        Variant(
          .track, help: "Don't report what was left out, and show no progress.",
          brief: "Don't report what was left out"),
        Variant(.record, help: "Don't report what happens.", brief: "Don't report what happens"),
      ],
      effect: .flag { $0.isQuiet = true }),
    Option(
      name: "help", short: "h", group: .messages, commands: Command.Name.allCases,
      help: "Show this help; -h shows the most used options, one line each.",
      brief: "Show this; --help shows everything", effect: .help),
  ]
}

extension Option.Variant {
  fileprivate static func depth(_ command: Command.Name, _ effect: String) -> Self {
    Self(command, help: "Read at most N levels below each DIR [all]. \(effect)")
  }
}

extension OptionRule {
  static let notOfList = excludes(.option("files-from"), because: "it needs a disk")
}
