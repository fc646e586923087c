import GeoCore
import GeoFormats
import GeoTree

/// A requirement or an exclusion of an option.
///
/// The check, its messages, `--generate options` and the article about options read these rules.
/// Rules about operands are declared with the commands (``CommandRule``).
struct OptionRule: Sendable {
  /// Whether one of `others` must be given (true), or none may be (false).
  let isNeed: Bool
  let others: [Circumstance]
  /// The commands in which the rule applies; nil for all that have the option.
  var commands: [Command.Name]?
  /// The values of the option to which the rule applies; nil for all.
  var values: [String]?
  /// The reason, as words that follow a colon.
  var reason: String?

  /// Requires one of the circumstances.
  static func needs(
    _ others: Circumstance..., in commands: [Command.Name]? = nil, with values: [String]? = nil,
    because reason: String? = nil
  ) -> Self {
    Self(isNeed: true, others: others, commands: commands, values: values, reason: reason)
  }

  /// Excludes all of the circumstances.
  static func excludes(
    _ others: Circumstance..., in commands: [Command.Name]? = nil, with values: [String]? = nil,
    because reason: String
  ) -> Self {
    Self(isNeed: false, others: others, commands: commands, values: values, reason: reason)
  }

  /// Allows only the map formats that have a trait.
  static func works(with trait: FormatTraits) -> Self {
    // Tiles always have totals, and support no other trait.
    let hasTiles = trait == .totals
    return excludes(
      .format(
        FileFormat.holding(.nodes).filter { $0.ofMap?.traits.contains(trait) == false }
          + (hasTiles ? [] : [.pmtiles])),
      because: "it works with \(OutputFormat.names(with: trait)) only"
        + (hasTiles ? "; pmtiles always has totals" : ""))
  }
}

/// A condition that a command line meets or not.
enum Circumstance: Sendable {
  /// An option is given, with one of these values if there are any.
  case option(String, [String] = [])
  /// An option of a group is given.
  case group(Option.Group)
  /// The output format is one of these, by `--format`, by the name of the file or by default.
  case format([FileFormat])
  /// The input is a list that has names only.
  case listOfNames
  /// The output is a named file.
  case outputFile
  /// The action of the command, given or by default, is this word.
  case action(String)
  /// An operand is this word.
  case operand(String)
}

extension LowArguments {
  /// Refuses options that need a disk if a root is not on one.
  func checkDisk(of roots: [ScanRoot]) throws(Failure) {
    guard let root = roots.first(where: { !$0.source.isLive }),
      let option = Option.all.first(where: { $0.asksDisk?(self) ?? false })
    else { return }
    let reason =
      root.source.isDecided
      ? "it applies when a snapshot is taken; give it to 'geomapper snapshot'"
      : "it needs a disk"
    let shown = root.directory.shown
    throw .usage("--\(option.name) can't be used with '\(shown)': \(reason)")
  }
}

extension Circumstance {
  /// All spellings that meet a circumstance in a command.
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
    case .operand(let word): return [word]
    }
  }

  /// The spellings in words: `--format csv, gpx or html`.
  func spelling(in command: Command.Name) -> String {
    let ways = spellings(in: command)
    let option = ways.first?.prefix { $0 != " " } ?? ""
    guard ways.count > 1, ways.allSatisfy({ $0.hasPrefix("\(option) ") }) else {
      return ways.listed(by: "or")
    }
    return "\(option) " + ways.map { String($0.dropFirst(option.count + 1)) }.listed(by: "or")
  }
}
