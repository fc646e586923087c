import GeoCore
import GeoSystem

/// The parts of a command line that the rules check.
struct GivenArguments {
  let command: Command
  let options: [Option]
  let low: LowArguments
  /// The formats that the command writes, or its action.
  private let formats: [FileFormat]
  /// The format to write: of `--format`, else of the output file's extension, else the default; nil
  /// if the command has no formats.
  let format: FileFormat?

  /// The action, given or by default; empty if the command has none.
  let action: String

  init(_ low: LowArguments, of command: Command) {
    self.low = low
    self.command = command
    let all = command.options
    options = all.filter { option in low.typed.contains { $0.name == option.name } }
    let word = command.actions.first.map { defaultAction in
      low.operands.first.map { String(decoding: $0, as: UTF8.self) } ?? defaultAction
    }
    action = word ?? ""
    let choices = all.first { $0.name == "format" }?.choices.compactMap(FileFormat.init) ?? []
    let (formats, defaultFormat) = command.formats?(action) ?? (choices, choices.first)
    self.formats = formats
    let ending = low.output.flatMap(low.endingThatCounts)
    format =
      low.format ?? ending.flatMap { FileFormat.named(by: $0, among: formats) } ?? defaultFormat
  }

  /// The operands after the action.
  var operands: [[UInt8]] {
    command.actions.isEmpty ? low.operands : Array(low.operands.dropFirst())
  }

  func check() throws(Failure) {
    if let refusal { throw .usage(refusal) }
  }

  private var refusal: String? {
    for option in options {
      for rule in option.rules {
        if let refusal = refusal(by: rule, of: option) { return refusal }
      }
    }
    return command.rules.lazy.compactMap { $0.refusal(self) }.first
  }

  private func refusal(by rule: OptionRule, of option: Option) -> String? {
    guard let shown = found(.option(option.name, rule.values ?? [])) else { return nil }
    let reason = rule.reason.map { ": \($0)" } ?? ""
    let found = rule.others.lazy.compactMap(self.found).first
    if !rule.isNeed { return found.map { "\(shown) can't be used with \($0)\(reason)" } }
    if found != nil { return nil }
    let others = rule.others.map { $0.spelling(in: command.id) }
    return "\(shown) needs \(others.listed(by: "or"))\(reason)"
  }

  func meets(_ conditions: [Circumstance], unless exceptions: [Circumstance]) -> Bool {
    conditions.allSatisfy { found($0) != nil } && exceptions.allSatisfy { found($0) == nil }
  }

  /// The argument that meets a circumstance; nil if none does.
  func found(_ circumstance: Circumstance) -> String? {
    switch circumstance {
    case .option(let name, let values):
      guard let given = low.values(of: name) else { return nil }
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
      return action == word ? word : nil
    case .operand(let word):
      return operands.contains { $0.elementsEqual(word.utf8) } ? word : nil
    }
  }
}

// MARK: Formats

extension GivenArguments {
  /// Why the format is wrong: the action doesn't write it, or the name of the file contradicts it;
  /// nil if it is right.
  var formatRefusal: String? {
    let subject = command.actions.isEmpty ? command.name : "\(command.name) \(action)"
    let words = formats.map(\.rawValue)
    let choice = (words.count == 1 ? "there is " : "choose ") + words.listed(by: "or")
    if let format = low.format, !formats.contains(format) {
      return "--format \(format.rawValue) is not a format of \(subject); \(choice)"
    }
    guard let output = low.output, let ending = low.endingThatCounts(output) else { return nil }
    let shown = output.shown
    if let format = low.format {
      return format.goes(with: ending)
        ? nil
        : "--format \(format.rawValue) contradicts the ending of '\(shown)'; drop --format, or "
          + "choose another name"
    }
    if FileFormat.named(by: ending, among: formats) != nil { return nil }
    let advice = ForeignEnding(ending)?.advice(for: output, among: formats) ?? ""
    return "can't write '\(shown)': .\(ending) is not a format of this command; \(choice)\(advice)"
  }
}

extension LowArguments {
  /// Why the extension of the output file is wrong: it is that of another format; nil if it is
  /// right.
  func refusalOfEnding(against format: FileFormat?, _ reason: String) -> String? {
    guard let output, let ending = endingThatCounts(output) else { return nil }
    if let format, format.goes(with: ending) { return nil }
    return "\(output.quoted) ends in .\(ending), and \(reason); choose another name"
  }

  /// The extension of a regular or new output file, if it is that of a known kind; names of pipes and
  /// devices don't matter.
  fileprivate func endingThatCounts(_ output: [UInt8]) -> String? {
    guard let ending = FileFormat.anyEnding(of: output),
      FileFormat.ending(of: output) != nil || ForeignEnding(ending) != nil
    else { return nil }
    if let facts = try? FileSystem.rootFacts(output), facts.kind != .regular { return nil }
    return ending
  }
}
