import GeoProjection

extension Option {
  /// The option of `geomapper map` that maps a part.
  static let ofDeed: [Option] = [
    Option(
      name: "deed", group: .map,
      help: "Map the part that FILE, made by 'geomapper deed', is about, to be put together with "
        + "the others by 'geomapper join'. DIR is the folder that was split. '-' is standard input.",
      effect: .value(placeholder: "FILE") { (low, text) in low.deeds.deed = text })
  ]

  /// The options of `geomapper deed`.
  static let deed: [Option] =
    [
      Option(
        name: "output", short: "o", group: .output,
        help:
          "Write the deed to FILE; with --split, a file for each deed into the folder FILE, which "
          + "is made if it isn't there, and must be empty. '-' (the default) is standard output, a "
          + "deed a line.",
        brief: "Write to FILE, or with --split into the folder FILE",
        effect: .value(placeholder: "FILE") { (low, text) in low.output = text }),
      Option(
        name: "split", group: .map,
        help: "Cut DIR into about N deeds of similar work, and one for the rest.",
        brief: "Cut DIR into about N deeds",
        effect: .number("N", in: 1...10_000) { $0.deeds.parts = $1 }),
      Option(
        name: "root", group: .map,
        help: "The world that PATH is in, by default the current folder; give it again for each of "
          + "several roots.",
        brief: "The world that PATH is in",
        effect: .value(placeholder: "[LABEL=]DIR") { (low, text) in low.deeds.roots.append(text) }),
      named("layout", in: map),
      reportFormat("of what was made; the deeds go to a FILE then."),
      .progress,
      Option(
        name: "quiet", short: "q", group: .messages, help: "Don't say what was made.",
        effect: .flag { $0.isQuiet = true }),
      .git, .showsHelp,
    ].compactMap { $0 } + list

  /// The options of `geomapper join`.
  static let join: [Option] = [
    named("output", in: map),
    reportFormat("of what was joined; the map goes to a FILE then."),
    .progress,
    Option(
      name: "quiet", short: "q", group: .messages,
      help:
        "Don't say how much could not be read when the parts were mapped; the exit status still "
        + "tells.",
      effect: .flag { $0.isQuiet = true }),
    .showsHelp,
  ].compactMap { $0 }

  /// An option that another command has, too.
  private static func named(_ name: String, in options: [Option]) -> Option? {
    options.first { $0.name == name }
  }
}
