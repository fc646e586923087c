import GeoCore

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
      let amounts = [totals.bytes, totals.allocated].compactMap { $0 }
      if totals.files < 0 || amounts.contains(where: { $0 < 0 }) {
        return "one of its totals is negative"
      }
      if totals.files == 0, amounts.contains(where: { $0 > 0 }) {
        return "its totals have bytes of no file"
      }
    }
    if let contradiction = difference.contradiction(isFolder: isFolder) { return contradiction }
    if isLoop {
      if !path.contains(.slash) { return "a root can't be a loop" }
      if size != nil { return "it is a loop, and has a size all the same" }
    }
    return nil
  }

  /// What is wrong with a line that is no feature of a map: of the first one, most likely the whole file.
  static func noFeature(_ line: [UInt8], number: Int) -> String {
    // In strings there are no such quotes.
    if [",\"life\":", ",\"time\":"].contains(where: { line.firstIndex(of: $0) != nil }) {
      return "this is of a history, and no map of one state or two"
    }
    return "this is no feature that geomapper has written"
      + (number == 1 ? ", nor the beginning of a map in a GeoJSON format" : "")
  }

  /// What is wrong with a path that holds what is no name.
  static let noName =
    "a name in its path is empty, '.' or '..', has a zero byte, or more than "
    + "\(NameRecord.longestName) bytes"
}

extension FolderTotals {
  /// Whether they can't be those of a folder in another one that has these totals: what is known of all
  /// is known of a part, and no less.
  func exceeds(_ whole: FolderTotals) -> Bool {
    func exceeds(_ part: Int64?, _ whole: Int64?) -> Bool {
      guard let whole else { return false }
      return part.map { $0 > whole } ?? true
    }
    return files > whole.files || exceeds(bytes, whole.bytes)
      || exceeds(allocated, whole.allocated)
  }
}
