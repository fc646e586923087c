import GeoCore
import GeoDraw
import GeoFormats

extension Option {
  /// How sheets and films are drawn.
  static let drawn: [Option] = [
    Option(
      name: "film", group: .output, commands: [.history],
      help:
        "Write the frames of a film into the folder DIR, which is empty or not there: sheets as "
        + "'geomapper draw' has them, frame-00001.svg and so on; all of them, or none.",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.history.film = text },
      rules: [
        .excludes(
          .option("format"), .option("events"), .option("output"),
          because: "it writes frames into a folder")
      ]),
    Option(
      name: "fps", group: .output, commands: [.history],
      help: "The film has N frames a second, 10 if nothing is said.",
      effect: .number("N", in: 1...120) { $0.history.rate = $1 }, rules: [.ofFilm]),
    Option(
      name: "seconds", group: .output, commands: [.history],
      help: "The film takes N seconds, 30 if nothing is said, however long the history is.",
      effect: .number("N", in: 1...3600) { $0.history.seconds = $1 }, rules: [.ofFilm]),
    Option(
      name: "frames", group: .output, commands: [.history],
      help: "svg (the default) or png, which rsvg-convert or Chromium makes of it where one of "
        + "these programs is installed.",
      effect: .choice("FORMAT", of: FileFormat.holding(.pictures).map(\.rawValue)) { (low, word) in
        low.draw.frames = FileFormat(rawValue: word)
      },
      rules: [.ofFilm]),
    Option(
      name: "sheet", group: .output, commands: [.draw, .history],
      help: "The size of the sheet: A3 (the default), A2, or WxH in millimetres, from 80 to "
        + "2000 and at most three to one. The legend goes on the right, or below on portrait "
        + "sheets.",
      brief: "A3 (the default), A2, or WxH in millimetres", longOnly: [.history],
      effect: .value(placeholder: "SIZE") { (low, text) throws(BadValue) in
        guard let size = SheetSize(parsing: text) else {
          throw BadValue(
            reason: "takes A3, A2, or WxH in millimetres, such as 300x200, each from 80 to 2000 "
              + "and at most three to one, not '\(TerminalText.escaped(text))'")
        }
        low.draw.size = size
      },
      oldNames: [OldName(name: "size") { SheetSize(parsing: $0) != nil }], rules: [.ofFilm]),
    Option(
      name: "title", group: .output, commands: [.draw, .history],
      help: "What stands at the head; else the name of what is drawn.",
      effect: .value(placeholder: "TEXT") { (low, text) in low.draw.title = text },
      rules: [.ofFilm]),
    Option(
      name: "date", group: .output, commands: [.draw],
      help: "Write on the sheet when it was surveyed: a date such as 2026-01-31. Without it no "
        + "date is on it, and the same tree gives the same bytes on any day.",
      effect: .value(placeholder: "DATE") { (low, text) throws(BadValue) in
        guard let date = Moment.seconds(parsing: text) else {
          throw BadValue(
            reason: "takes a date such as 2026-01-31, not '\(TerminalText.escaped(text))'")
        }
        low.draw.date = date
      }),
    Option(
      name: "shade", group: .map, commands: [.draw],
      help: "What the colours of lands tell: tints (the default) tells neighbours apart, size "
        + "how many bytes are below, age when anything below was changed last (before --date, or the "
        + "newest file), type which type of file has most bytes below.",
      brief: "tints (the default), size, age or type",
      effect: .choice("WHAT") { (low, value: Shading) in low.draw.shading = value }),
    Option(
      name: "dark", group: .map, commands: [.draw, .history],
      help: "Draw light lines on dark ground.", effect: .flag { $0.draw.isDark = true },
      rules: [.ofFilm]),
    Option(
      name: "folder", group: .map, commands: [.draw],
      help: "Draw a folder, LABEL/... as on the map or a path on disk, in place of the world; "
        + "what it lies in is drawn around it without contents.",
      brief: "Draw a folder, not the world",
      effect: .value(placeholder: "PATH") { (low, text) in low.draw.folder = text },
      rules: [.excludes(.option("bbox"), because: "both say what is drawn")]),
  ]
}

extension OptionRule {
  /// Of a history's options about its film.
  fileprivate static let ofFilm = needs(.option("film"), in: [.history])
}
