import GeoChange
import GeoFormats
import GeoCore

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
