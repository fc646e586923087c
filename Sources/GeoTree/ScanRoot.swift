import GeoSystem

/// A folder that a scan starts from.
public struct ScanRoot: Sendable, Hashable {
  /// What its nodes' paths begin with.
  public var label: [UInt8]
  /// Where it is in its source; on a disk, a symbolic link that leads to a folder is followed.
  public var directory: [UInt8]
  /// What it is read from.
  public var source: any TreeSource
  /// Names that lead on from there to where the scan begins; none of them may be a link. The label is
  /// then a path, too: the root's label and these names, joined by `/`.
  public var names: [[UInt8]] = []
  /// Whether it is opened; if not, it is only shown.
  public var isEntered = true

  /// A root of the given label and folder, on disk if nothing else is said.
  public init(
    label: [UInt8], directory: [UInt8], source: any TreeSource = DiskSource.shared
  ) {
    self.label = label
    self.directory = directory
    self.source = source
  }

  /// Why a folder can't be a root.
  public enum Failure: Error, Sendable, Hashable {
    /// It does not exist, or can't be reached.
    case notFound(Errno)
    /// It is something else.
    case notFolder
  }

  /// Looks whether the root is a folder, which need not be readable.
  ///
  /// - Throws: ``Failure``.
  public func check() throws(Failure) { try source.check(self) }

  /// The folder at a path of the map below this root, as what a scan may begin with.
  package func below(_ path: [UInt8]) -> ScanRoot {
    var folder = self
    folder.label = path
    folder.names = names(to: path)
    return folder
  }

  /// The names that lead from where the root is to a folder at a path of the map.
  package func names(to path: [UInt8]) -> [[UInt8]] {
    if path.count == label.count { return names }
    return names + path[label.count...].split(separator: .slash).map { Array($0) }
  }

  /// Whether both are the same folder of the same source, under the same label.
  public static func == (a: ScanRoot, b: ScanRoot) -> Bool {
    a.label == b.label && a.directory == b.directory && a.names == b.names
      && a.isEntered == b.isEntered && a.source === b.source
  }

  /// Feeds the root to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(label)
    hasher.combine(directory)
    hasher.combine(names)
  }
}

/// A file that the program itself has in the tree while it reads it.
public struct TemporaryEntry: Sendable, Hashable {
  /// Its name, which no other entry of the tree has. It is treated as not there.
  public var name: [UInt8]
  /// The folder that holds it.
  public var folder: FileSystem.Identity
  /// When the folder was changed before the file was made.
  public var folderModified: Int64
  /// Nanoseconds of that time beyond the second.
  public var folderNanoseconds: UInt32

  /// An entry of the given name, in a folder that had been changed at the given time.
  public init(
    name: [UInt8], folder: FileSystem.Identity, folderModified: Int64, folderNanoseconds: UInt32 = 0
  ) {
    self.name = name
    self.folder = folder
    self.folderModified = folderModified
    self.folderNanoseconds = folderNanoseconds
  }
}

/// A folder that the program itself writes into the tree while it reads it.
package struct OwnFolder: Sendable, Hashable {
  /// Its name. It is treated as not there, with all that is in it.
  package var name: [UInt8]
  /// The folder that holds it.
  package var parent: FileSystem.Identity

  /// A folder of the given name in another.
  package init(name: [UInt8], parent: FileSystem.Identity) {
    (self.name, self.parent) = (name, parent)
  }
}
