/// The folders that moved with everything below them, by their numbers.
struct FolderMoves {
  /// The old folder of each new one; no move is part of a larger one.
  private(set) var origins: [Int: Int] = [:]
  let left: Set<Int>

  /// - Complexity: O(folders + files that differ · depth).
  init(in tree: ChangeTree) {
    var index = 0
    while index < tree.folders.count {
      let folder = tree.folders[index]
      let origin = folder.known.change == .added ? Self.origin(of: index, in: tree) : nil
      if let origin { origins[index] = origin }
      index = origin == nil ? index + 1 : Int(folder.end)
    }
    left = Set(origins.values)
  }

  /// The removed folder that became this one; nil unless all files of both moved from one to the
  /// other, keeping their relative paths.
  private static func origin(of folder: Int, in tree: ChangeTree) -> Int? {
    let top = tree.folders[folder]
    let counts = top.below.counts
    guard counts.moved > 0, counts.added == 0, counts.changed == 0 else { return nil }
    var way = OldWay()
    for index in folder..<Int(top.end) {
      let known = tree.folders[index]
      way.go(to: index, Int(known.depth - top.depth))
      for file in known.files {
        let new = tree.files[Int(file)]
        if new.partner < 0 { continue }
        let old = tree.files[Int(new.partner)]
        guard way.meet(Int(old.folder), in: tree),
          tree.names.with(new.name, { name in tree.names.with(old.name) { $0.equals(name) } })
        else { return nil }
      }
    }
    guard let origin = way.origin, tree.folders[origin].known.change == .removed,
      tree.folders[origin].below.counts.removed == 0
    else { return nil }
    var left = 0
    for index in origin..<Int(tree.folders[origin].end) {
      left += tree.folders[index].files.count { tree.files[Int($0)].change == .left }
    }
    return left == counts.moved ? origin : nil
  }
}

/// The path of folders from a top folder to the current one, each with the old folder that its
/// moved files imply.
private struct OldWay {
  private var way: [(new: Int, old: Int?)] = []

  var origin: Int? { way.first?.old }

  mutating func go(to folder: Int, _ level: Int) {
    way.removeLast(way.count - level)
    way.append((folder, nil))
  }

  /// Records that a moved file was in folder `old`. Returns whether that agrees with earlier files,
  /// and folders below the top have kept their names.
  mutating func meet(_ old: Int, in tree: ChangeTree) -> Bool {
    var old = old
    for level in way.indices.reversed() {
      if let known = way[level].old { return known == old }
      if old < 0 { return false }
      way[level].old = old
      if level > 0, tree.name(of: way[level].new) != tree.name(of: old) { return false }
      old = Int(tree.folders[old].parent)
    }
    return true
  }
}
