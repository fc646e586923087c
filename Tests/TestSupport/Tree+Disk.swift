extension TemporaryFolder {
  /// Makes the folders and empty files of a tree.
  ///
  /// - Parameter path: The target, relative to this folder; empty for this folder itself.
  public func make(_ tree: Tree, in path: [UInt8] = []) throws {
    let start = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
    for name in tree.files { try makeFile(bytes: start + name) }
    for folder in tree.folders {
      try makeFolder(bytes: start + folder.name)
      try make(folder.contents, in: start + folder.name)
    }
  }
}
