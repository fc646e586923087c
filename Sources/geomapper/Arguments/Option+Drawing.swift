import GeoCore
import GeoDraw
import GeoFormats

extension Option {
  /// Options of sheets and films.
  static let drawn: [Option] = [
    Option(
      name: "film", group: .output, commands: [.history],
      help:
        "Write the frames of a film into the folder DIR, which must be empty or new: "
        + "sheets as of 'geomapper draw', frame-00001.svg and so on.",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.history.film = text },
      rules: [
        .excludes(
          .option("format"), .option("events"), .option("output"),
          because: "it writes a folder of frames")
      ]),
    Option(
      name: "fps", group: .output, commands: [.history],
      help: "Use N frames a second [10].",
      effect: .number("N", in: 1...120) { $0.history.rate = $1 }, rules: [.ofFilm]),
    Option(
      name: "seconds", group: .output, commands: [.history],
      help: "Make the film N seconds long [30].",
      effect: .number("N", in: 1...3600) { $0.history.seconds = $1 }, rules: [.ofFilm]),
    Option(
      name: "frames", group: .output, commands: [.history],
      help: "Choose svg or png [svg]. png needs rsvg-convert or Chromium.",
      effect: .choice("FORMAT", of: FileFormat.holding(.pictures).map(\.rawValue)) { (low, word) in
        low.draw.frames = FileFormat(rawValue: word)
      },
      rules: [.ofFilm]),
    Option(
      name: "sheet", group: .output, commands: [.draw, .history],
      help: "Set the sheet size: A3, A2, or WxH in millimetres, from 80 to 2000 and at most 3:1 "
        + "[A3]. The legend goes on the right, or below on portrait sheets.",
      brief: "Set the size: A3, A2, or WxH in millimetres [A3]", longOnly: [.history],
      effect: .value(placeholder: "SIZE") { (low, text) throws(Malformed) in
        guard let size = SheetSize(parsing: text) else {
          throw Malformed(
            reason: "'\(TerminalText.escaped(text))' is not a sheet size (try A3, A2, or WxH in "
              + "millimetres such as 300x200, each from 80 to 2000 and at most 3:1)")
        }
        low.draw.size = size
      },
      oldNames: [OldName(name: "size") { SheetSize(parsing: $0) != nil }], rules: [.ofFilm]),
    Option(
      name: "title", group: .output, commands: [.draw, .history, .diff, .since],
      help: "Print TEXT as the title [the name of what is drawn].",
      effect: .value(placeholder: "TEXT") { (low, text) in low.draw.title = text },
      rules: [.ofFilm, .ofCard]),
    Option(
      name: "date", group: .output, commands: [.draw],
      help: "Print the date of the survey, such as 2026-01-31 [no date]. Without a date the "
        + "same tree gives the same bytes on any day.",
      effect: .value(placeholder: "DATE") { (low, text) throws(Malformed) in
        guard let date = Moment.seconds(parsing: text) else {
          throw Malformed(
            reason: "'\(TerminalText.escaped(text))' is not a date (try 2026-01-31)")
        }
        low.draw.date = date
      }),
    Option(
      name: "shade", group: .map, commands: [.draw],
      help: "Colour land by tints (neighbours differ), size (bytes), age (the last change, "
        + "before --date or the newest file) or type (of most bytes) [tints].",
      brief: "Colour by tints, size, age or type [tints]",
      effect: .choice("WHAT") { (low, value: Shading) in low.draw.shading = value }),
    Option(
      name: "dark", group: .map, commands: [.draw, .history, .diff, .since],
      help: "Draw light lines on a dark ground.", effect: .flag { $0.draw.isDark = true },
      rules: [.ofFilm, .ofCard]),
    Option(
      name: "folder", group: .map, commands: [.draw],
      help: "Draw one folder [everything]: LABEL/... on the map, or a path on disk. The land "
        + "around it is drawn without contents.",
      brief: "Draw one folder [everything]",
      effect: .value(placeholder: "PATH") { (low, text) in low.draw.folder = text },
      rules: [.excludes(.option("bbox"), because: "both choose what is drawn")]),
    Option(
      name: "card", group: .output, commands: [.diff, .since],
      help:
        "Also draw a card of both states as FILE (.svg or .png): a picture of 1200 by 630 pixels "
        + "for a pull request or a chat, with the sums and the largest changes. png needs "
        + "rsvg-convert or Chromium.",
      brief: "Also draw a picture of the changes as FILE (.svg, .png)",
      effect: .value(placeholder: "FILE") { (low, text) throws(Malformed) in
        let formats = FileFormat.holding(.pictures)
        let format = FileFormat.ending(of: text).flatMap {
          FileFormat.named(by: $0, among: formats)
        }
        guard let format else {
          throw Malformed(
            reason: "'\(TerminalText.escaped(text))' does not end in "
              + formats.map { ".\($0.rawValue)" }.listed(by: "or"))
        }
        low.diff.card = (text, format)
      }),
  ]
}

extension OptionRule {
  /// Needs `--film`, for the options of `history` about its film.
  fileprivate static let ofFilm = needs(.option("film"), in: [.history])
  /// Needs `--card`, for the options of `diff` about its card.
  fileprivate static let ofCard = needs(.option("card"), in: [.diff, .since])
}
