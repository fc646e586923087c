import GeoCore
import GeoSources

extension Option {
  /// Options of layers: values of the user's own.
  static let layered: [Option] = [
    Option(
      name: "layer", group: .layers, commands: [.map, .serve, .publish, .draw, .stats, .find],
      help: "Add values of your own for files and folders: LAYER is [NAME[:HOW]=]SOURCE. SOURCE is "
        + "a FILE with a column 'path' (CSV, TSV, JSON lines), or FILE#COLUMN for one column; an "
        + "lcov or SARIF report; CODEOWNERS; owner or group; git:commits, git:authors, "
        + "git:last-author, git:main-author or git:lines. Folders sum up by HOW: sum, mean, ratio, "
        + "max, min, share or word. Repeatable, up to \(Layer.maximum).",
      brief: "Add values of your own: FILE or git:commits",
      longOnly: [.serve, .draw, .stats, .find],
      effect: .value(placeholder: "LAYER") { (low, text) throws(Failure) in
        low.layers.layers.append(try MapLayer(parsing: text))
      },
      rules: [
        .excludes(
          .format([.gpx, .html]), in: [.map], because: "the format has no members for values"),
        .excludes(
          .option("history"), .option("since"), .option("replay"), in: [.serve, .publish, .draw],
          because: "values are of the folders as they are"),
        .excludes(
          .option("redact"),
          because: "values are for true paths and may name people; redact a map that has no layers"),
      ]),
    Option(
      name: "git-since", group: .layers, commands: [.map, .serve, .publish, .draw, .stats, .find],
      help: "Count only commits of WHEN or later in layers of git, such as 30d or 2026-01-31 (see "
        + "'geomapper help time').",
      effect: .moment { $0.layers.since = $1 },
      rules: [.needs(.option("layer"), because: "it is for layers of git")]),
    Option(
      name: "measure", group: .layers, commands: [.serve, .publish, .draw, .stats],
      help: "Let sizes on the page mean WHAT at first: bytes, files, or the name of a layer whose "
        + "HOW is sum [bytes].",
      brief: "What sizes mean: bytes, files or a layer [bytes]", longOnly: [.serve, .draw, .stats],
      variants: [
        Variant(
          .draw,
          help: "Let names, lists, bars, towns and squares show WHAT: bytes, files, or the name of "
            + "a layer whose HOW is sum [bytes]."),
        Variant(
          .stats,
          help: "Let bars, percentages and the order show WHAT: bytes, files, or the name of a "
            + "layer whose HOW is sum [bytes]."),
      ],
      effect: .value(
        placeholder: "WHAT", choices: LayerArguments.measures
      ) { (low, text) throws(Failure) in
        let word = String(decoding: text, as: UTF8.self)
        if !Layer.isName(word) {
          throw Option.Effect.refusal(of: text, among: LayerArguments.measures)
        }
        low.layers.measure = word
      },
      rules: [
        .excludes(
          .option("history"), .option("since"), .option("replay"), in: [.serve, .publish, .draw],
          because: "these have sizes of their own"),
        .excludes(
          .format([.json]), .option("trend"), in: [.stats],
          because: "json and trends have amounts of their own"),
      ]),
  ]
}
