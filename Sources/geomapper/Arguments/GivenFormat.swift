import GeoFormats
import GeoCore
import GeoSystem

extension LowArguments {
  /// The output file; `-` by default.
  var outputPath: [UInt8] { output ?? [UInt8(ascii: "-")] }

  /// The output place, resolved in the file system.
  var place: OutputPlace {
    get throws(Failure) { try OutputPlace(outputPath) }
  }

  /// The format to write: of `--format`, else of the output file's extension, else the default.
  ///
  /// - Parameters:
  ///   - made: The formats to choose from.
  ///   - usual: The default.
  ///   - subject: The command or action, for messages.
  func format(
    among made: [FileFormat], usual: FileFormat, of subject: String
  ) throws(Failure) -> FileFormat {
    if let format, !made.contains(format) {
      throw .usage(
        "--format \(format.rawValue) is not a format of \(subject); \(Self.choice(of: made))")
    }
    guard let output, let ending = endingThatCounts(output) else { return format ?? usual }
    let shown = TerminalText.escaped(output)
    if let format {
      if format.goes(with: ending) { return format }
      throw .usage(
        "--format \(format.rawValue) contradicts the ending of '\(shown)'; drop --format, or "
          + "choose another name")
    }
    guard let format = FileFormat.named(by: ending, among: made) else {
      throw .usage(
        "can't write '\(shown)': .\(ending) is not a format of this command; "
          + "\(Self.choice(of: made))")
    }
    return format
  }

  /// The format that a command is to write; its first format is the default.
  func format(of command: Command.Name) throws(Failure) -> FileFormat {
    let made = Self.formats(of: command)
    return try format(among: made, usual: made.first ?? .text, of: command.rawValue)
  }

  /// The output format of a command, not checked for conflicts; nil if the command has no formats.
  func expectedFormat(of command: Command.Name) -> FileFormat? {
    if let format { return format }
    let made = Self.formats(of: command)
    let named = output.flatMap(endingThatCounts).flatMap { FileFormat.named(by: $0, among: made) }
    return named ?? made.first
  }

  /// The formats of a command, from the choices of its option.
  private static func formats(of command: Command.Name) -> [FileFormat] {
    let option = Option.options(of: command).first { $0.name == "format" }
    return option?.choices.compactMap(FileFormat.init) ?? []
  }

  /// Refuses an output file whose extension is that of another format.
  ///
  /// - Parameter format: The format to write; nil if it is not in the list of formats.
  func checkEnding(against format: FileFormat?, _ what: String) throws(Failure) {
    guard let output, let ending = endingThatCounts(output) else { return }
    if let format, format.goes(with: ending) { return }
    throw .usage(
      "'\(TerminalText.escaped(output))' ends in .\(ending), and \(what); choose another name")
  }

  /// The extension of a regular or new output file; names of pipes and devices don't matter.
  private func endingThatCounts(_ output: [UInt8]) -> String? {
    guard let ending = FileFormat.ending(of: output) else { return nil }
    if let facts = try? FileSystem.rootFacts(output), facts.kind != .regular { return nil }
    return ending
  }

  private static func choice(of made: [FileFormat]) -> String {
    let words = made.map(\.rawValue)
    return (words.count == 1 ? "there is " : "choose ") + words.listed(by: "or")
  }
}
