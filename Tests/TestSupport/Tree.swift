/// A folder's contents, as a test makes them up.
public struct Tree: Sendable, Equatable {
  /// A sub-folder and its name.
  public struct Folder: Sendable, Equatable {
    public var name: [UInt8]
    public var contents: Tree

    public init(_ name: [UInt8], _ contents: Tree) {
      self.name = name
      self.contents = contents
    }
  }

  /// The sub-folders, in the order of the listing.
  public var folders: [Folder]
  /// The names of the files, in the order of the listing.
  public var files: [[UInt8]]

  public init(folders: [Folder] = [], files: [[UInt8]] = []) {
    self.folders = folders
    self.files = files
  }

  /// How many folders and files there are in all.
  public var nodeCount: Int {
    folders.reduce(files.count) { $0 + 1 + $1.contents.nodeCount }
  }
}
