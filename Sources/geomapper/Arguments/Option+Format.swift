import GeoFormats
import GeoCore
import GeoSystem

extension Option {
  /// `--format FORMAT`, of a command that makes some formats.
  static func format(_ made: [FileFormat], help: String, brief: String) -> Option {
    Option(
      name: "format", group: .output, help: help, brief: brief,
      effect: .choice("FORMAT", of: made.map(\.rawValue)) { (low, word) in
        low.format = FileFormat(rawValue: word)
      })
  }

  /// `--format text` or `json`, of a command that reports what it found or did.
  ///
  /// - Parameter what: What the JSON has, as a sentence that goes on.
  static func reportFormat(_ what: String, oldNames: [OldName] = []) -> Option {
    var option = format(
      FileFormat.holding(.reports), help: "text (the default), or json for programs, \(what)",
      brief: "text (the default) or json")
    option.oldNames = oldNames
    return option
  }
}

extension LowArguments {
  /// The format to write: that of `--format`, else the one that the ending of the output file names,
  /// else the usual one.
  ///
  /// - Parameter made: What the command makes.
  func format(among made: [FileFormat], usual: FileFormat) throws(Failure) -> FileFormat {
    if let format, !made.contains(format) {
      throw .usage("--format \(format.rawValue) can't be written here; \(Self.choice(of: made))")
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
      throw .usage("can't write '\(shown)': no .\(ending) is made here; \(Self.choice(of: made))")
    }
    return format
  }

  /// The format of a report.
  func reportFormat() throws(Failure) -> FileFormat {
    try format(among: FileFormat.holding(.reports), usual: .text)
  }

  /// Refuses a report for programs where what is made goes to standard output, too.
  func checkReportsApart(from things: String) throws(Failure) {
    let dash = [UInt8(ascii: "-")]
    if format == .json, output ?? dash == dash {
      throw .usage("--format json reports on standard output, where the \(things) go: add -o FILE")
    }
  }

  /// Refuses what says how one answer is written, where there are many.
  func refuseOutput() throws(Failure) {
    if output != nil { throw .usage("--coprocess answers on standard output: drop --output") }
  }

  /// Refuses an output file whose ending is that of another format.
  ///
  /// - Parameter format: What is written; nil if it is in no format of the list.
  func checkEnding(against format: FileFormat?, _ what: String) throws(Failure) {
    guard let output, let ending = endingThatCounts(output) else { return }
    if let format, format.goes(with: ending) { return }
    throw .usage(
      "'\(TerminalText.escaped(output))' ends in .\(ending), and \(what); choose another name")
  }

  /// The ending of a file that is made or replaced; pipes and devices may be called anything.
  private func endingThatCounts(_ output: [UInt8]) -> String? {
    guard let ending = FileFormat.ending(of: output) else { return nil }
    if let facts = try? FileSystem.rootFacts(output), facts.kind != .regular { return nil }
    return ending
  }

  private static func choice(of made: [FileFormat]) -> String {
    let words = made.map(\.rawValue)
    return words.count == 1
      ? "there is \(words[0])"
      : "choose \(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
  }
}
