extension Tree {
  /// Slightly smaller trees: without a part, with a folder replaced by its contents, or with a
  /// shorter name. The smallest come first, so that shrinking begins with large steps.
  public var smaller: [Tree] {
    var trees: [Tree] = []
    let siblings = Set(files + folders.map(\.name))
    if !files.isEmpty {
      trees += halves(of: files).map { Tree(folders: folders, files: $0) }
    }
    if !folders.isEmpty {
      trees += halves(of: folders).map { Tree(folders: $0, files: files) }
    }
    for index in folders.indices {
      for contents in folders[index].contents.smaller {
        var tree = self
        tree.folders[index].contents = contents
        trees.append(tree)
      }
      for name in shorter(folders[index].name, than: siblings) {
        var tree = self
        tree.folders[index].name = name
        trees.append(tree)
      }
    }
    for index in files.indices {
      for name in shorter(files[index], than: siblings) {
        var tree = self
        tree.files[index] = name
        trees.append(tree)
      }
    }
    return trees
  }

  /// The empty list, either half, and for each of the first 64 elements, the list without it.
  private func halves<Element>(of elements: [Element]) -> [[Element]] {
    var parts: [[Element]] = [[]]
    if elements.count > 3 {
      let middle = elements.count / 2
      parts.append(Array(elements[..<middle]))
      parts.append(Array(elements[middle...]))
    }
    if elements.count > 1 {
      for index in elements.indices.prefix(64) {
        var rest = elements
        rest.remove(at: index)
        parts.append(rest)
      }
    }
    return parts
  }

  /// Shorter or plainer names that differ from those of all siblings.
  private func shorter(_ name: [UInt8], than siblings: Set<[UInt8]>) -> [[UInt8]] {
    var names: [[UInt8]] = []
    if name.count > 1 {
      names.append(Array(name[..<(name.count / 2)]))
      names.append(Array(name.dropLast()))
    }
    if name.count == 1, let byte = name.first, byte > 0x61 { names.append([0x61]) }
    return names.filter { !siblings.contains($0) }
  }
}
