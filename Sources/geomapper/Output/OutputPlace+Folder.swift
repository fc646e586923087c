import GeoSystem

extension OutputPlace {
  /// A folder as a name in another one, slashes at its end or not.
  static func folder(_ path: [UInt8], _ shown: String) throws(Errno) -> Target {
    var path = path
    while path.count > 1, path.last == .slash { path.removeLast() }
    do throws(Errno) {
      let (folder, name) = try split(path)
      return Target(folder: try FolderHandle(at: folder), name: name, shown: shown)
    } catch .isDirectory {
      return Target(folder: try FolderHandle(at: path), name: [UInt8(ascii: ".")], shown: shown)
    }
  }
}
