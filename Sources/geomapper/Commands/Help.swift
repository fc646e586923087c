/// The help texts, at most 80 columns wide.
enum Help {
  private static let width = 80
  /// Where the explanations begin.
  private static let column = 24

  /// What `--generate` does.
  static let generate =
    "Write a manual page (man) or completions for a shell (bash, zsh, fish) to standard output."

  /// How the tool as a whole is used.
  private static let usages = """
    Usage: \(Tool.name) [[LABEL=]DIR]...       Look at folders in the browser.
           \(Tool.name) COMMAND [ARGUMENT]...

    """

  /// The help of the tool as a whole.
  static func ofTool() -> String {
    var text = wrap("\(Tool.name) draws folders as maps.", indent: 0) + "\n" + usages
    text += wrap(
      "Without a command it opens the folders, by default the current one, as 'serve' does; if its "
        + "output is a pipe or a file, it writes their map, as 'map' does.", indent: 0)
    text += "\nCommands:\n"
    for command in Command.all { text += entry("  \(command.name)", command.summary) }
    text += entry("  help [COMMAND]", "Show how to use a command.")
    text += "\nOptions:\n"
    text += entry("  -h, --help", "Show this help; -h shows what fits a screen.")
    text += entry("  -V, --version", "Show the versions of the tool and of the projection.")
    text += entry("      --generate KIND", generate)
    text += "\nExamples:\n"
    for example in examples { text += show(example) }
    return text + "\nMore: \(Tool.name) help COMMAND\n"
  }

  /// What fits a screen of the tool as a whole.
  static func brief() -> String {
    var text = usages
    for command in Command.all { text += entry("  \(command.name)", command.summary) }
    return text + "More: \(Tool.name) --help, \(Tool.name) COMMAND -h\n"
  }

  private static let examples = [
    Command.Example(line: "\(Tool.name) ~", effect: "Look at the home folder in the browser."),
    Command.Example(
      line: "\(Tool.name) ~ > home.geojson", effect: "Map the home folder to a file."),
  ]

  /// What fits a screen of the help of one command: the options that are used most.
  static func brief(_ command: Command) -> String {
    var text = "Usage: \(Tool.name) \(command.usage)\n\n\(command.summary)\n\n"
    let lines = command.shownOptions.compactMap { option in
      option.brief.map { (term: "  " + syntax(option), brief: $0) }
    }
    let column = (lines.map(\.term.count).max() ?? 0) + 2
    for line in lines { text += entry(line.term, line.brief, column: column) }
    if let example = command.examples.first { text += "\nExample: \(example.line)\n" }
    return text + "All of it: \(Tool.name) \(command.name) --help\n"
  }

  /// The help of one command.
  static func of(_ command: Command) -> String {
    var text = "Usage: \(Tool.name) \(command.usage)\n"
    for paragraph in command.description { text += "\n" + wrap(paragraph, indent: 0) }
    for group in Option.Group.allCases {
      let options = command.shownOptions.filter { $0.group == group }
      if options.isEmpty { continue }
      text += "\n\(group.rawValue):\n"
      for option in options { text += entry("  " + syntax(option), option.help) }
    }
    text += "\nExamples:\n"
    for example in command.examples { text += show(example) }
    text += "\nExit status:\n"
    for exit in command.statuses { text += entry("  \(exit.status)", exit.meaning, column: 9) }
    return text
  }

  /// How an option is given, such as `-o, --output FILE`.
  static func syntax(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
  }

  private static func show(_ example: Command.Example) -> String {
    "  \(example.line)\n" + wrap(example.effect, indent: 6)
  }

  /// A term with its explanation beside it, or below if the term is too long.
  private static func entry(_ term: String, _ explanation: String, column: Int = column) -> String {
    let wrapped = wrap(explanation, indent: column)
    if term.count + 2 > column { return term + "\n" + wrapped }
    return term + wrapped.dropFirst(term.count)
  }

  /// Lines of words that fit after an indent.
  private static func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var result = ""
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        result += line + "\n"
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return result + line + "\n"
  }
}
