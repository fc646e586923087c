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

  /// `-L`, of a command that reads all of a tree anyway.
  static let followsLinks = Option(
    name: "follow", short: "L", group: .reading,
    help: "Take symbolic links for what they lead to. All of it is read once before.",
    effect: .flag { $0.links.follows = true })

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
