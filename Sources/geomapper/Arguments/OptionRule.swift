import GeoCore
import GeoFormats
import GeoSources
import GeoTree

/// What an option requires of a command line, or excludes from it.
///
/// The check, its messages, `--generate options` and the article about options read these, and nothing else
/// refuses one option for another.
struct OptionRule: Sendable {
  /// Whether one of the others has to be there, or none may.
  let isNeed: Bool
  let others: [Circumstance]
  /// The commands in which it holds; nil for all that have the option.
  var commands: [Command.Name]?
  /// The values of the option with which it holds; nil for all.
  var values: [String]?
  /// Why, as words that follow a colon.
  var reason: String?

  /// One of the others has to be there.
  static func needs(
    _ others: Circumstance..., in commands: [Command.Name]? = nil, with values: [String]? = nil,
    because reason: String? = nil
  ) -> Self {
    Self(isNeed: true, others: others, commands: commands, values: values, reason: reason)
  }

  /// None of the others may be there.
  static func excludes(
    _ others: Circumstance..., in commands: [Command.Name]? = nil, with values: [String]? = nil,
    because reason: String
  ) -> Self {
    Self(isNeed: false, others: others, commands: commands, values: values, reason: reason)
  }

  /// The option works with what writes some formats of a map.
  static func works(with trait: FormatTraits) -> Self {
    let all = OutputFormat.allCases.filter { $0.traits.contains(trait) }
    let words =
      (all.contains(.geojson) ? ["the GeoJSON formats"] : [])
      + all.filter { !$0.isGeoJSON }.map(\.rawValue)
    return excludes(
      .format(
        FileFormat.holding(.nodes).filter { $0.ofMap?.traits.contains(trait) == false }
          // Tiles have sums anyway, and a place for nothing else.
          + (trait == .totals ? [] : [.pmtiles])),
      because: "it works with \(words.listed(by: "and")) only")
  }
}

/// What can be true of a command line.
enum Circumstance: Sendable {
  /// An option is given, with one of some values if there are any.
  case option(String, [String] = [])
  /// One of the options of a group is given.
  case group(Option.Group)
  /// What is written has one of these formats, whether `--format`, the name of the file or nothing says so.
  case format([FileFormat])
  /// A list is read that has no more than names.
  case listOfNames
  /// The output is a file that is named.
  case outputFile
  /// The first operand is this word, or would be.
  case action(String)
}

extension LowArguments {
  /// Refuses the options that need a disk, where a root is on none.
  func checkDisk(of roots: [ScanRoot]) throws(Failure) {
    guard let root = roots.first(where: { !$0.source.isLive }),
      let option = Option.all.first(where: { $0.asksDisk?(self) ?? false })
    else { return }
    let reason =
      root.source.isDecided
      ? "it applies when a snapshot is taken; give it to 'geomapper snapshot'"
      : "it needs a disk"
    let shown = TerminalText.escaped(root.directory)
    throw .usage("--\(option.name) can't be used with '\(shown)': \(reason)")
  }
}

/// What of a command line the rules ask.
struct GivenArguments {
  let command: Command.Name
  let options: [Option]
  let low: LowArguments
  /// What is written, as far as the command has formats.
  let format: FileFormat?

  init(_ low: LowArguments, of command: Command.Name) {
    self.low = low
    self.command = command
    options = Option.options(of: command).filter { low.given[$0.name] != nil }
    format = low.expectedFormat(of: command)
  }

  /// Refuses the first option that lacks what it needs, or has beside it what it excludes.
  func check() throws(Failure) {
    for option in options {
      for rule in option.rules {
        guard let shown = found(.option(option.name, rule.values ?? [])) else { continue }
        let reason = rule.reason.map { ": \($0)" } ?? ""
        let found = rule.others.lazy.compactMap(self.found).first
        if rule.isNeed, found == nil {
          let others = rule.others.map { $0.spelling(in: command) }
          throw .usage("\(shown) needs \(others.listed(by: "or"))\(reason)")
        }
        if !rule.isNeed, let found { throw .usage("\(shown) can't be used with \(found)\(reason)") }
      }
    }
  }

  /// What of the command line makes something true; nil if it isn't.
  private func found(_ circumstance: Circumstance) -> String? {
    switch circumstance {
    case .option(let name, let values):
      guard let given = low.given[name] else { return nil }
      if values.isEmpty { return "--\(name)" }
      let words = given.map { String(decoding: $0, as: UTF8.self) }
      return words.first(where: values.contains).map { "--\(name) \($0)" }
    case .group(let group): return options.first { $0.group == group }.map { "--\($0.name)" }
    case .format(let formats):
      guard let format, formats.contains(format) else { return nil }
      return "--format \(format.rawValue)"
    case .listOfNames:
      return low.list.file != nil && (low.list.format ?? .lines) == .lines ? "--files-from" : nil
    case .outputFile:
      return low.output.map { $0.elementsEqual("-".utf8) } ?? true ? nil : "--output"
    case .action(let word):
      // The first one is what is done if nothing is said.
      let usual = Command.all.first { $0.id == command }?.actions.first ?? ""
      return (low.operands.first ?? Array(usual.utf8)).elementsEqual(word.utf8) ? word : nil
    }
  }
}

extension Circumstance {
  /// How it is had, in each way that there is in a command.
  func spellings(in command: Command.Name) -> [String] {
    let options = Option.options(of: command)
    switch self {
    case .option(let name, let values):
      guard let option = options.first(where: { $0.name == name }) else { return [] }
      if !values.isEmpty { return values.map { "--\(name) \($0)" } }
      return ["--\(name)" + (option.placeholder.map { " \($0)" } ?? "")]
    case .group(let group):
      return options.filter { $0.group == group }.map { option in
        "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
      }
    case .format(let formats):
      let made = options.first { $0.name == "format" }?.choices ?? []
      return formats.map(\.rawValue).filter(made.contains).map { "--format \($0)" }
    case .listOfNames:
      return options.contains { $0.name == "files-from" } ? ["--files-from LIST"] : []
    case .outputFile: return ["--output FILE"]
    case .action(let word): return ["the action \(word)"]
    }
  }

  /// The same in words: `--format csv, gpx or html`.
  fileprivate func spelling(in command: Command.Name) -> String {
    let ways = spellings(in: command)
    let option = ways.first?.prefix { $0 != " " } ?? ""
    guard ways.count > 1, ways.allSatisfy({ $0.hasPrefix("\(option) ") }) else {
      return ways.listed(by: "or")
    }
    return "\(option) " + ways.map { String($0.dropFirst(option.count + 1)) }.listed(by: "or")
  }
}

extension [String] {
  /// `a, b or c`
  func listed(by word: String) -> String {
    guard let last, count > 1 else { return joined() }
    return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}
