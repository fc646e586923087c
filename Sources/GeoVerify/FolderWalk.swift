/// Where a reader of a map is among its folders.
struct FolderWalk {
  /// Why a node can't stand where it does.
  enum Misplacement {
    case disorder(after: [UInt8])
    case missingFolder([UInt8])
    case changed
  }

  /// The folders that the current one is in, with itself last.
  private var stack: [(index: Int, length: Int)] = []
  /// The current folder's path.
  private(set) var path: [UInt8] = []
  /// The last of its files so far.
  private var lastFile: [UInt8] = []
  /// How many folders were met.
  private var folders = 0
  /// Whether the folders are met for the first time.
  private let isFirst: Bool
  /// Whether files and folders may be there whose folder is not.
  private let allowsGaps: Bool

  init(isFirst: Bool, allowsGaps: Bool) {
    self.isFirst = isFirst
    self.allowsGaps = allowsGaps
  }

  /// The current folder.
  var current: Int? { stack.last?.index }

  /// Goes to a folder that has a feature.
  mutating func enterFolder(_ folder: [UInt8], in tree: inout FolderTree) -> Misplacement? {
    let parent = folder.lastIndex(of: UInt8(ascii: "/")) ?? 0
    if let wrong = go(to: folder[..<parent], in: &tree) { return wrong }
    return push(folder, start: parent == 0 ? 0 : parent + 1, end: folder.count, in: &tree)
  }

  /// Goes to a file's folder.
  mutating func enterFile(_ file: [UInt8], in tree: inout FolderTree) -> Misplacement? {
    guard let slash = file.lastIndex(of: UInt8(ascii: "/")) else { return .missingFolder([]) }
    if let wrong = go(to: file[..<slash], in: &tree) { return wrong }
    guard let current else { return .missingFolder(Array(file[..<slash])) }
    let name = file[(slash + 1)...]
    if !lastFile.isEmpty, !lastFile.lexicographicallyPrecedes(name) {
      return .disorder(after: path + [UInt8(ascii: "/")] + lastFile)
    }
    if isFirst {
      if let last = tree.lastChild(of: current) {
        return .disorder(after: path + [UInt8(ascii: "/")] + tree.name(of: last))
      }
      tree[current].files += 1
    }
    lastFile.removeAll(keepingCapacity: true)
    lastFile.append(contentsOf: name)
    return nil
  }

  /// Goes to a folder by way of those that hold it, met or not.
  private mutating func go(
    to folder: ArraySlice<UInt8>, in tree: inout FolderTree
  ) -> Misplacement? {
    if folder == path[...], !stack.isEmpty || folder.isEmpty { return nil }
    let slash = UInt8(ascii: "/")
    while let top = stack.last {
      let isInside =
        folder.count >= top.length && folder[..<top.length] == path[..<top.length]
        && (folder.count == top.length || folder[top.length] == slash)
      if isInside { break }
      stack.removeLast()
      lastFile.removeAll(keepingCapacity: true)
    }
    path.removeLast(path.count - (stack.last?.length ?? 0))
    while path.count < folder.count {
      if !allowsGaps { return .missingFolder(Array(folder)) }
      let start = path.isEmpty ? 0 : path.count + 1
      let end = folder[start...].firstIndex(of: slash) ?? folder.count
      if let wrong = push(Array(folder[..<end]), start: start, end: end, in: &tree) {
        return wrong
      }
      if let current, isFirst { tree[current].isWritten = false }
    }
    return nil
  }

  private mutating func push(
    _ folder: [UInt8], start: Int, end: Int, in tree: inout FolderTree
  ) -> Misplacement? {
    let parent = current
    let name = folder[start..<end]
    let index = folders
    folders += 1
    if isFirst {
      if let last = tree.lastChild(of: parent),
        !tree.name(of: last).lexicographicallyPrecedes(name)
      {
        return .disorder(after: Array(folder[..<start] + tree.name(of: last)))
      }
      let added = tree.add(name, to: parent)
      precondition(added == index)
      tree[index].isWritten = true
    } else {
      let isSame =
        index < tree.records.count && tree.name(of: index) == name
        && Int(tree[index].parent) == parent ?? -1
      if !isSame { return .changed }
    }
    path.removeAll(keepingCapacity: true)
    path.append(contentsOf: folder)
    stack.append((index, folder.count))
    lastFile.removeAll(keepingCapacity: true)
    return nil
  }
}
