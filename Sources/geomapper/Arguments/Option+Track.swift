import GeoFormats
import GeoCore
import GeoProjection

/// What `geomapper track` takes, as it was typed.
struct TrackArguments {
  /// What the lines of timed paths are.
  enum Lines: String, CaseIterable {
    case plain
    case strace
    case recording
  }

  var tolerance: Double?
  var near: [(longitude: Double, latitude: Double, radius: Double)] = []
  var lines: Lines?
}

extension Option {
  /// The options of `geomapper track`.
  static let track: [Option] = [
    .output("Write to FILE, complete or not at all; '-' is standard output."),
    .format(
      FileFormat.holding([.reports, .tracks]),
      help:
        "The default is what the name of FILE ends in, else gpx. gpx, geojson, json (a track to a "
        + "line) or csv; of info, places and cues text (the default) or json.",
      brief: "gpx, geojson, json, csv or text"),
    Option(
      name: "tolerance", group: .filters,
      help: "How far simplify may let the line stray, in metres; 10 by default.",
      brief: "How far simplify may let the line stray",
      effect: .metres { $0.track.tolerance = $1 }),
    Option(
      name: "near", group: .filters,
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
      }),
    Option(
      name: "lines", group: .reading,
      help: "What from reads: plain, lines of 'TIME PATH' (the default), strace, the log of "
        + "'strace -ttt', or recording, what 'geomapper record' has made (the default for a FILE that "
        + "begins so).",
      brief: "What from reads: plain, strace, recording",
      effect: .choice("LINES") { (low, value: TrackArguments.Lines) in low.track.lines = value }),
    root, atlasLayout,
    Option(
      name: "quiet", short: "q", group: .messages,
      help: "Don't say what was left out.",
      brief: "Don't say what was left out",
      effect: .flag { $0.isQuiet = true }),
    .showsHelp,
  ]
}
