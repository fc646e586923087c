/// The help texts, at most 80 columns wide.
enum Help {
  private static let width = 80
  /// Where the explanations begin.
  private static let column = 24

  /// What `--generate` does.
  static let generate =
    "Write a manual page (man) or completions for a shell (bash, zsh, fish) to standard output."

  /// The help of the tool as a whole.
  static func ofTool() -> String {
    var text = wrap("\(Tool.name) draws folders as maps.", indent: 0) + "\n"
    text += "Usage: \(Tool.name) COMMAND [ARGUMENT]...\n\nCommands:\n"
    for command in Command.all { text += entry("  \(command.name)", command.summary) }
    text += entry("  help [COMMAND]", "Show how to use a command.")
    text += "\nOptions:\n"
    text += entry("  -h, --help", "Show this help.")
    text += entry("  -V, --version", "Show the versions of the tool and of the projection.")
    text += entry("      --generate KIND", generate)
    text += "\nExamples:\n"
    for example in Command.all.flatMap(\.examples).prefix(2) { text += show(example) }
    return text + "\nMore: \(Tool.name) help map\n"
  }

  /// The help of one command.
  static func of(_ command: Command) -> String {
    var text = "Usage: \(Tool.name) \(command.usage)\n"
    for paragraph in command.description { text += "\n" + wrap(paragraph, indent: 0) }
    for group in Option.Group.allCases {
      let options = command.options.filter { $0.group == group }
      if options.isEmpty { continue }
      text += "\n\(group.rawValue):\n"
      for option in options { text += entry("  " + syntax(option), option.help) }
    }
    text += "\nExamples:\n"
    for example in command.examples { text += show(example) }
    text += "\nExit status:\n"
    for (status, meaning) in command.statuses { text += entry("  \(status)", meaning, column: 9) }
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

  /// Lines of words that fit behind an indent.
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

extension Command {
  /// What the exit status says.
  var statuses: [(status: String, meaning: String)] {
    if name == "serve" { return Self.serveStatuses }
    return [
      ("0", "All was mapped, or the reader of the pipe had enough."),
      (
        "1",
        "The map is complete but for what could not be read, vanished meanwhile, or is wrong in a "
          + "list."
      ),
      ("2", "Wrong usage, or a folder or list that does not exist; nothing was written."),
      ("3", "The output could not be opened, written or renamed, or no thread could be started."),
      ("128+N", "Signal N ended it; no temporary file is left."),
    ]
  }
}
