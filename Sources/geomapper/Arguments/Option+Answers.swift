import GeoAtlas
import GeoChange
import GeoCore
import GeoFormats
import GeoProjection

/// What sums are told of.
enum StatsGrouping: String, CaseIterable {
  case folder, `extension`, age, owner
}

/// What stands first in sums.
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
  /// What the answers, sums and summaries of commands have in them.
  static let answered: [Option] = [
    Option(
      name: "coprocess", group: .output, commands: [.locate, .whereis],
      help: "Answer questions of another program: a line of JSON in, a line of JSON out, "
        + "{\"path\":\"usr/bin\"} or {\"lon\":1.5,\"lat\":2}, until the input ends.",
      brief: "Answer questions of another program",
      effect: .flag { $0.atlas.isCoprocess = true },
      rules: [
        .excludes(.option("output"), because: "it answers on standard output"),
        .excludes(
          .option("files-from", ["-"]), .option("exclude-from", ["-"]),
          because: "both read standard input"),
      ]),
    Option(
      name: "by", group: .output, commands: [.stats],
      help: "Add up by folder (the default), extension, age or owner.",
      brief: "folder (the default), extension, age or owner",
      effect: .choice("WHAT") { (low, value: StatsGrouping) in low.stats.grouping = value },
      rules: [.excludes(.format([.json]), because: "json has all groups in their own order")]),
    Option(
      name: "depth", group: .output, commands: [.stats],
      help: "Show folders N levels down, 1 by default; 0 shows the roots alone.",
      brief: "Show folders N levels down; 1 by default",
      effect: .number("N", in: 0...1000) { $0.stats.depth = $1 },
      rules: [
        .excludes(
          .option("by", StatsGrouping.allCases.filter { $0 != .folder }.map(\.rawValue)),
          because: "it is about folders, and there are none")
      ]),
    Option(
      name: "sort", group: .output, commands: [.stats, .find],
      help: "What stands first: size (the default) on the disk, files, name or newest. Bars and "
        + "shares are of the number of files if that is the order, else of the room on the disk.",
      brief: "size (the default), files, name or newest",
      variants: [
        Variant(
          .find,
          help:
            "What comes first, after all was searched: the largest files (size), what was changed "
            + "last (newest) or longest ago (oldest), or names in the order of their bytes (name).",
          brief: "size, newest, oldest or name come first",
          effect: .choice("ORDER") { (low, value: MatchOrder) in low.atlas.order = value })
      ],
      effect: .choice("ORDER") { (low, value: StatsOrder) in low.stats.order = value },
      rules: [
        .excludes(.format([.json]), in: [.stats], because: "json has all groups in their own order")
      ]),
    Option(
      name: "radius", group: .filters, commands: [.whereis],
      help: "Name the files that are nearer than METRES, whatever folder they are in.",
      brief: "Name the files that are nearer than METRES",
      effect: .metres { $0.atlas.radius = $1 }),
    Option(
      name: "limit", group: .output, commands: [.stats, .find, .whereis, .diff],
      help: "Show N rows at each level, 20 by default, and N of the largest files and of other "
        + "lists, 10 by default.",
      brief: "Show N rows at each level; 20 by default",
      variants: [
        Variant(
          .diff, help: "Name N places in each list of the summary; 10 by default.",
          brief: "Name N places in each list; 10 by default"),
        Variant(
          .find, help: "Name N at most, those that fit best; 50 by default.",
          brief: "Name N at most; 50 by default",
          effect: .number("N", in: 1...10_000) { $0.limit = $1 }),
        Variant(
          .whereis, help: "Name N files at most; 8 by default.",
          brief: "Name N files at most; 8 by default",
          effect: .number("N", in: 0...1_000_000) { $0.limit = $1 }),
      ],
      effect: .number("N", in: 0...10_000) { $0.limit = $1 },
      oldNames: [OldName(name: "top", commands: [.stats, .diff])],
      rules: [
        .excludes(
          .format(FileFormat.holding(.changes)), in: [.diff],
          because: "it is about the summary, and a map has all")
      ]),
    Option(
      name: "all", group: .output, commands: [.diff],
      help: "Write all nodes, also those that don't differ (with --format).",
      effect: .flag { $0.diff.showsAll = true }, rules: [.ofMap]),
    Option(
      name: "exit-code", group: .output, commands: [.diff],
      help: "Exit with status 5 if anything differs.",
      brief: "Exit with status 5 if anything differs",
      effect: .flag { $0.diff.tellsByStatus = true }),
    Option(
      name: "date", group: .output, commands: [.diff],
      help: "Say when folders on disk were read; of snapshots and revisions it is said anyway.",
      effect: .flag { $0.diff.isDated = true }),
    Option(
      name: "events", group: .output, commands: [.history],
      help: "Write a point for each time that a file came, was changed or went, in the order of "
        + "time, in place of lives.",
      brief: "Write what happened to files, in the order of time",
      effect: .flag { $0.history.tellsEvents = true },
      rules: [.excludes(.format([.gpx, .html]), because: "events are in it anyway")]),
    Option(
      name: "tolerance", group: .filters, commands: [.track],
      help: "How far simplify may let the line stray, in metres; 10 by default.",
      brief: "How far simplify may let the line stray",
      effect: .metres { $0.track.tolerance = $1 }, rules: [.needs(.action("simplify"))]),
    Option(
      name: "near", group: .filters, commands: [.track],
      help: "Redact what is within METRES of a place; may be given several times.",
      brief: "Redact what is near a place",
      effect: .value(placeholder: "LON,LAT,METRES") { (low, text) throws(BadValue) in
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { BoundingBox.degrees($0) }
        guard parts.count == 3, numbers.count == 3, -180...180 ~= numbers[0],
          -90...90 ~= numbers[1], numbers[2].isFinite, numbers[2] >= 0
        else {
          throw BadValue(
            reason: "takes LON,LAT,METRES, such as 13.4,52.5,500, not "
              + "'\(TerminalText.escaped(text))'")
        }
        low.track.near.append((numbers[0], numbers[1], numbers[2]))
      },
      rules: [.needs(.action("redact"))]),
    Option(
      name: "lines", group: .reading, commands: [.track],
      help: "What from reads: plain, lines of 'TIME PATH' (the default), strace, the log of "
        + "'strace -ttt', or recording, what 'geomapper record' has made (the default for a FILE that "
        + "begins so).",
      brief: "What from reads: plain, strace, recording",
      effect: .choice("LINES") { (low, value: TrackArguments.Lines) in low.track.lines = value },
      rules: [.needs(.action("from"))]),
  ]
}

extension OptionRule {
  /// Of a comparison's options about its map.
  static let ofMap = needs(
    .format(FileFormat.holding(.changes)), in: [.diff],
    because: "it is about a map, and the summary is none")
}
