import CRelease
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem

enum Tool {
  static let name = "geomapper"
  static let version = "0.2.0"
  /// The date of the version, for manual pages.
  static let date = "2026-11-23"
  /// The versions of tool and projection; in a release the commit and its date, too.
  static var versions: String {
    let commit = String(cString: release_commit())
    return "\(name) \(version) (projection \(GeoProjectionEngine.version)"
      + (commit.isEmpty ? ")" : "; commit \(commit))")
  }

  static func run(_ arguments: [[UInt8]]) -> ExitStatus {
    defer { Progress.wipe() }
    do throws(Failure) {
      switch try Invocation(parsing: arguments) {
      case .run(let command, let low):
        return try command.perform(low)
      case .text(let text): try StandardOutput.print(text)
      case .version: try StandardOutput.print(versions + "\n")
      }
      return .success
    } catch {
      Messages.show(error)
      // End now, without waiting for the threads of work that failed.
      ThisProcess.end(status: error.status.rawValue)
    }
  }
}

enum ExitStatus: Int32 {
  /// Success; also if the reader of the output closed it early.
  case success = 0
  /// The output is complete except for unreadable entries.
  case incomplete = 1
  /// The arguments are wrong, or name something that doesn't exist; nothing was written.
  case usage = 2
  /// The output could not be opened, written or renamed, or no thread could be started.
  case output = 3
  /// A map is wrong.
  case fault = 4
  /// Two states differ, and the user asked whether they do.
  case difference = 5
}

extension Failure {
  var status: ExitStatus {
    switch group {
    case .usage, .source, .damage: .usage
    case .output, .limit: .output
    case .change: .incomplete
    case .fault: .fault
    case .closed: .success
    }
  }

  /// The path to map that doesn't exist.
  var missing: [UInt8]? {
    if case MapError.rootNotFound(let directory, _)? = cause { directory } else { nil }
  }

  func advising(_ advice: String) -> Failure { .usage("\(message); \(advice)") }
}
