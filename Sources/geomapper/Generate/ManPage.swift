import GeoCore

/// Manual pages, in the macros of man(7): one that lists the commands, and one for each command.
enum ManPage {
  static func text() -> String {
    var page = Page(Tool.name, summary: "show folders as maps")
    page.section("SYNOPSIS")
    page.addSynopsis("[[LABEL=]DIR]...")
    page.addSynopsis("COMMAND [ARGUMENT]...")
    page.addSynopsis("--help | --version | --generate KIND")
    page.section("DESCRIPTION")
    page.text(
      "\(Tool.name) shows a tree of folders as a map: each folder is land in its parent's land, ")
    page.text("each file a point in its folder's. The same tree gives the same map everywhere.")
    page.line(".PP")
    page.text(Help.opening)
    page.section("COMMANDS")
    for group in Command.Group.allCases {
      page.line(".SS \(Page.escaped(group.rawValue))")
      for command in group.commands {
        page.entry(Page.bold("\(Tool.name)-\(command.name)") + "(1)", command.summary)
      }
    }
    page.section("OPTIONS")
    page.entry("\(Page.bold("-h")), \(Page.bold("--help"))", "Show the help; -h fits a screen.")
    page.entry("\(Page.bold("-V")), \(Page.bold("--version"))", "Show the versions.")
    page.entry("\(Page.bold("--generate")) \(Page.italic("KIND"))", Help.generate)
    page.section("EXIT STATUS")
    for exit in statuses { page.entry(Page.bold(exit.status), exit.meaning) }
    page.section("ENVIRONMENT")
    for (name, meaning) in environment { page.entry(Page.bold(name), meaning) }
    page.section("FILES")
    for (name, meaning) in files { page.entry(Page.italic(name), meaning) }
    page.section("WORDS")
    for (word, meaning) in Glossary.entries { page.entry(Page.bold(word), meaning) }
    page.section("EXAMPLES")
    for (line, effect) in Help.examples { page.entry(Page.bold(line), effect) }
    page.seeAlso(Command.all.map { "\(Tool.name)-\($0.name)" } + ["git", "ncdu", "find"])
    return page.result
  }

  static func text(of command: Command) -> String {
    var page = Page(
      "\(Tool.name)-\(command.name)", summary: Page.withoutStop(command.summary).lowercasedFirst)
    page.section("SYNOPSIS")
    for usage in command.usages { page.addSynopsis(usage) }
    page.section("DESCRIPTION")
    for (index, paragraph) in command.description.enumerated() {
      if index > 0 { page.line(".PP") }
      page.text(paragraph)
    }
    page.section("OPTIONS")
    for group in Option.Group.allCases {
      let options = command.options.filter { $0.group == group }
      if options.isEmpty { continue }
      page.line(".SS \(Page.escaped(group.rawValue))")
      for option in options { page.entry(Page.syntax(option), option.help) }
    }
    page.section("EXIT STATUS")
    for exit in command.statuses { page.entry(Page.bold(exit.status), exit.meaning) }
    page.section("ENVIRONMENT")
    page.line("See")
    page.line(".BR \(Tool.name) (1).")
    page.section("EXAMPLES")
    for (line, effect) in command.examples { page.entry(Page.bold(line), effect) }
    let others = Command.Group.allCases.first { $0.commands.contains { $0.id == command.id } }
    page.seeAlso(
      [Tool.name]
        + (others?.commands ?? []).filter { $0.id != command.id }.map { "\(Tool.name)-\($0.name)" })
    return page.result
  }

  private static let statuses: [ExitMeaning] = [
    ("0", "Success, or the reader closed the pipe."),
    ("1", "The output is complete but for what could not be read."),
    ("2", "Wrong usage, or an input that does not exist. Nothing was written."),
    ("3", "The output could not be written, or no thread could be started."),
    ("4", "verify found a fault."),
    ("5", "diff --exit-code found a difference."),
    ("128+N", "Ended by signal N."),
  ]

  private static let environment = [
    ("HOME", "The home folder: for recordings, the key of --redact, and git's rules."),
    ("XDG_DATA_HOME", "The folder of recordings and samples is in it [~/.local/share]."),
    ("XDG_CONFIG_HOME", "The key of --redact is in it [~/.config]."),
    ("TMPDIR", "The folder of scratch files [/tmp]."),
    ("NO_COLOR", "If it is not empty, no colours are used."),
    ("TERM", "If it is dumb or not set, progress is not redrawn and no colours are used."),
    (
      "GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM",
      "Where --gitignore finds git's configuration, as for git."
    ),
    (
      "GEOMAPPER_ALERT, _PATH, _RULE, _VALUE, _LIMIT, _STATE, _TIME",
      "Set for the COMMAND of record --exec: the alert's name, its path and so on."
    ),
  ]

