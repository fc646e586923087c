import GeoSystem

/// Adds up nested folders. A folder counts each file once, however many of its names are below it.
///
/// Each occurrence of a file is added. For each but the first, the file is subtracted again from
/// the innermost folder that contains this name and the previous one. For k names below a folder, k
/// − 1 of these innermost folders are the folder itself or below it, so it counts the file once.
struct NestedSums {
  struct Level {
    let folder: Int
    /// The sums of its own files and of all sub-folders that have ended.
    var all = TreeSums()
    var own = TreeSums()
  }

  /// An earlier occurrence of a file.
  struct Meeting {
    /// The folder of the previous name.
    let folder: Int
    /// The innermost level that contains both names; nil if none does.
    let level: Int?
  }

  /// The folders from the root to the current one.
  private(set) var levels: [Level] = []
  /// The folder in which each file occurred last.
  private var lastMet: [FileSystem.Identity: Int] = [:]

  /// Begins a sub-folder of the current folder. Numbers must ascend in tree order.
  mutating func begin(_ folder: Int) { levels.append(Level(folder: folder)) }

  /// Ends the current folder, and adds its sums to its parent.
  mutating func end() -> Level? {
    guard let level = levels.popLast() else { return nil }
    if !levels.isEmpty { levels[levels.count - 1].all += level.all }
    return level
  }

  /// Adds files of the current folder that can occur only once.
  mutating func add(_ sums: TreeSums) {
    if levels.isEmpty { return }
    levels[levels.count - 1].all += sums
    levels[levels.count - 1].own += sums
  }

  /// Adds a file of the current folder that may occur again. Returns its previous occurrence.
  mutating func add(_ sums: TreeSums, of identity: FileSystem.Identity) -> Meeting? {
    guard let here = levels.last?.folder else { return nil }
    let before = lastMet.updateValue(here, forKey: identity)
    levels[levels.count - 1].all += sums
    if before != here { levels[levels.count - 1].own += sums }
    guard let before else { return nil }
    let level = innermostLevel(holding: before)
    if let level { levels[level].all -= sums }
    return Meeting(folder: before, level: level)
  }

  mutating func forgetFiles() { lastMet.removeAll(keepingCapacity: true) }

  /// The innermost level that is an earlier folder or contains it: the last level with a number not
  /// above its number.
  private func innermostLevel(holding folder: Int) -> Int? {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      if levels[middle].folder <= folder { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
