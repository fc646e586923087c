import GeoProjection
import GeoSystem

/// The tool as a whole: from arguments to an exit status.
enum Tool {
  static let name = "geomapper"
  static let version = "0.2.0"
  /// The day of the version, for manual pages.
  static let date = "2026-11-23"

  /// Does what the arguments ask for, the program's own name not among them.
  static func run(_ arguments: [[UInt8]]) -> ExitStatus {
    defer { Progress.wipe() }
    do throws(Failure) {
      switch try Invocation(parsing: arguments) {
      case .run(let command, let low):
        Messages.showNames(low)
        return try command.perform(low)
      case .text(let text): try StandardOutput.print(text)
      case .version:
        try StandardOutput.print(
          "\(name) \(version) (projection \(GeoProjectionEngine.version))\n")
      }
      return .success
    } catch {
      Messages.show(error)
      // Threads that were started for what is not to be are not waited for.
      ThisProcess.end(status: error.status.rawValue)
    }
  }
}

/// What the tool tells whoever started it.
enum ExitStatus: Int32 {
  /// All was done; also if the reader of the output had enough.
  case success = 0
  /// The output is complete but for what could not be read.
  case incomplete = 1
  /// The arguments are wrong, or what they name is not there; nothing was written.
  case usage = 2
  /// The output could not be opened, written or renamed, or no thread could be started.
  case output = 3
  /// A map is not what it has to be.
  case fault = 4
  /// Two states differ, and somebody has asked whether they do.
  case difference = 5
}

/// Why the tool can't do what it was asked for.
struct Failure: Error, Equatable {
  let status: ExitStatus
  /// What was wrong and what to do, in one line that is fit for a terminal.
  var message: String
  /// Where more is to be read.
  var hint: String?
  /// The path of what was to be mapped and is not there.
  var missing: [UInt8]?

  /// The command line is wrong.
  static func usage(_ message: String) -> Failure { Failure(status: .usage, message: message) }

  /// The same, with advice at the end of the message.
  func advising(_ advice: String) -> Failure { .usage("\(message); \(advice)") }

  /// The output fails.
  static func output(_ message: String) -> Failure { Failure(status: .output, message: message) }
}
