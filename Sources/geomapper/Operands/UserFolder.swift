import GeoCore
import GeoSystem

/// The user's folders of data and settings (XDG base directories).
enum UserFolder {
  case data
  case settings

  private var variable: StaticString { self == .data ? "XDG_DATA_HOME" : "XDG_CONFIG_HOME" }

  /// The path of a file or folder in geomapper's user folder.
  ///
  /// - Parameter advice: What to do if neither variable is set.
  func path(of name: String, or advice: String) throws(Failure) -> [UInt8] {
    try base(or: advice) + Array("/geomapper/\(name)".utf8)
  }

  /// The path of the folder, which all programs share.
  ///
  /// - Parameter advice: What to do if neither variable is set.
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
