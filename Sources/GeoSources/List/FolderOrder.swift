/// The folders of a list in map order: a folder before its sub-folders, these in byte order of
/// their names.
///
/// The folders below a folder follow it up to its end. Memory: 12 bytes per folder, and 8 more
/// while sorting.
struct FolderOrder {
  let folders: [UInt32]
  private(set) var ranks: [UInt32]
  /// Of each folder in order the rank after the last one below it.
  let ends: [UInt32]

  init() { (folders, ranks, ends) = ([], [], []) }

  /// O(n log n).
  init(_ table: FolderTable) {
    let count = table.count
    // Sort by parents with counting sort, then the folders of each parent by names.
    var starts = [UInt32](repeating: 0, count: count + 1)
    for folder in 1..<max(1, count) { starts[Int(table.parents[folder]) + 1] += 1 }
    for folder in 0..<count { starts[folder + 1] += starts[folder] }
    var children = [UInt32](repeating: 0, count: count - 1)
    var next = starts
    for folder in 1..<max(1, count) {
      let parent = Int(table.parents[folder])
      children[Int(next[parent])] = UInt32(folder)
      next[parent] += 1
    }
    next = []
    for folder in 0..<count {
      let range = Int(starts[folder])..<Int(starts[folder + 1])
      if range.count < 2 { continue }
      children[range].sort { a, b in
        table.arena.span.orders(table.name(of: Int(a)), before: table.name(of: Int(b)))
      }
    }

    var folders: [UInt32] = []
    folders.reserveCapacity(count)
    var ranks = [UInt32](repeating: 0, count: count)
    var stack: [UInt32] = [0]
    while let folder = stack.popLast() {
      ranks[Int(folder)] = UInt32(folders.count)
      folders.append(folder)
      for child in children[Int(starts[Int(folder)])..<Int(starts[Int(folder) + 1])].reversed() {
        stack.append(child)
      }
    }
    var ends = (0..<UInt32(count)).map { $0 + 1 }
    for rank in (1..<max(1, count)).reversed() {
      let parent = Int(ranks[Int(table.parents[Int(folders[rank])])])
      ends[parent] = max(ends[parent], ends[rank])
    }
    self.folders = folders
    self.ranks = ranks
    self.ends = ends
  }

  var count: Int { folders.count }

  mutating func forgetRanks() { ranks = [] }
}
