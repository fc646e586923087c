import GeoCore
import GeoPipeline
import GeoSystem

/// A file that an argument names; `-` is standard input.
struct GivenFile {
  let shown: String
  let input: InputFile
}

extension GivenFile {
  /// A substitute is opened if the file does not exist.
  init(_ path: [UInt8], else other: () -> InputFile? = { nil }) throws(Failure) {
    let isStandard = path.elementsEqual("-".utf8)
    let shown = isStandard ? "standard input" : path.quoted
    let input = try explaining("can't read \(shown)") {
      do throws(Errno) {
        return isStandard ? try InputFile.standardInput() : try InputFile(at: path)
      } catch {
        if error == .noEntry, let other = other() { return other }
        throw error
      }
    }
    self.init(shown: shown, input: input)
  }

  /// Reads all bytes of a file; `-` is standard input.
  static func bytes(
    of path: [UInt8], limit: Int, or obstacle: String = "can't read"
  ) throws(Failure) -> [UInt8] {
    try explaining("\(obstacle) \(path.quoted)") {
      let isStandard = path.elementsEqual("-".utf8)
      return try FileSystem.readInput(isStandard ? Array("/dev/stdin".utf8) : path, limit: limit)
    }
  }
}

/// The user's folders of data and settings (XDG base directories).
enum UserFolder {
  case data
  case settings

  private var variable: StaticString { self == .data ? "XDG_DATA_HOME" : "XDG_CONFIG_HOME" }

  func path(of name: String, or advice: String) throws(Failure) -> [UInt8] {
    try base(or: advice) + Array("/geomapper/\(name)".utf8)
  }

  /// The path of the folder, which all programs share.
  func base(or advice: String) throws(Failure) -> [UInt8] {
    // The XDG specification says to ignore relative paths.
    if let folder = ThisProcess.environment(variable), folder.first == .slash {
      return folder
    }
    guard let home = ThisProcess.environment("HOME"), !home.isEmpty else {
      throw .usage("neither \(variable) nor HOME is set: \(advice)")
    }
    return home + Array((self == .data ? "/.local/share" : "/.config").utf8)
  }
}

extension RedactionArguments {
  func plan(isQuiet: Bool) throws(Failure) -> Redaction? {
    if !isAsked { return nil }
    let key = try RedactionKeyFile(self).key(isQuiet: isQuiet)
    return try explaining("--redact: can't use this pattern") { try Redaction(globs, key: key) }
  }
}
