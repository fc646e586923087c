/// The lists of the article about options, in Markdown.
enum OptionArticle {
  static func text() -> String {
    var text = "## All options\n"
    for group in Option.Group.allCases {
      let options = Option.all.filter { $0.group == group }
      if options.isEmpty { continue }
      text += "\n### \(group.title)\n\n"
      // The commands that most options of the group have.
      let common = options.map(\.commands).first { commands in
        options.count(where: { $0.commands == commands }) * 2 > options.count
      }
      if let common { text += "Commands: \(names(of: common)).\n\n" }
      for option in options {
        let commands = option.commands == common ? "" : " (\(names(of: option.commands)))"
        text += "- \(syntax(option))\(commands): \(escaped(effect(of: option)))\n"
      }
    }
    text += "\n## What goes together\n"
    for (heading, isNeed) in [("Needs one of", true), ("Excludes", false)] {
      text += "\n### \(heading)\n\n"
      for rule in rules() where rule.isNeed == isNeed {
        let options = rule.options.joined(separator: ", ")
        text += "- \(options)\(commands(of: rule)): \(rule.others)\n"
      }
    }
    return text
  }

  /// The brief of an option and its default, without the details that `--help` has.
  private static func effect(of option: Option) -> String {
    var text = option.brief ?? option.summary
    if text.hasPrefix("With "), let colon = text.firstIndex(of: ":") {
      // The rules have this condition.
      let rest = text[colon...].dropFirst(2)
      text = rest.prefix(1).uppercased() + rest.dropFirst()
    }
    while let start = text.firstIndex(of: "("), let end = text[start...].firstIndex(of: ")") {
      text.removeSubrange(text.index(before: start)...end)
    }
    let parts = text.split(separator: " [", maxSplits: 1)
    var effect = parts[0]
    for detail in ["; ", ", which ", ", so that "] + (option.choices.isEmpty ? [": "] : []) {
      effect = effect.split(separator: detail, maxSplits: 1)[0]
    }
    return String(effect) + (parts.count > 1 ? " [\(parts[1])" : "")
  }

  private static func syntax(_ option: Option) -> String {
    let short = option.short.map { "`-\($0)`, " } ?? ""
    return short + code("--\(option.name)" + (option.placeholder.map { " \($0)" } ?? ""))
  }

  /// The commands of a list, or "all but" the missing ones if that is shorter.
  private static func names(of commands: [Command.Name]) -> String {
    let others = Command.Name.allCases.filter { !commands.contains($0) }
    if others.isEmpty { return "all" }
    let words = (others.count < commands.count ? others : commands).map(\.rawValue)
    return others.count < commands.count
      ? "all but \(words.listed(by: "and"))" : words.joined(separator: ", ")
  }

  private static func code(_ text: String) -> String {
    "`\(text.replacing("|", with: "\\|"))`"
  }

  /// Escapes Markdown in a cell, also `--`, which would become a dash.
  private static func escaped(_ text: String) -> String {
    text.escaping("\\|*_<`[]").replacing("--", with: "\\-\\-")
  }

  private struct Rule {
    let isNeed: Bool
    var options: [String]
    let commands: String
    var others: String
  }

  /// The commands of a rule in parentheses; empty if its options have no other commands.
  private static func commands(of rule: Rule) -> String {
    let isClear = Option.all.allSatisfy { option in
      let name = "`--\(option.name)"
      let isShown = rule.options.contains { $0 == "\(name)`" || $0.hasPrefix("\(name) ") }
      return !isShown || names(of: option.commands) == rule.commands
    }
    return isClear || rule.commands == "all" ? "" : " (\(rule.commands))"
  }

  /// The rules of options, with a row for all options that share a rule.
  private static func rules() -> [Rule] {
    var found: [(isNeed: Bool, option: String, others: String, commands: [Command.Name])] = []
    for command in Command.Name.allCases {
      for option in Option.options(of: command) {
        for rule in option.rules {
          let others = rule.others.flatMap { shown($0, in: command) }
          if others.isEmpty { continue }
          let name = code(
            (["--\(option.name)"] + (rule.values?.prefix(1) ?? [])).joined(separator: " "))
          let formats = rule.isNeed ? [] : others.formatsLeft(in: command)
          let isNeed = rule.isNeed || !formats.isEmpty
          let words = merged(formats.isEmpty ? others : formats)
          if let at = found.firstIndex(where: {
            ($0.isNeed, $0.option, $0.others) == (isNeed, name, words)
          }) {
            found[at].commands.append(command)
          } else {
            found.append((isNeed, name, words, [command]))
          }
        }
      }
    }
    var rules: [Rule] = []
    for (isNeed, option, others, commands) in found {
      let names = commands.count > 3 ? "all" : names(of: commands)
      if let at = rules.firstIndex(where: {
        ($0.isNeed, $0.commands, $0.others) == (isNeed, names, others)
      }) {
        rules[at].options.append(option)
      } else {
        rules.append(Rule(isNeed: isNeed, options: [option], commands: names, others: others))
      }
    }
    return rules.reduce(into: []) { merged, rule in
      if let at = merged.firstIndex(where: {
        ($0.isNeed, $0.options, $0.commands) == (rule.isNeed, rule.options, rule.commands)
      }) {
        merged[at].others += (rule.isNeed ? "; and " : ", ") + rule.others
      } else {
        merged.append(rule)
      }
    }
  }

  /// The spellings of a circumstance without placeholders, or its group of options.
  private static func shown(_ other: Circumstance, in command: Command.Name) -> [String] {
    let spellings = other.spellings(in: command)
    if case .group(let group) = other, !spellings.isEmpty {
      return ["the options of \(group.title)"]
    }
    return spellings.map { spelling in
      let words = spelling.split(separator: " ", maxSplits: 1)
      guard let first = words.last?.first, first.isUppercase || first == "[" else {
        return spelling
      }
      return String(words[0])
    }
  }

  /// Joins spellings, naming an option that all share only once: `--format csv`, `gpx`.
  private static func merged(_ spellings: [String]) -> String {
    let option = spellings[0].prefix { $0 != " " }
    let isSame = spellings.allSatisfy { $0.hasPrefix("\(option) ") }
    return spellings.enumerated().map { index, spelling in
      let words = String(isSame && index > 0 ? spelling.dropFirst(option.count + 1) : spelling[...])
      return spelling.hasPrefix("--") ? code(words) : words
    }.joined(separator: ", ")
  }
}

extension [String] {
  /// The values of `--format` that remain if these are excluded; empty unless fewer remain than are
  /// excluded.
  fileprivate func formatsLeft(in command: Command.Name) -> [String] {
    let made = Option.options(of: command).first { $0.name == "format" }?.choices ?? []
    let left = made.map { "--format \($0)" }.filter { !contains($0) }
    return count > left.count && allSatisfy { $0.hasPrefix("--format ") } ? left : []
  }
}
