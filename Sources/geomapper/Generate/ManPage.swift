import GeoCore

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
        let options = command.shownOptions.filter { $0.group == group }
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

/// A text that the tool makes of its own tables, for other programs.
enum Generated: String, CaseIterable {
  case man, bash, zsh, fish
  /// For checks of the table itself and for the article about options; hidden from help.
  case options, article

  /// Those that the help has.
  static let shown = allCases.filter { $0 != .options && $0 != .article }

  /// The text.
  var text: String {
    switch self {
    case .man: ManPage.text()
    case .bash: BashCompletion.text()
    case .zsh: ZshCompletion.text()
    case .fish: FishCompletion.text()
    case .options: OptionTable.text()
    case .article: OptionArticle.text()
    }
  }

  init(parsing word: [UInt8]?) throws(Failure) {
    let words = Self.shown.map(\.rawValue)
    guard let word else {
      throw .usage("--generate needs a value: \(words.joined(separator: ", "))")
    }
    guard let value = Self(rawValue: String(decoding: word, as: UTF8.self)) else {
      var message =
        "--generate takes \(words.listed(by: "or")), not '\(TerminalText.escaped(word))'"
      if let near = nearest(to: word, among: words) { message += "; did you mean '\(near)'?" }
      throw .usage(message)
    }
    self = value
  }
}

/// The table of options, a line for each option of each command, and for each rule: fields between tabs.
private enum OptionTable {
  static func text() -> String {
    var text = ""
    for command in Command.Name.allCases {
      let options = Option.options(of: command)
      for option in options {
        text += line(
          "option", command, option.name, option.short.map { "-\($0)" } ?? "",
          option.placeholder ?? "", option.choices.first ?? "", option.group.rawValue,
          option.isHidden ? "hidden" : "")
        for rule in option.rules {
          let others = rule.others.flatMap { $0.spellings(in: command) }
          if others.isEmpty { continue }
          text += line(
            rule.isNeed ? "needs" : "excludes", command, option.name,
            rule.values?.first ?? "", others.joined(separator: "|"), rule.reason ?? "")
        }
      }
    }
    return text
  }

  private static func line(_ kind: String, _ command: Command.Name, _ fields: String...) -> String {
    ([kind, command.rawValue] + fields).joined(separator: "\t") + "\n"
  }
}

extension Option {
  /// What a shell can offer as a value.
  enum Completion: Equatable {
    case words([String])
    case files
    case folders
    /// Only whoever types knows.
    case nothing
  }

  /// What a shell can offer as the option's value.
  var completion: Completion {
    if !choices.isEmpty { return .words(choices) }
    switch placeholder.map({ $0.split(separator: "=").last ?? "" }) {
    case "FILE", "LIST", "DATE|FILE", "WHEN": return .files
    case "DIR", "FOLDER", "]DIR", "PREFIX": return .folders
    default: return .nothing
    }
  }

  /// The first sentence of the help, without the full stop.
  var summary: String {
    var text = ""
    for character in help {
      if text.last == ".", character == " " { break }
      text.append(character)
    }
    return text.last == "." ? String(text.dropLast()) : text
  }
}
