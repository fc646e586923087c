import GeoProjection
import GeoSystem

/// The tool as a whole: from arguments to an exit status.
enum Tool {
  static let name = "geomapper"
  static let version = "0.1.0"

  /// Does what the arguments ask for, the program's own name not among them.
  static func run(_ arguments: [[UInt8]]) -> ExitStatus {
    defer { Progress.wipe() }
    do throws(Failure) {
      switch try Invocation(parsing: arguments) {
      case .run(let command, let low):
        Messages.showNames(low)
        return try command.run(low)
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
