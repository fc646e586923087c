import GeoCore
import GeoFormats

struct Command: Sendable {
  enum Name: String, CaseIterable {
    case map, serve, publish, stats, find, locate, whereis, route, verify, split, join, snapshot,
      keep, since, diff, history, draw, track, record, replay, recordings
  }

  /// The sections of the list of commands, in the order of the help.
  enum Group: String, CaseIterable {
    case look = "Look"
    case ask = "Ask"
    case compare = "Compare"
    case record = "Record"
    case share = "Share"
    case largeTrees = "Large trees"

    var commands: [Command] { Command.all.filter { names.contains($0.id) } }

    private var names: [Name] {
      switch self {
      case .look: [.serve, .map, .draw]
      case .ask: [.stats, .find, .locate, .whereis, .route]
      case .compare: [.keep, .since, .snapshot, .diff, .history]
      case .record: [.record, .replay, .recordings, .track]
      case .share: [.publish, .verify]
      case .largeTrees: [.split, .join]
      }
    }
  }

  let id: Name
  var name: String { id.rawValue }
  /// One line for the list of commands.
  let summary: String
  /// The text after the tool's name.
  let usage: String
  let description: [String]
  var options: [Option] { Option.options(of: id) }
  /// Command lines and their effects.
  let examples: KeyValuePairs<String, String>
  let statuses: [ExitMeaning]
  var rules: [CommandRule] = []
  /// Runs the command, after all rules were checked.
  let run: @Sendable (Run) throws(Failure) -> Void
  /// The formats of an action and the default one; nil if the values of `--format` are those of the
  /// command.
  var formats: (@Sendable (_ action: String) -> (made: [FileFormat], default: FileFormat?))?
  /// The possible actions if the first operand is one; the first is the default.
  var actions: [String] = []

  /// Checks the rules of the options and runs the command; usage errors point to its help.
  func perform(_ low: LowArguments) throws(Failure) -> ExitStatus {
    try hinting { () throws(Failure) in
      try low.expectAnswers()
      let given = GivenArguments(low, of: self)
      try given.check()
      Messages.showTimes(low)
      let run = Run(given)
      try self.run(run)
      return run.status
    }
  }

  func hinting<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.hinting(at: "\(Tool.name) \(name) --help")
    }
  }

  /// All commands, in the order of the help.
  static let all: [Command] = [
    serve, map, draw, stats, find, locate, whereis, route, keep, since, snapshot, diff, history,
    record,
    replay, recordings, track, publish, verify, split, join,
  ]

  static func named(_ name: [UInt8]) -> Command? {
    all.first { $0.name.utf8.elementsEqual(name) }
  }
}

/// An exit status, and what it means.
typealias ExitMeaning = (status: String, meaning: String)

extension Command {
  /// The statuses that most commands have: `incomplete` is nil if 1 doesn't occur, `wrong` are
  /// causes of 2 besides wrong usage, `left` is what remains after a signal.
  static func statuses(
    _ done: String, incomplete: String?, wrong: String = "a folder that does not exist",
    others: [ExitMeaning] = [], left: String = "No partial file is left"
  ) -> [ExitMeaning] {
    var statuses: [ExitMeaning] = [("0", "\(done), or the reader closed the pipe.")]
    if let incomplete { statuses.append(("1", incomplete)) }
    statuses += [
      ("2", "Wrong usage, or \(wrong). Nothing was written."),
      ("3", "The output could not be written, or no thread could be started."),
    ]
    return statuses + others + [("128+N", "Ended by signal N. \(left).")]
  }
}
