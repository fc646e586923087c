import GeoCore
import GeoDraw
import GeoWeb

extension Option {
  /// Options of sheets and films.
  static let drawn: [Option] = [
    Option(
      name: "film", group: .output, commands: [.history],
      help: "Make a film as FILE (.mp4, .webm or .gif; replaced only on success): a video of the "
        + "page that plays the history. Needs Chromium and ffmpeg.",
      brief: "Make a video of the history as FILE (.mp4, .webm, .gif)",
      effect: .value(placeholder: "FILE") { (low, text) throws(Failure) in
        low.history.film = (text, try format(of: text, holding: .videos))
      },
      rules: [
        .excludes(
          .option("format"), .option("events"), .option("output"),
          because: "it names its own output")
      ]),
    Option(
      name: "duration", group: .output, commands: [.history],
      help: "Make the film that long, from 1s to 1h [60s].",
      effect: .span(atLeast: 1000, atMost: 3_600_000) { $0.history.duration = $1 },
      rules: [.ofFilm]),
    Option(
      name: "fps", group: .output, commands: [.history],
      help: "Use N frames a second, at most 50 in a gif [30; 20 for a gif].",
      effect: .number("N", in: 1...120) { $0.history.rate = $1 }, rules: [.ofFilm]),
    Option(
      name: "frame-size", group: .output, commands: [.history],
      help: "Set the size of a video in pixels: even numbers, at most 8,388,608 pixels "
        + "[1920x1080; 960x540 for a gif].",
      effect: .parsed(
        "WxH",
        "a frame size (try 1920x1080: even numbers from 64 to 8192, at most "
          + "\(FrameSize.maximumPixels) pixels)",
        by: FrameSize.init(parsing:)
      ) { $0.history.frameSize = $1 },
      rules: [.ofFilm]),
    Option(
      name: "sheet", group: .output, commands: [.draw],
      help: "Set the sheet size: A0 to A6, or WxH in millimetres, from 80 to 2000 and at most 3:1 "
        + "[A3]. The legend goes on the right, or below on portrait sheets.",
      brief: "Set the size: A4, or WxH in millimetres [A3]",
      effect: .parsed(
        "SIZE",
        "a sheet size (try A4, or WxH in millimetres such as 300x200, each from 80 to 2000 and at "
          + "most 3:1)",
        by: SheetSize.init(parsing:)
      ) { $0.draw.poster.size = $1 }),
    Option(
      name: "title", group: .output, commands: [.draw, .history, .diff, .since],
      help: "Print TEXT as the title [the name of what is drawn].",
      effect: .value(placeholder: "TEXT") { (low, text) in low.draw.poster.title = text },
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
      effect: .choice("WHAT") { (low, value: Shading) in low.draw.poster.shading = value }),
    Option(
      name: "colour", group: .map, commands: [.draw],
      help: "Colour land by the layer NAME of --layer: numbers in classes, words by their share. "
        + "What has no value is hatched.",
      brief: "Colour land by a layer of --layer",
      effect: .value(placeholder: "NAME") { (low, text) in
        low.draw.colour = String(decoding: text, as: UTF8.self)
      },
      rules: [
        .needs(.option("layer"), because: "it names a layer"),
        .excludes(.option("shade"), because: "both colour land"),
      ]),
    Option(
      name: "dark", group: .map, commands: [.draw, .diff, .since],
      help: "Draw light lines on a dark ground.",
      brief: "Draw light lines on a dark ground", longOnly: [.diff, .since],
      effect: .flag { $0.draw.poster.isDark = true }, rules: [.ofCard]),
    Option(
      name: "light", group: .map, commands: [.history],
      help: "Draw on a light ground [a dark one].",
      effect: .flag { $0.history.isLight = true }, rules: [.ofFilm]),
    Option(
      name: "folder", group: .map, commands: [.draw],
      help: "Draw one folder [everything]: LABEL/... on the map, or a path on disk. The land "
        + "around it is drawn without contents.",
      brief: "Draw one folder [everything]",
      effect: .value(placeholder: "PATH") { (low, text) in low.draw.folder = text },
      rules: [.excludes(.option("bbox"), because: "both choose what is drawn")]),
    Option(
      name: "card", group: .output, commands: [.diff, .since],
      help: "Also draw a card of both states as FILE (.svg or .png): a picture of 1200 by 630 "
        + "pixels for a pull request or a chat, with the sums and the largest changes. png needs "
        + "rsvg-convert or Chromium.",
      brief: "Also draw a picture of the changes as FILE (.svg, .png)",
      effect: .value(placeholder: "FILE") { (low, text) throws(Failure) in
        low.diff.card = (text, try format(of: text, holding: .pictures))
      }),
  ]

  private static func format(
    of file: [UInt8], holding kind: FileFormat.Contents
  ) throws(Failure) -> FileFormat {
    let formats = FileFormat.holding(kind)
    let ending = FileFormat.ending(of: file)
    if let ending, let format = FileFormat.named(by: ending, among: formats) { return format }
    let advice =
      FileFormat.anyEnding(of: file).flatMap(ForeignEnding.init)?.advice(for: file, among: formats)
    let endings = formats.map { ".\($0.rawValue)" }.listed(by: "or")
    throw .wrong(file, "does not end in \(endings)\(advice ?? "")")
  }
}

extension OptionRule {
  fileprivate static let ofFilm = needs(.option("film"), in: [.history])
  fileprivate static let ofCard = needs(.option("card"), in: [.diff, .since])
}
