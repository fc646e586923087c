import GeoCore
import GeoSystem

/// A folder that a scan starts from.
public struct ScanRoot: Sendable, Hashable {
  /// The beginning of its nodes' paths: a name, or a path if the scan begins below a root.
  public var label: [UInt8]
  /// The folder's path in its source. On disk, a symbolic link to a folder is followed.
  public var directory: [UInt8]
  /// The source to read it from.
  public var source: any TreeSource
  /// Names from `directory` to the folder where the scan begins; none may be a link. The label is
  /// then a path too: the root's label and these names, joined by `/`.
  package var names: [[UInt8]] = []
  /// Whether the folder is entered; otherwise it is only shown.
  package var isEntered = true

  /// Makes a root of a folder, on disk by default.
  public init(
    label: [UInt8], directory: [UInt8], source: any TreeSource = DiskSource.shared
  ) {
    self.label = label
    self.directory = directory
    self.source = source
  }

  /// Throws unless the root is a folder, readable or not.
  ///
  /// - Throws: `Errno.notDirectory` if it is something else; other reasons if it doesn't exist or
  ///   can't be reached.
  package func check() throws(Errno) { try source.check(self) }

  /// The folder at a map path below this root, to begin a scan with.
  package func below(_ path: [UInt8]) -> ScanRoot {
    var folder = self
    folder.label = path
    folder.names = names(to: path)
    return folder
  }

  /// The names from ``directory`` to the folder at a map path.
  package func names(to path: [UInt8]) -> [[UInt8]] {
    if path.count == label.count { return names }
    return names + path[label.count...].split(separator: .slash).map { Array($0) }
  }

  /// Whether both are the same folder of the same source, under the same label.
  public static func == (a: ScanRoot, b: ScanRoot) -> Bool {
    a.label == b.label && a.directory == b.directory && a.names == b.names
      && a.isEntered == b.isEntered && a.source === b.source
  }

  /// Hashes the label and the path.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(label)
    hasher.combine(directory)
    hasher.combine(names)
  }
}

/// A file that the program itself writes into the tree while reading it.
public struct TemporaryEntry: Sendable, Hashable {
  /// Its name, unique in the tree. Entries of this name are skipped.
  package var name: [UInt8]
  /// The identity of its folder.
  package var folder: FileIdentity
  /// The modification time of the folder before the file was made, in Unix seconds.
  package var folderModified: Int64
  /// The nanoseconds of that time.
  package var folderNanoseconds: UInt32

  /// Makes an entry from its name and the facts of its folder.
  public init(
    name: [UInt8], folder: FileIdentity, folderModified: Int64, folderNanoseconds: UInt32 = 0
  ) {
    self.name = name
    self.folder = folder
    self.folderModified = folderModified
    self.folderNanoseconds = folderNanoseconds
  }
}

/// A folder that the program itself writes into the tree while reading it.
package struct OwnFolder: Sendable, Hashable {
  /// Its name. The folder is skipped with all its contents.
  package var name: [UInt8]
  package var parent: FileIdentity

  package init(name: [UInt8], parent: FileIdentity) {
    (self.name, self.parent) = (name, parent)
  }
}

extension [ScanRoot] {
  /// The number of entries below all roots, if known in advance.
  package var entryCount: Int? {
    var sum = 0
    var counted: Set<ObjectIdentifier> = []
    for root in self {
      guard root.names.isEmpty, root.isEntered, let count = root.source.entryCount else {
        return nil
      }
      // Roots of one snapshot share a count.
      if counted.insert(ObjectIdentifier(root.source.whole)).inserted { sum += count }
    }
    return isEmpty ? nil : sum
  }
}

extension [[ScanRoot]] {
  package var entryCount: Int? {
    var sum = 0
    for roots in self {
      guard let count = roots.entryCount else { return nil }
      sum += count
    }
    return sum
  }
}

extension ScanRoot {
  /// The listing of the root folder itself, without metadata.
  package var listing: FolderListing {
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    var listing = FolderListing()
    OpenSources([self], options, readers: 1).makeReaders().list(label, root: 0, into: &listing)
    return listing
  }
}
