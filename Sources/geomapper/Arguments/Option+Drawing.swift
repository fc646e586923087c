import GeoCore
import GeoDraw
import GeoFormats
import GeoWeb

extension Option {
  /// Options of sheets and films.
  static let drawn: [Option] = [
    Option(
      name: "film", group: .output, commands: [.history],
      help:
        "Make a film. A PATH that ends in .mp4, .webm or .gif is a video of the page that plays the "
        + "history (replaced only on success; needs Chromium and ffmpeg). Any other PATH is a "
        + "folder, empty or new, for the frames of a film: sheets as of 'geomapper draw', "
        + "frame-00001.svg and so on.",
      effect: .value(placeholder: "PATH") { (low, text) throws(Failure) in
        if text.isEmpty { throw .usage("the name of a film is empty") }
        let videos = FileFormat.holding(.videos)
        if let ending = FileFormat.anyEnding(of: text),
          let advice = ForeignEnding(ending)?.advice(for: text, among: videos)
        {
          throw .usage(
            "can't make .\(ending); choose "
              + videos.map { ".\($0.rawValue)" }.listed(by: "or") + advice)
        }
        low.history.film = text
      },
      rules: [
        .excludes(
          .option("format"), .option("events"), .option("output"),
          because: "it names its own output")
      ]),
    Option(
      name: "duration", group: .output, commands: [.history],
      help: "Make the film that long, from 1s to 1h [60s; 30s for a folder].",
      effect: .span(atLeast: 1000, atMost: 3_600_000) { $0.history.duration = $1 },
      rules: [.ofFilm]),
    Option(
      name: "fps", group: .output, commands: [.history],
      help: "Use N frames a second, at most 50 in a gif [30; 20 for a gif, 10 for a folder].",
      effect: .number("N", in: 1...120) { $0.history.rate = $1 }, rules: [.ofFilm]),
    Option(
      name: "frame-size", group: .output, commands: [.history],
      help: "Set the size of a video in pixels: even numbers, at most 8,388,608 pixels "
        + "[1920x1080; 960x540 for a gif].",
      effect: .value(placeholder: "WxH") { (low, text) throws(Failure) in
        guard let size = FrameSize(parsing: text) else {
          throw .usage(
            "'\(TerminalText.escaped(text))' is not a frame size (try 1920x1080: even "
              + "numbers from 64 to 8192, at most \(FrameSize.maximumPixels) pixels)")
        }
        low.history.frameSize = size
      },
      rules: [
        .needs(.film(isVideo: true), because: "--sheet sets the size of frames in a folder")
      ]),
    Option(
      name: "frames", group: .output, commands: [.history],
      help: "For a folder, choose svg or png [svg]. png needs rsvg-convert or Chromium.",
      effect: .choice("FORMAT", of: FileFormat.holding(.pictures).map(\.rawValue)) { (low, word) in
        low.draw.frames = FileFormat(rawValue: word)
      },
      rules: [.ofFolder]),
    Option(
      name: "sheet", group: .output, commands: [.draw, .history],
      help: "Set the sheet size: A0 to A6, or WxH in millimetres, from 80 to 2000 and at most 3:1 "
        + "[A3]. The legend goes on the right, or below on portrait sheets.",
      brief: "Set the size: A4, or WxH in millimetres [A3]", longOnly: [.history],
      effect: .value(placeholder: "SIZE") { (low, text) throws(Failure) in
        guard let size = SheetSize(parsing: text) else {
          throw .usage(
            "'\(TerminalText.escaped(text))' is not a sheet size (try A4, or WxH in "
              + "millimetres such as 300x200, each from 80 to 2000 and at most 3:1)")
        }
        low.draw.size = size
      },
      rules: [.ofFolder]),
    Option(
      name: "title", group: .output, commands: [.draw, .history, .diff, .since],
      help: "Print TEXT as the title [the name of what is drawn].",
      effect: .value(placeholder: "TEXT") { (low, text) in low.draw.title = text },
      rules: [.ofFilm, .ofCard]),
    Option(
      name: "date", group: .output, commands: [.draw],
      help: "Print the date of the survey, such as 2026-01-31 [no date]. Without a date the "
        + "same tree gives the same bytes on any day.",
      effect: .value(placeholder: "DATE") { (low, text) throws(Failure) in
        low.draw.date = try GivenTime(parsing: text).seconds
      }),
    Option(
      name: "shade", group: .map, commands: [.draw],
      help: "Colour land by tints (neighbours differ), size (bytes), age (the last change, "
        + "before --date or the newest file) or type (of most bytes) [tints].",
      brief: "Colour by tints, size, age or type [tints]",
      effect: .choice("WHAT") { (low, value: Shading) in low.draw.shading = value }),
    Option(
      name: "dark", group: .map, commands: [.draw, .history, .diff, .since],
      help: "Draw light lines on a dark ground.",
      brief: "Draw light lines on a dark ground", longOnly: [.history, .diff, .since],
      variants: [
        Variant(.history, help: "Draw light lines on a dark ground [the default of a video].")
      ],
      effect: .flag { $0.draw.isDark = true }, rules: [.ofFilm, .ofCard]),
    Option(
      name: "light", group: .map, commands: [.history],
      help: "Draw on a light ground [the default of a folder].",
      effect: .flag { $0.history.isLight = true },
      rules: [.ofFilm, .excludes(.option("dark"), because: "they contradict each other")]),
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
      effect: .value(placeholder: "FILE") { (low, text) throws(Failure) in
        let formats = FileFormat.holding(.pictures)
        let format = FileFormat.ending(of: text).flatMap {
          FileFormat.named(by: $0, among: formats)
        }
        guard let format else {
          throw .usage(
            "'\(TerminalText.escaped(text))' does not end in "
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

  /// Needs a folder of frames, for the options of `history` about sheets.
  fileprivate static let ofFolder = needs(
    .film(isVideo: false), in: [.history], because: "a video is not made of sheets")
}
