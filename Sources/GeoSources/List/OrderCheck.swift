/// Checks whether the files are in map order without duplicates.
struct OrderCheck {
  private(set) var isOrdered = true
  private var folder = -1
  private var name: [UInt8] = []
  /// The folders from below the root to the last entry's folder. Their numbers ascend, as each was
  /// added before its sub-folders.
  private var folders: [Int] = []
  /// The folders on the path to the next entry that the last one doesn't share, the deepest first.
  private var next: [Int] = []

  mutating func add(_ name: Span<UInt8>, in folder: Int, _ table: FolderTable) {
    if !isOrdered { return }
    if folder == self.folder {
      isOrdered = self.name.span.orders(before: name)
    } else {
      let common = climb(from: folder, table)
      if self.folder >= 0 { isOrdered = nextFollows(common, table) }
      folders.removeSubrange(common...)
      folders.append(contentsOf: next.reversed())
      self.folder = folder
    }
    self.name.removeAll(keepingCapacity: true)
    self.name.append(copying: name)
  }

  /// Goes up from a folder to the nearest one on the last entry's path, and returns how many
  /// folders both paths share. In an ordered list each folder is passed once.
  private mutating func climb(from folder: Int, _ table: FolderTable) -> Int {
    next.removeAll(keepingCapacity: true)
    var folder = folder
    while folder > 0 {
      var low = 0
      var high = folders.count
      while low < high {
        let middle = (low + high) / 2
        if folders[middle] < folder { low = middle + 1 } else { high = middle }
      }
      if low < folders.count, folders[low] == folder { return low + 1 }
      next.append(folder)
      folder = Int(table.parents[folder])
    }
    return 0
  }

  private func nextFollows(_ common: Int, _ table: FolderTable) -> Bool {
    // A folder's files come before its sub-folders.
    if common == folders.count { return true }
    guard let other = next.last else { return false }
    let names = table.arena.span
    return names.orders(table.name(of: folders[common]), before: table.name(of: other))
  }
}
