/// Finds the files that moved, among those that were removed and added.
struct Moves {
  private struct Group {
    var old: [Int32] = []
    var new: [Int32] = []
  }

  private var groups: [FileKey: Group] = [:]

  /// - Parameter unmoved: Digests of files that are where they were.
  /// - Complexity: O(all of them).
  init(_ candidates: [ComparePart.Candidate], unmoved: [UInt64]) {
    for candidate in candidates where candidate.isNew {
      groups[candidate.key, default: Group()].new.append(candidate.file)
    }
    for candidate in candidates where !candidate.isNew {
      // What has nothing on the other side need not be kept.
      groups[candidate.key]?.old.append(candidate.file)
    }
    groups = groups.filter { !$0.value.old.isEmpty }
    if groups.isEmpty { return }
    let keys = Dictionary(grouping: groups.keys) { $0.digest }
    for digest in unmoved {
      guard let found = keys[digest] else { continue }
      for key in found { groups[key] = nil }
    }
  }

  /// The files that moved, each as the one that was removed and the one that was added.
  func pairs(in tree: ChangeTree) -> [(old: Int32, new: Int32)] {
    var pairs: [(old: Int32, new: Int32)] = []
    for group in groups.values {
      if group.old.count == 1, group.new.count == 1 {
        pairs.append((group.old[0], group.new[0]))
        continue
      }
      let old = Dictionary(grouping: group.old) { Array(tree.names[tree.files[Int($0)].name]) }
      let new = Dictionary(grouping: group.new) { Array(tree.names[tree.files[Int($0)].name]) }
      for (name, files) in old {
        guard let others = new[name] else { continue }
        for (file, other) in zip(Self.sorted(files, in: tree), Self.sorted(others, in: tree)) {
          pairs.append((file, other))
        }
      }
    }
    return pairs
  }

  private static func sorted(_ files: [Int32], in tree: ChangeTree) -> [Int32] {
    if files.count < 2 { return files }
    return files.map { (path: tree.path(ofFile: Int($0)), file: $0) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }.map(\.file)
  }
}
