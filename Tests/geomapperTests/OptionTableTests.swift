import TestSupport
import Testing

@testable import geomapper

/// The table of options from `--generate options`: the tool behaves as the table declares.
@Suite struct OptionTableTests {
  private struct Printed {
    let name: String
    let placeholder: String
    let choice: String
    let group: String

    /// The option with a valid value.
    var typed: [String] {
      if placeholder.isEmpty { return ["--\(name)"] }
      let values = OptionTableTests.values
      let value = choice.isEmpty ? values[placeholder] : choice
      if name == "size" { return ["--size=+1"] }
      return ["--\(name)", value ?? (name == "film" ? "x.mp4" : "x")]
    }
  }

  private struct Rule {
    let isNeed: Bool
    let option: String
    /// The value to which the rule applies; empty for any.
    let value: String
    let others: [String]
  }

  /// The placeholders for values in the help, or options, and a valid value for each.
  private static let values = [
    "N": "3", "Z": "3", "X": "2", "W,S,E,N": "0,0,1,1", "T,...": "f", "WHEN": "2026-01-31",
    "DATE": "2026-01-31", "TIME": "10s", "METRES": "1", "LON,LAT,METRES": "1,2,3", "SIZE": "A3",
    "BYTES": "1G",
    "RULE": "usr bytes > 10G", "COUNTS": "days=7", "WxH": "64x64", "ORIGIN": "https://example.org",
    "URL": "https://example.org/",
    "A,B": "1,2",
  ]

  private let options: [String: [Printed]]
  private let rules: [String: [Rule]]

