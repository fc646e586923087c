extension TemporaryFolder {
  /// Makes the folders and the empty files of a tree.
  ///
  /// - Parameter path: The folder they go into, from this one on; empty for this one itself.
  public func make(_ tree: Tree, in path: [UInt8] = []) throws {
    let start = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
    for name in tree.files { try makeFile(bytes: start + name) }
    for folder in tree.folders {
      try makeFolder(bytes: start + folder.name)
      try make(folder.contents, in: start + folder.name)
    }
  }
}
