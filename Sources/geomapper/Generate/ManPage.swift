/// The manual page, in the macros of man(7).
enum ManPage {
  static func text() -> String {
    var page = Page()
    page.line(".TH \(Tool.name.uppercased()) 1 \"\" \"\(Tool.name) \(Tool.version)\"")
    page.section("NAME")
    page.text("\(Tool.name) - draw folders as maps")
    page.section("SYNOPSIS")
    page.line(".B \(Tool.name)")
    page.text("[[LABEL=]DIR]...")
    page.line(".br")
    for command in Command.all {
      page.line(".B \(Tool.name)")
      page.text(command.usage)
      page.line(".br")
    }
    page.line(".B \(Tool.name)")
    page.text("--help | --version | --generate KIND")
    page.section("DESCRIPTION")
    page.text("\(Tool.name) draws a tree of folders as a map of a world: each folder is land in ")
    page.text("its parent's land, each file a point in its folder's.")
    page.line(".PP")
    page.text("Without a command it opens the folders, by default the current one, in the ")
    page.text("browser. If its output is a pipe or a file, it writes their map there instead.")
    page.section("COMMANDS")
    for command in Command.all { page.entry(Page.bold(command.name), command.summary) }
    for command in Command.all { page.add(command) }
    page.section("OPTIONS OF THE TOOL")
    page.entry("\(Page.bold("-h")), \(Page.bold("--help"))", "Show the help.")
    page.entry("\(Page.bold("-V")), \(Page.bold("--version"))", "Show the versions.")
    page.entry("\(Page.bold("--generate")) \(Page.italic("KIND"))", Help.generate)
    return page.result
  }

  private struct Page {
    var result = ""

    /// Escapes what would mean something to the formatter.
    static func escaped(_ text: String) -> String {
      var escaped = ""
      for character in text {
        switch character {
        case "\\": escaped += "\\e"
        case "-": escaped += "\\-"
        case "'": escaped += "\\(aq"
        case "`": escaped += "\\(ga"
        case "^": escaped += "\\(ha"
        case "~": escaped += "\\(ti"
        default: escaped.append(character)
        }
      }
      return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    mutating func line(_ line: String) { result += line + "\n" }

    mutating func section(_ title: String) { line(".SH \(title)") }

    mutating func text(_ text: String) { line(Self.escaped(text)) }

    mutating func entry(_ term: String, _ explanation: String) {
      line(".TP")
      line(term)
      text(explanation)
    }

    mutating func add(_ command: Command) {
      section("\(Tool.name.uppercased()) \(command.name.uppercased())")
      line(Self.bold(Tool.name))
      text(command.usage)
      for paragraph in command.description {
        line(".PP")
        text(paragraph)
      }
      for group in Option.Group.allCases {
        let options = command.options.filter { $0.group == group }
        if options.isEmpty { continue }
        line(".SS \(Self.escaped(group.rawValue))")
        for option in options { entry(Self.syntax(option), option.help) }
      }
      line(".SS Examples")
      for example in command.examples { entry(Self.bold(example.line), example.effect) }
      line(".SS Exit status")
      for exit in command.statuses { entry(Self.bold(exit.status), exit.meaning) }
    }

    private static func syntax(_ option: Option) -> String {
      let short = option.short.map { "\(bold("-\($0)")), " } ?? ""
      let value = option.placeholder.map { " \(italic($0))" } ?? ""
      return short + bold("--\(option.name)") + value
    }
  }
}
