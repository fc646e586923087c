/// The contents of a folder, made up by a test.
public struct Tree: Sendable, Equatable {
  /// A sub-folder with its name.
  public struct Folder: Sendable, Equatable {
    /// The name's bytes.
    public var name: [UInt8]
    /// Its contents.
    public var contents: Tree

    /// A folder of the given name.
    public init(_ name: [UInt8], _ contents: Tree = Tree()) {
      self.name = name
      self.contents = contents
    }
  }

  /// The sub-folders, in the order of the listing.
  public var folders: [Folder]
  /// The names of the files, in the order of the listing.
  public var files: [[UInt8]]

  /// A tree of the given entries.
  public init(folders: [Folder] = [], files: [[UInt8]] = []) {
    self.folders = folders
    self.files = files
  }

  /// The number of folders and files in the whole tree.
  public var nodeCount: Int {
    folders.reduce(files.count) { $0 + 1 + $1.contents.nodeCount }
  }

  /// The same tree with every listing in random order.
  public func shuffled(using generator: inout SeededGenerator) -> Tree {
    var tree = self
    tree.files.shuffle(using: &generator)
    tree.folders.shuffle(using: &generator)
    for index in tree.folders.indices {
      tree.folders[index].contents = tree.folders[index].contents.shuffled(using: &generator)
    }
    return tree
  }
}

extension Tree: CustomStringConvertible {
  /// An indented listing; bytes that aren't printable ASCII are written as `\xx`.
  public var description: String { lines(indent: "").joined(separator: "\n") }

  private func lines(indent: String) -> [String] {
    files.map { indent + Tree.text($0) }
      + folders.flatMap { folder in
        [indent + Tree.text(folder.name) + "/"] + folder.contents.lines(indent: indent + "  ")
      }
  }

  private static func text(_ name: [UInt8]) -> String {
    name.map { byte in
      if byte > 0x20 && byte < 0x7F && byte != 0x5C {
        return String(UnicodeScalar(byte))
      }
      return (byte < 16 ? "\\0" : "\\") + String(byte, radix: 16)
    }.joined()
  }
}
