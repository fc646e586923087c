import GeoAtlas
import GeoCore
import GeoProjection
import GeoTree

enum StatsGrouping: String, CaseIterable {
  case folder, `extension`, age, owner
}

enum StatsOrder: String, CaseIterable {
  /// `name` of ages is by age.
  case size, files, name, newest
}

extension Option {
  /// Options of answers, totals and summaries.
  static let answered: [Option] = [
    Option(
      name: "coprocess", group: .output, commands: [.locate, .whereis],
      help: "Answer another program: read lines of JSON, {\"path\":\"usr/bin\"} or "
        + "{\"lon\":1.5,\"lat\":2}, and write a line of JSON for each, until the input ends.",
      brief: "Answer another program in lines of JSON",
      effect: .flag { $0.atlas.isCoprocess = true },
      rules: [
        .excludes(.option("output"), because: "it answers on standard output"),
        .excludes(
          .option("files-from", ["-"]), .option("exclude-from", ["-"]),
          because: "both read standard input"),
      ]),
    Option(
      name: "by", group: .output, commands: [.stats],
      help: "Add up by folder, extension, age or owner, or by the words of a layer of --layer "
        + "[folder].",
      brief: "Add up by folder, extension, age, owner, layer [folder]",
      effect: .choice("WHAT", orLayer: { $0.stats.groupingLayer = $1 }) {
        (low, value: StatsGrouping) in low.stats.grouping = value
      },
      rules: [.excludes(.format([.json]), because: "json always has all groups in a fixed order")]),
    Option(
      name: "trend", group: .output, commands: [.stats],
      help: "Show how the folders of DIR [the current folder] grew, by its kept states. Those that "
        + "grew most come first: the growth from the first state to the last, the size in the last "
        + "one, and a line of up to 24 states, evenly spread. The disk is not read.",
      effect: .flag { $0.stats.showsTrend = true },
      rules: [
        .excludes(
          .option("by"), .option("sort"), because: "it shows folders, those that grew most first"),
        .excludes(
          .group(.selection), .group(.names), .group(.list), .option("max-depth"),
          .option("one-file-system"), .option("follow"),
          because: "it shows the kept states as they are"),
      ]),
    Option(
      name: "depth", group: .output, commands: [.stats],
      help: "Show folders N levels down [1]; 0 shows only the roots.",
      brief: "Show folders N levels down [1]",
      effect: .number("N", in: 0...1000) { $0.stats.depth = $1 },
      rules: [
        .excludes(
          .option("by", StatsGrouping.allCases.filter { $0 != .folder }.map(\.rawValue)),
          because: "it is for sums by folder")
      ]),
    Option(
      name: "min", group: .output, commands: [.stats],
      help: "Show only what takes at least BYTES, such as 1G: with folders those of any depth, "
        + "unless --depth says otherwise, and all of them, unless --limit does.",
      brief: "Show only what takes at least BYTES, such as 1G",
      effect: .parsed(
        "BYTES", "a size (try 1G or 1.5GB); units are \(SizeUnit.list)",
        by: { SizeUnit.bytes(parsing: $0[...]) }
      ) { $0.stats.minimum = $1 },
      rules: [
        .excludes(.option("trend"), because: "it shows growth, not sizes"),
        .excludes(.format([.json]), because: "json always has everything"),
      ]),
    Option(
      name: "sort", group: .output, commands: [.stats, .find],
      help: "Sort by size (on disk), files, name or newest, or by a layer of --layer [size]. With "
        + "files, bars and percentages are of the number of files, else of the size on disk.",
      brief: "Sort by size, files, name, newest or a layer [size]",
      variants: [
        Variant(
          .find,
          help: "Search everything first, then sort by size (largest first), newest, oldest or "
            + "name, or by a layer of --layer [best match]. With --type d the size of a folder is "
            + "that of all in it.",
          brief: "Sort by size, newest, oldest, name or a layer [best match]",
          effect: .choice("ORDER", orLayer: { $0.atlas.orderLayer = $1 }) {
            (low, value: MatchOrder) in low.atlas.order = value
          })
      ],
      effect: .choice("ORDER", orLayer: { $0.stats.orderLayer = $1 }) {
        (low, value: StatsOrder) in low.stats.order = value
      },
      rules: [
        .excludes(
          .format([.json]), in: [.stats], because: "json always has all groups in a fixed order")
      ]),
    Option(
      name: "radius", group: .output, commands: [.whereis],
      help: "List all files within METRES, in any folder.",
      brief: "List all files within METRES, in any folder",
      effect: .metres { $0.atlas.radius = $1 }),
    Option(
      name: "limit", group: .output, commands: [.stats, .find, .whereis, .diff, .since],
      help: "Show at most N rows at each level [20], and at most N entries in the list of the "
        + "largest files and other lists [10].",
      brief: "Show at most N rows at each level [20]",
      variants: [
        Variant(
          .diff, .since, help: "Show at most N entries in each list of the summary [10].",
          brief: "Show at most N entries in each list [10]"),
        Variant(
          .find, help: "Show at most N matches, the best ones, or 'all' [50].",
          brief: "Show at most N matches, or 'all' [50]",
          effect: .number("N", in: 1...10_000, orAll: true) { $0.limit = $1 }),
        Variant(
          .whereis, help: "List at most N files [8].",
          brief: "List at most N files [8]",
          effect: .number("N", in: 0...1_000_000) { $0.limit = $1 }),
      ],
      effect: .number("N", in: 0...10_000) { $0.limit = $1 },
      rules: [
        .excludes(
          .format(FileFormat.holding(.changes)), in: [.diff, .since],
          because: "it is for the summary; a map has everything")
      ]),
    Option(
      name: "all", group: .output, commands: [.diff, .since],
      help: "Write all nodes, the unchanged ones too (with a map --format).",
      effect: .flag { $0.diff.showsAll = true }, rules: [.ofMap]),
    Option(
      name: "apparent", group: .output,
      commands: [.diff, .since, .keep, .stats, .draw, .serve, .record],
      help: "Show apparent sizes, not room on disk, of what differs.",
      brief: "Show apparent sizes of what differs",
      longOnly: [.diff, .stats, .serve, .record, .draw],
      variants: [
        Variant(.stats, help: "With --trend: show apparent sizes, not room on disk."),
        Variant(.record, help: "Compare rules with apparent sizes, not room on disk."),
      ],
      effect: .flag { $0.wantsApparent = true },
      rules: [
        .needs(.option("since"), in: [.draw, .serve], because: "it is for what differs"),
        .needs(.option("trend"), in: [.stats], because: "the totals have both"),
        .needs(.option("alert"), .option("alerts"), in: [.record]),
      ]),
    Option(
      name: "ignore-times", group: .output, commands: [.diff],
      help: "Compare files by type and size only, for copies with other times.",
      brief: "Compare files by type and size only",
      effect: .flag { $0.diff.ignoresTimes = true }),
    Option(
      name: "exit-code", group: .output, commands: [.diff, .since],
      help: "Exit with status 5 if anything differs [0].",
      brief: "Exit with status 5 if anything differs",
      effect: .flag { $0.diff.setsStatus = true }),
    Option(
      name: "date", group: .output, commands: [.diff],
      help: "Show when folders on disk were read. Pages, snapshots and revisions always show "
        + "their dates.",
      effect: .flag { $0.diff.isDated = true }),
    Option(
      name: "events", group: .output, commands: [.history],
      help: "Write a point for each change of a file, in order of time, not a feature for each "
        + "lifetime.",
      brief: "Write each change of a file, in order of time",
      effect: .flag { $0.history.listsEvents = true },
      rules: [.excludes(.format([.gpx, .html]), because: "the format always has events")]),
    Option(
      name: "tolerance", group: .action, commands: [.track],
      help: "With simplify: the largest deviation of the line, in metres [10].",
      brief: "The largest deviation of simplify [10]",
      effect: .metres { $0.track.tolerance = $1 }, rules: [.needs(.action("simplify"))]),
    Option(
      name: "strict", group: .action, commands: [.track],
      help: "Refuse a FILE with a value that can't be used, instead of leaving the value out.",
      brief: "Refuse a FILE with a bad value",
      effect: .flag { $0.track.isStrict = true }),
    Option(
      name: "near", group: .action, commands: [.track],
      help: "With redact: remove the points within METRES of a place. Repeatable.",
      brief: "Remove the points near a place",
      effect: .parsed(
        "LON,LAT,METRES", "LON,LAT,METRES (try 13.4,52.5,500)",
        by: { text -> [Double]? in
          let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
          let numbers = parts.compactMap { BoundingBox.degrees($0) }
          let isPlace =
            parts.count == 3 && numbers.count == 3 && -180...180 ~= numbers[0]
            && -90...90 ~= numbers[1] && numbers[2].isFinite && numbers[2] >= 0
          return isPlace ? numbers : nil
        }
      ) { $0.track.near.append(($1[0], $1[1], $1[2])) },
      rules: [.needs(.action("redact"))]),
    Option(
      name: "lines", group: .action, commands: [.track],
      help: "With from: the type of FILE: plain (lines of 'TIME PATH'), strace (the log of "
        + "'strace -ttt') or recording (a file of 'geomapper record') [plain, or recording if "
        + "FILE is one].",
      brief: "The type of FILE: plain, strace or recording",
      effect: .choice("LINES") { (low, value: TrackArguments.Lines) in low.track.lines = value },
      rules: [.needs(.action("from"))]),
  ]
}

extension OptionRule {
  static let ofMap = needs(
    .format(FileFormat.holding(.changes)), in: [.diff, .since],
    because: "it is for maps, not for the summary")
}
