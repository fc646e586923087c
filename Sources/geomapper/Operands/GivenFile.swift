import GeoCore
import GeoSystem

/// A file that an argument names; `-` is standard input.
struct GivenFile {
  /// The name, for messages.
  let shown: String
  let input: InputFile

  /// Opens a file.
  ///
  /// - Parameter other: Opens a substitute if the file does not exist; returns nil without one.
  init(_ path: [UInt8], else other: () -> InputFile? = { nil }) throws(Failure) {
    let isStandard = path.elementsEqual("-".utf8)
    let shown = isStandard ? "standard input" : "'\(TerminalText.escaped(path))'"
    self.shown = shown
    input = try explaining("can't read \(shown)") {
      do throws(Errno) {
        return isStandard ? try InputFile.standardInput() : try InputFile(at: path)
      } catch {
        if error == .noEntry, let other = other() { return other }
        throw error
      }
    }
  }

  /// Wraps an open file.
  init(_ input: InputFile, shown: String) {
    self.input = input
    self.shown = shown
  }

  /// Reads all bytes of a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - limit: Maximum size in bytes.
  ///   - obstacle: The start of the error message, without the file's name.
  static func bytes(
    of path: [UInt8], limit: Int, or obstacle: String = "can't read"
  ) throws(Failure) -> [UInt8] {
    try explaining("\(obstacle) '\(TerminalText.escaped(path))'") {
      let isStandard = path.elementsEqual("-".utf8)
      return try FileSystem.readInput(isStandard ? Array("/dev/stdin".utf8) : path, limit: limit)
    }
  }
}