  private static let files = [
    ("~/.local/share/geomapper/recordings/", "The recordings of record."),
    ("~/.config/geomapper/redact.key", "The key of --redact, readable by its owner alone."),
  ]

  private struct Page {
    var result = ""

    init(_ name: String, summary: String) {
      line(".TH \(name.uppercased()) 1 \"\(Tool.date)\" \"\(Tool.name) \(Tool.version)\"")
      section("NAME")
      line("\(Self.escaped(name)) \\- \(Self.escaped(summary))")
    }

    mutating func addSynopsis(_ usage: String) {
      if !result.hasSuffix(".SH SYNOPSIS\n") { line(".br") }
      line(".B \(Tool.name)")
      text(usage)
    }

    mutating func seeAlso(_ names: [String]) {
      section("SEE ALSO")
      for (index, name) in names.enumerated() {
        line(".BR \(Self.escaped(name)) (1)\(index < names.count - 1 ? "," : "")")
      }
    }

    static func withoutStop(_ text: String) -> String {
      text.last == "." ? String(text.dropLast()) : text
    }

    static func escaped(_ text: String) -> String {
      let escapes: [Character: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
      ]
      let escaped = text.map { escapes[$0] ?? String($0) }.joined()
      return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    mutating func line(_ line: String) { result += line + "\n" }

    mutating func section(_ title: String) { line(".SH \(title)") }

    /// Adds a paragraph, in lines of at most 80 bytes.
    mutating func text(_ text: String) {
      var start = ""
      for word in text.split(separator: " ") {
        let longer = start.isEmpty ? Self.escaped("\(word)") : start + " " + Self.escaped("\(word)")
        if !start.isEmpty, longer.utf8.count > 78 {
          line(start)
          start = Self.escaped("\(word)")
        } else {
          start = longer
        }
      }
      line(start)
    }

    mutating func entry(_ term: String, _ explanation: String) {
      line(".TP")
      line(term)
      text(explanation)
    }

    static func syntax(_ option: Option) -> String {
      let short = option.short.map { "\(bold("-\($0)")), " } ?? ""
      let value = option.placeholder.map { " \(italic($0))" } ?? ""
      return short + bold("--\(option.name)") + value
    }
  }
}

extension Command {
  /// The usage lines of the command, without the tool's name.
  fileprivate var usages: [String] {
    usage.split(separator: "\n").map { line in
      let line = line.drop { $0 == " " }
      return String(line.hasPrefix(Tool.name) ? line.dropFirst(Tool.name.count + 1) : line)
    }
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

/// A text for other programs, generated from the tool's own tables.
enum Generated {
  /// The manual page of a command; nil for the tool's own page.
  case man(Command?)
  case bash, zsh, fish
  /// The table of options, for checks, and the article about options; hidden from help.
  case options, article

  /// The kinds that the help lists; `man-COMMAND` is the page of a command.
  static let kinds = ["man", "bash", "zsh", "fish"]
  static let shown = kinds + Command.all.map { "man-\($0.name)" }

  var text: String {
    switch self {
    case .man(let command): command.map(ManPage.text(of:)) ?? ManPage.text()
    case .bash: BashCompletion.text()
    case .zsh: ZshCompletion.text()
    case .fish: FishCompletion.text()
    case .options: OptionTable.text()
    case .article: OptionArticle.text()
    }
  }

  init(parsing word: [UInt8]?) throws(Failure) {
    switch word.map({ String(decoding: $0, as: UTF8.self) }) {
    case "man": self = .man(nil)
    case "bash": self = .bash
    case "zsh": self = .zsh
    case "fish": self = .fish
    case "options": self = .options
    case "article": self = .article
    default:
      if let word, word.starts(with: "man-".utf8),
        let command = Command.named(Array(word.dropFirst(4)))
      {
        self = .man(command)
        return
      }
      throw .usage(Self.refusal(of: word))
    }
  }

  private static func refusal(of word: [UInt8]?) -> String {
    let all = kinds + ["man-COMMAND"]
    guard let word else { return "--generate needs a value: \(all.joined(separator: ", "))" }
    let near = nearest(to: word, among: shown).map { "did you mean '\($0)'?" }
    return "--generate: \(word.quoted) is not a kind; " + (near ?? "use \(all.listed(by: "or"))")
  }
}

/// The table of options: a line for each option of each command and for each rule, with fields
/// between tabs.
private enum OptionTable {
  static func text() -> String {
    var text = ""
    for command in Command.Name.allCases {
      let options = Option.options(of: command)
      for option in options {
        text += line(
          "option", command, option.name, option.short.map { "-\($0)" } ?? "",
          option.placeholder ?? "", option.choices.first ?? "", option.group.rawValue)
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
  enum Completion: Equatable {
    case words([String])
    case files
    case folders
    case nothing
  }

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
