import GeoFormats

/// What `geomapper diff` takes, as it was typed.
struct DiffArguments {
  /// `[LABEL=]STATE`
  var old: [[UInt8]] = []
  var new: [[UInt8]] = []
  var showsAll = false
  var limit: Int?
  var tellsByStatus = false
  var isDated = false
  /// Unix time since when what is told was changed.
  var since: Int64?
}

extension Option {
  /// The options of `geomapper diff`, those apart that other commands have.
  static let diff: [Option] =
    [
      .output(
        "Write to FILE, which is replaced when all is written and left alone if it can't be; "
          + "'-' (the default) is standard output."),
      .format(
        FileFormat.holding([.reports, .changes]),
        help:
          "The default is what the name of FILE ends in, else text: a summary for people; json: "
          + "the same for programs. geojson, geojsonl, geojsonseq or csv: the "
          + "nodes that differ and the folders that hold them, on the map of both states. html: a page "
          + "that opens from disk and shows both states, on the land of all folders.",
        brief: "text (the default), json, geojson, csv, html or another"),
      Option(
        name: "all", group: .output,
        help: "Write all nodes, also those that don't differ (with --format).",
        effect: .flag { $0.diff.showsAll = true }),
      Option(
        name: "limit", group: .output,
        help: "Name N places in each list of the summary; 10 by default.",
        brief: "Name N places in each list; 10 by default",
        effect: .number("N", in: 0...10_000) { $0.diff.limit = $1 },
        oldNames: [OldName(name: "top")]),
      Option(
        name: "exit-code", group: .output,
        help: "Exit with status 5 if anything differs.",
        brief: "Exit with status 5 if anything differs",
        effect: .flag { $0.diff.tellsByStatus = true }),
      Option(
        name: "date", group: .output,
        help: "Say when folders on disk were read; of snapshots and revisions it is said anyway.",
        effect: .flag { $0.diff.isDated = true }),
      Option(
        name: "since", group: .filters,
        help:
          "Only what was changed at WHEN or later, by the times in the new state: a date or time such as "
          + "2026-01-31 or 2026-01-31T12:00+01:00 (UTC if no zone is given), or @SECONDS since 1970. What is "
          + "gone has no time there, and is told anyway.",
        effect: .moment { $0.diff.since = $1 }),
      Option(
        name: "old", group: .map,
        help: "What the old state has; given again, it has several roots. Roots of both states are "
          + "the same if their labels are.",
        effect: .value(placeholder: "[LABEL=]STATE") { (low, text) in low.diff.old.append(text) }),
      Option(
        name: "new", group: .map,
        help: "What the new state has; given again, it has several roots.",
        effect: .value(placeholder: "[LABEL=]STATE") { (low, text) in low.diff.new.append(text) }),
    ]
    + map.filter {
      ["layout", "zoom", "bbox", "max-depth", "threads", "progress", "quiet", "help"].contains(
        $0.name)
    }.map { option in
      // The help in short names what is most used here.
      var option = option
      if !["quiet", "help"].contains(option.name) { option.brief = nil }
      return option
    }
}
