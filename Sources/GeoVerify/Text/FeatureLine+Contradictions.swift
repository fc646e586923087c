import GeoPath

extension FeatureLine {
  /// What it says that no node says of itself, whatever the tree is; nil if there is nothing.
  ///
  /// What was looked at here can be reckoned with.
  var contradiction: String? {
    if !EntryName.isValid(path.lastComponent) {
      return Self.noName
    }
    if let size, size < 0 { return "its size is negative" }
    if isFolder, let size, size > FolderNode.mostEntries {
      return "its size is more than any folder can have"
    }
    if minzoom == .max { return "it has no minzoom" }
    if let totals {
      if totals.files < 0 || totals.bytes < 0 || totals.allocated < 0 {
        return "one of its totals is negative"
      }
      if totals.files == 0, totals.bytes > 0 || totals.allocated > 0 {
        return "its totals have bytes of no file"
      }
    }
    if isLoop {
      if !path.contains(.slash) { return "a root can't be a loop" }
      if size != nil { return "it is a loop, and has a size all the same" }
    }
    return nil
  }

  /// What is wrong with a path that holds what is no name.
  static let noName =
    "a name in its path is empty, '.' or '..', has a zero byte, or more than "
    + "\(NameRecord.longestName) bytes"
}