  init() throws {
    var options: [String: [Printed]] = [:]
    var rules: [String: [Rule]] = [:]
    for line in try Geomapper.run(["--generate", "options"]).text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if fields[0] == "option" {
        options[fields[1], default: []].append(
          Printed(
            name: fields[2], placeholder: fields[4], choice: fields[5], group: fields[6]))
      } else {
        rules[fields[1], default: []].append(
          Rule(
            isNeed: fields[0] == "needs", option: fields[2], value: fields[3],
            others: fields[4].split(separator: "|").map(String.init)))
      }
    }
    (self.options, self.rules) = (options, rules)
  }

  /// An option or action as typed on the command line.
  private func typed(_ words: String, _ value: String = "", in command: String) -> [String] {
    let parts = words.split(separator: " ").map(String.init)
    if parts[0] == "the" { return [parts[2]] }
    let name = String(parts[0].drop { $0 == "-" })
    let option = options[command]?.first { $0.name == name }
    if !value.isEmpty { return ["--\(name)", value] }
    if parts.count == 2, let option, parts[1] != option.placeholder { return parts }
    return option?.typed ?? parts
  }

  /// The other options that an option needs, so that nothing else is wrong.
  private func needs(of words: String, in command: String, but not: Rule) -> [String] {
    let name = words.split(separator: " ")[0].drop { $0 == "-" }
    return (rules[command] ?? []).filter { rule in
      rule.isNeed && rule.option == name && rule.others != not.others
        && !not.others.contains(rule.others[0])
        && (rule.value.isEmpty || words.hasSuffix(rule.value))
    }.flatMap { typed($0.others[0], in: command) }
  }

  private func expectRefusal(
    _ command: String, _ arguments: [String], says words: [String]
  ) throws {
    // An option that takes all remaining arguments comes last.
    let rest = arguments.firstIndex(of: "--exec").map { Array(arguments[$0...($0 + 1)]) } ?? []
    let others = rest.isEmpty ? arguments : arguments.filter { !rest.contains($0) }
    let line = ([command] + others + rest).map { Array($0.utf8) }
    guard case .run(let command, let low) = try Invocation(parsing: line) else {
      Issue.record("no command: \(command) \(arguments)")
      return
    }
    do {
      try GivenArguments(low, of: command).check()
      Issue.record("\(command.name) \(arguments) are not refused")
    } catch {
      #expect(error.status == .usage)
      for word in words {
        #expect(error.message.contains(word), "\(command.name) \(arguments): \(error.message)")
      }
    }
  }

  /// The name of a rule's subject in a message.
  private func shown(_ words: String) -> String {
    String(words.split(separator: " ")[words.hasPrefix("the ") ? 2 : 0])
  }

  @Test func conflictingOptionsAreRefused() throws {
    var count = 0
    for (command, rules) in rules {
      for rule in rules where !rule.isNeed {
        let option = "--\(rule.option)"
        for other in rule.others {
          var line = typed(option, rule.value, in: command) + typed(other, in: command)
          line += needs(of: option, in: command, but: rule)
          line += needs(of: other, in: command, but: rule)
          try expectRefusal(command, line, says: ["\(option)", "can't be used with", shown(other)])
          count += 1
        }
      }
    }
    #expect(count > 200, "\(count)")
  }

  @Test func missingOptionsAreRequested() throws {
    var count = 0
    for (command, rules) in rules {
      for rule in rules where rule.isNeed {
        let option = "--\(rule.option)"
        var line =
          typed(option, rule.value, in: command) + needs(of: option, in: command, but: rule)
        // An action that the rule doesn't mention.
        if rule.others.contains(where: { $0.hasPrefix("the action") }) {
          line.append(command == "track" ? "info" : "rename")
        }
        try expectRefusal(command, line, says: [option, "needs"] + rule.others.map(shown))
        count += 1
      }
    }
    #expect(count > 20, "\(count)")
  }

  @Test func endingsOfOtherFormatsAreRefused() throws {
    let operands = [
      "find": ["x"], "locate": ["x"], "whereis": ["1,2"], "route": ["a", "b"], "diff": ["a", "b"],
      "history": ["a"], "track": ["info", "a"], "replay": ["a"],
    ]
    // Parts are written into a folder, or are snapshots.
    for command in Command.all where ![.split, .join].contains(command.id) {
      let names = Set(command.options.map(\.name))
      guard names.isSuperset(of: ["format", "output"]) else { continue }
      try expectRefusal(
        command.name, ["-o", "x.gif"] + (operands[command.name] ?? []), says: ["'x.gif'", ".gif"])
    }
  }

  @Test func eachOptionIsInOneGroupOfOneHelp() throws {
    #expect(options.count == 21)
    for (command, options) in options {
      #expect(Set(options.map(\.name)).count == options.count, "\(command)")
      let help = try Geomapper.run([command, "--help"]).text
      let sections = help.split(separator: "\n\n").filter {
        $0.contains("\n  -") || $0.contains("\n      --")
      }
      var found: [String: String] = [:]
      for section in sections {
        let lines = section.split(separator: "\n")
        for line in lines.dropFirst() where line.hasPrefix("  -") || line.hasPrefix("      --") {
          let name = line.split(separator: " ").first { $0.hasPrefix("--") }?.dropFirst(2)
          guard let name, !lines[0].hasPrefix("Examples") else { continue }
          #expect(found[String(name)] == nil, "\(command) --\(name) is there twice")
          // What follows in parentheses depends on the help.
          found[String(name)] = String(lines[0].dropLast().split(separator: " (")[0])
        }
      }
      for option in options {
        let group = String(option.group.split(separator: " (")[0])
        #expect(found[option.name] == group, "\(option.name)")
      }
      #expect(found.count == options.count, "\(command)")
    }
  }

  @Test func rulesNameOptionsOfTheirCommand() throws {
    for (command, rules) in rules {
      let names = Set(options[command, default: []].map(\.name))
      for rule in rules {
        #expect(names.contains(rule.option))
        for other in rule.others where !other.hasPrefix("the ") {
          #expect(names.contains(String(shown(other).dropFirst(2))), "\(command): \(other)")
        }
      }
    }
  }

  @Test func optionTableIsHidden() throws {
    #expect(try !Geomapper.run(["--help"]).text.contains("(man, bash, zsh, fish, options)"))
    #expect(
      try Geomapper.run(["--generate", "x"]).errorText.contains(
        "man, bash, zsh, fish or man-COMMAND"))
  }
}
