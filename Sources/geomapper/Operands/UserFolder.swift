import GeoCore
import GeoSystem

/// Where the user's own files are (XDG base directories).
enum UserFolder {
  case data
  case settings

  private var variable: StaticString { self == .data ? "XDG_DATA_HOME" : "XDG_CONFIG_HOME" }

  /// The path of a file or folder of geomapper's.
  ///
  /// - Parameter advice: What to do where the user has no folder.
  func path(of name: String, or advice: String) throws(Failure) -> [UInt8] {
    let tail = Array("/geomapper/\(name)".utf8)
    // A relative path in this variable counts as none.
    if let folder = ThisProcess.environment(variable), folder.first == .slash {
      return folder + tail
    }
    guard let home = ThisProcess.environment("HOME"), !home.isEmpty else {
      throw .usage("neither \(variable) nor HOME is set: \(advice)")
    }
    return home + Array((self == .data ? "/.local/share" : "/.config").utf8) + tail
  }
}
