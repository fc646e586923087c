/// Follows the order of a map from folder to folder.
struct FolderWalk {
  /// The folder that the walk is in; −1 for that of all roots.
  private(set) var folder = -1
  /// Its path.
  private(set) var path: [UInt8] = []
  /// How deep it is: 0 for the folder of all roots, 1 for a root.
  private(set) var level = 0

  /// Goes to a folder: out of those that it isn't in, then into those on the way that weren't met.
  ///
  /// - Parameters:
  ///   - target: Its path.
  ///   - nameLength: Tells how long a folder's name is, and what it is in.
  ///   - enter: Tells the number of a folder that is met now, of a name, in another one.
  mutating func go(
    to target: ArraySlice<UInt8>, _ around: (Int) -> (nameLength: Int, parent: Int),
    enter: (ArraySlice<UInt8>, Int) throws(MapFault) -> Int
  ) throws(MapFault) {
    while folder >= 0, !target.isPath(atOrBelow: path) {
      let (length, parent) = around(folder)
      path.removeLast(min(path.count, parent < 0 ? length : length + 1))
      folder = parent
      level -= 1
    }
    var start = target.startIndex + (folder < 0 ? 0 : path.count)
    while start < target.endIndex {
      if folder >= 0 { start += 1 }
      let end = target[start...].firstIndex(of: .slash) ?? target.endIndex
      folder = try enter(target[start..<end], folder)
      if !path.isEmpty || level > 0 { path.append(.slash) }
      path += target[start..<end]
      level += 1
      start = end
    }
  }
}
