import GeoChange
import GeoCore
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

/// What `geomapper history` takes, as it was typed.
struct HistoryArguments {
  var tellsEvents = false
  var since: Int64?
  var until: Int64?
  var path: [UInt8]?
  /// Where the frames of a film go.
  var film: [UInt8]?
  /// Frames a second.
  var rate: Int?
  /// How long the film is.
  var seconds: Int?

  /// What of a history is told.
  var filter: HistoryFilter {
    var filter = HistoryFilter()
    filter.since = since
    filter.until = until
    filter.path = path
    return filter
  }
}

extension Option {
  /// The options of `geomapper history`.
  static let history: [Option] =
    [
      .output(
        "Write to FILE, which is replaced when all is written and left alone if it can't be; "
          + "'-' (the default) is standard output."),
      .format(
        FileFormat.holding(.lives),
        help:
          "The default is what the name of FILE ends in, else geojson. geojson, geojsonl, geojsonseq or csv; html: one file that plays the "
          + "history on the map in a browser; gpx: a track for each author, of the places that the "
          + "author's commits touched.",
        brief: "geojson, geojsonl, geojsonseq, csv, html or gpx"),
      Option(
        name: "events", group: .output,
        help: "Write a point for each time that a file came, was changed or went, in the order of "
          + "time, in place of lives.",
        brief: "Write what happened to files, in the order of time",
        effect: .flag { $0.history.tellsEvents = true }),
      Option(
        name: "since", group: .filters,
        help:
          "Only what lived, or happened, at WHEN or later: a date or time such as 2026-01-31 or "
          + "2026-01-31T12:00+01:00 (UTC if no zone is given), or @SECONDS since 1970.",
        brief: "Only what lived, or happened, at WHEN or later",
        effect: .moment { $0.history.since = $1 }),
      Option(
        name: "until", group: .filters,
        help: "Only what lived, or happened, at WHEN or earlier.",
        brief: "Only what lived, or happened, at WHEN or earlier",
        effect: .moment { $0.history.until = $1 }),
      Option(
        name: "path", group: .filters,
        help:
          "Only what is at PATH of the tree, or below it. Where it is on the map doesn't depend "
          + "on it.",
        brief: "Only what is at PATH, or below it",
        effect: .value(placeholder: "PATH") { (low, text) in
          // As shells complete it, and as files of rules begin it.
          let names = text.split(separator: UInt8.slash).filter { !$0.elementsEqual(".".utf8) }
          low.history.path = names.isEmpty ? nil : Array(names.joined(separator: [UInt8.slash]))
        }),
    ]
    + film + map.filter { ["layout", "progress", "quiet", "help"].contains($0.name) }
    + [
      Option(
        name: "git", group: .list,
        help: "The git repository whose history it is; read by the program 'git'.",
        brief: "The git repository whose history it is",
        effect: .value(placeholder: "REPO") { (low, text) in low.gitRepository = text })
    ]
}

extension Option {
  /// What says how a film is made of a history.
  private static let film: [Option] =
    [
      Option(
        name: "film", group: .output,
        help:
          "Write the frames of a film into the folder DIR, which is empty or not there: sheets as "
          + "'geomapper draw' has them, frame-00001.svg and so on; all of them, or none.",
        effect: .value(placeholder: "DIR") { (low, text) in low.history.film = text }),
      Option(
        name: "fps", group: .output, help: "The film has N frames a second, 10 if nothing is said.",
        effect: .number("N", in: 1...120) { $0.history.rate = $1 }),
      Option(
        name: "seconds", group: .output,
        help: "The film takes N seconds, 30 if nothing is said, however long the history is.",
        effect: .number("N", in: 1...3600) { $0.history.seconds = $1 }),
      Option(
        name: "frames", group: .output,
        help: "svg (the default) or png, which rsvg-convert or Chromium makes of it where one of "
          + "these programs is installed.",
        effect: .choice("FORMAT", of: FileFormat.holding(.pictures).map(\.rawValue)) {
          (low, word) in
          low.draw.frames = FileFormat(rawValue: word)
        }),
    ]
    + draw.filter { ["sheet", "title", "dark"].contains($0.name) }
    // What is said of a film is not for the short help.
    .map(\.unabridged)
}
