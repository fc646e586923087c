import GeoSystem

/// A folder that a scan starts from.
public struct ScanRoot: Sendable, Hashable {
  /// What its nodes' paths begin with.
  public var label: [UInt8]
  /// Where it is; a symbolic link that leads to a folder is followed.
  public var directory: [UInt8]
  /// Names that lead on from there to where the scan begins; none of them may be a link. The label is
  /// then a path, too: the root's label and these names, joined by `/`.
  public var names: [[UInt8]] = []
  /// Whether it is opened; if not, it is only shown.
  public var isEntered = true

  /// A root of the given label and folder.
  public init(label: [UInt8], directory: [UInt8]) {
    self.label = label
    self.directory = directory
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
  public func check() throws(Failure) {
    let facts: FileSystem.Facts
    do throws(Errno) {
      facts = try self.facts(method: .preferred)
    } catch {
      throw error == .notDirectory || !names.isEmpty && error == .linkLoop
        ? .notFolder : .notFound(error)
    }
    if facts.kind != .directory { throw .notFolder }
  }

  /// Opens the folder.
  public func open() throws(Errno) -> Descriptor { try open(names[...]) }

  /// What the folder is.
  func facts(
    storage: Bool = false, method: ReadingMethod
  ) throws(Errno) -> FileSystem.Facts {
    guard let last = names.last else {
      return try FileSystem.rootFacts(directory, storage: storage, method: method)
    }
    let parent = try open(names.dropLast())
    return try FileSystem.facts(
      of: last, in: parent.rawValue, storage: storage, method: method)
  }

  private func open(_ names: ArraySlice<[UInt8]>) throws(Errno) -> Descriptor {
    var folder = try FileSystem.openRoot(directory)
    for name in names {
      let parent = consume folder
      folder = try FileSystem.openFolder(name, in: parent.rawValue)
    }
    return folder
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
