import GeoCore

/// The first operand of a command that does several things: `info` in `geomapper track info`.
enum ActionWord {
  /// What a word stands for.
  ///
  /// - Parameter things: What it is done with, for the message.
  static func parse<Action: RawRepresentable<String> & CaseIterable>(
    _ word: [UInt8], doneWith things: String
  ) throws(Failure) -> Action {
    if let action = Action(rawValue: String(decoding: word, as: UTF8.self)) { return action }
    let actions = Action.allCases.map(\.rawValue)
    let advice = nearest(to: word, among: actions).map { "did you mean '\($0)'?" }
    throw .usage(
      "'\(TerminalText.escaped(word))' is nothing that can be done with \(things); "
        + (advice ?? "there are \(actions.joined(separator: ", "))"))
  }

  /// Runs a command; wrong usage that has no advice yet leads to the help of the command.
  static func run(
    _ command: String, _ body: () throws(Failure) -> ExitStatus
  ) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.hinting(at: "\(Tool.name) \(command) --help")
    }
  }
}
