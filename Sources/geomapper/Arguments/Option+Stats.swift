/// What `geomapper stats` takes, as it was typed.
struct StatsArguments {
  var isJSON = false
  var top: Int?
}

extension Option {
  /// The options of `geomapper stats`.
  static let stats: [Option] = [
    Option(
      name: "json", group: .output, help: "Write JSON, for programs, with all extensions.",
      effect: .flag { $0.stats.isJSON = true }),
    Option(
      name: "top", group: .output,
      help: "Name N of the largest, the newest and so on; 10 by default.",
      effect: .number("N", in: 0...10_000) { $0.stats.top = $1 }),
    Option(
      name: "threads", group: .reading, help: "Read with N threads.",
      effect: .number("N", in: 1...1024) { $0.threads = $1 }),
    .staysOnFileSystem,
    .git,
    Option(
      name: "quiet", short: "q", group: .messages,
      help: "Don't name what could not be read; the exit status still tells.",
      effect: .flag { $0.isQuiet = true }),
    .showsHelp,
  ]

  /// `-x`, where nothing is shown that isn't entered.
  static let staysOnFileSystem = Option(
    name: "one-file-system", short: "x", group: .reading,
    help: "Don't enter folders of another file system than their root's.",
    effect: .flag { $0.links.staysOnFileSystem = true })
}
