import GeoProjection

/// What `geomapper verify` takes, as it was typed.
struct VerifyArguments {
  var isPartial = false
}

extension Option {
  /// The options of `geomapper verify`.
  static let verify: [Option] = [
    Option(
      name: "layout", group: .map,
      help: "The layout of a map that doesn't say it: geojsonseq and geojsonl have no header.",
      effect: .choice("LAYOUT") { (low, value: Layout) in low.layout = value }),
    Option(
      name: "partial", group: .map,
      help: "A filter was given for a map that doesn't say it.",
      effect: .flag { $0.verify.isPartial = true }),
    Option(
      name: "quiet", short: "q", group: .messages,
      help: "Don't tell what was checked; the exit status still tells.",
      effect: .flag { $0.isQuiet = true }),
    Option(
      name: "help", short: "h", group: .messages, help: "Show this help.", effect: .help),
  ]
}
