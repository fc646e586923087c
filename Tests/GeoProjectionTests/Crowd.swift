import TestSupport

/// Trees that crowd the map.
enum Crowd: String, CaseIterable, Sendable {
  /// Thousands of files in one folder.
  case manyFiles
  /// Thousands of folders in one folder.
  case manyFolders
  /// Files by the thousand beside hundreds of folders that have some.
  case manyOfBoth
  /// As many files as their first zoom has room for, a few levels down.
  case fullCity
  /// Grown at random.
  case grown
  /// Many roots, and trees in them.
  case manyRoots

  /// A tree of this kind.
  func tree(using generator: inout SeededGenerator) -> Tree {
    let label = Tree.names(1, using: &generator)[0]
    switch self {
    case .manyFiles:
      let files = (0..<20_000).map { Array("\($0)".utf8) }
      return Tree(folders: [Tree.Folder(label, Tree(files: files))])
    case .manyFolders:
      let folders = (0..<3_000).map { Tree.Folder(Array("\($0)".utf8)) }
      return Tree(folders: [Tree.Folder(label, Tree(folders: folders))])
    case .manyOfBoth:
      let files = (0..<4_100).map { Array("f\($0)".utf8) }
      let few = (0..<16).map { Array("f\($0)".utf8) }
      let folders = (0..<300).map { Tree.Folder(Array("\($0)".utf8), Tree(files: few)) }
      return Tree(folders: [Tree.Folder(label, Tree(folders: folders, files: files))])
    case .fullCity:
      let files = (0..<4096).map { Array("\($0)".utf8) }
      return (0..<generator.number(in: 2...5)).reduce(Tree(files: files)) { tree, _ in
        let name = Tree.names(1, using: &generator)[0]
        return Tree(folders: [Tree.Folder(name, tree)])
      }
    case .grown:
      return .random(
        Tree.Shape(nodes: 4_000, folders: 0.3, depth: 0.1), roots: 1, using: &generator)
    case .manyRoots:
      return .random(
        Tree.Shape(nodes: 2_000, folders: 0.3, depth: 0.05), roots: 40, using: &generator)
    }
  }
}
