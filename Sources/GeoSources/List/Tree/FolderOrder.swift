import GeoCore

/// The folders of a list in the order of the map: a folder before those in it, those in byte order
/// of their names.
///
/// What follows a folder in this order up to its end is below it. 16 bytes a folder, and 8 more
/// while it is made.
struct FolderOrder {
  /// The folders' numbers in the table, in order.
  let folders: [UInt32]
  /// Where in the order each folder of the table is.
  private(set) var ranks: [UInt32]
  /// Where in the order what is below each folder ends.
  let ends: [UInt32]
  /// How many entries that are no folders each has.
  var fileCounts: [UInt32]

  /// Puts the folders of a table in order.
  ///
  /// - Complexity: O(n log n).
  init(_ table: FolderTable) {
    let count = table.count
    // Sorted by parents by counting, then the folders of each parent by names.
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
    fileCounts = [UInt32](repeating: 0, count: count)
  }

  /// How many folders there are.
  var count: Int { folders.count }

  /// Frees what only says where a folder of the table is.
  mutating func forgetRanks() { ranks = [] }
}
