import GeoCore
import GeoSystem

/// Reads one folder after another, on one thread.
///
/// A reader has one current folder: the one listed or entered last, until it lists, enters, looks
/// at or keeps another, or leaves.
///
/// In all calls for files, `names` are those of the folder's files, sorted, or some of them, and
/// `range` says which of the names are meant. Arrays have one element for each of these, in order.
public protocol FolderReader: AnyObject {
  /// Prepares a sequential source before its first folder.
  ///
  /// - Parameter listener: Receives progress and faults, also while folders are read.
  func begin(_ root: ScanRoot, reportingTo listener: any ReaderListener)

  /// Finishes a sequential source after its last folder.
  func end()

  /// The error that stopped a sequential source; nil while it can be read.
  var failure: (any Error)? { get }

  /// Enters a folder, and lists it.
  ///
  /// - Parameter listing: Replaced by the result.
  func list(_ folder: FolderReference, into listing: inout FolderListing)

  /// Reads the facts of a folder that is not listed.
  ///
  /// - Parameter listing: Replaced by the result, without names.
  func inspect(_ folder: FolderReference, into listing: inout FolderListing)

  /// Enters a folder again to read its files.
  ///
  /// - Throws: The error if it can't be reached.
  func enter(_ folder: FolderReference) throws(Errno)

  /// Hides those of some files of the current folder that the source leaves out, with the reason, as
  /// far as their names and kinds decide it. It is called before their facts are read.
  func leaveOut(_ names: NameTable, _ range: Range<Int>, in facts: inout [EntryFacts])

  /// Reads the facts of some files of the current folder.
  ///
  /// Facts with the status `hidden` are skipped; files that their facts leave out get it. Files that
  /// vanished or became folders get the status `vanished`; unreadable ones `unreadable`; those with
  /// a known size only `sized`; those without facts `unasked`.
  ///
  /// - Parameters:
  ///   - facts: They have the kind from the listing.
  ///   - storage: Replaced if the options of the session have
  ///     ``FileSystemScanner/Options/asksForStorage``, else left as it is.
  ///   - failures: Receives the failures in the order of the names; `noEntry` for vanished files.
  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure])

  /// Reads a regular file in the current folder or below.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the folder.
  ///   - following: Whether the last name may be a symbolic link.
  ///   - limit: The largest allowed size in bytes.
  /// - Returns: The bytes; nil if there is no regular file at that path, or the source has no
  ///   contents.
  /// - Throws: The error if the file exists but can't be read.
  func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]?

  /// Keeps and leaves the current folder. Any reader of the session can then reach its contents.
  func keep() -> any KeptFolder

  /// Leaves the current folder.
  func leave()

  /// The file descriptor of the current folder; nil if it is not on disk.
  var openFolder: Int32? { get }

  /// Reads the objects of some files of the current folder.
  ///
  /// - Parameter objects: Replaced; empty if the source has no objects.
  func readObjects(of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?])

  /// Several states' facts of the files whose facts were read last; nil for a source of one state.
  var versions: FileVersions? { get }
}

extension FolderReader {
  /// Does nothing, for sources that leave nothing out, or say so with the facts.
  public func leaveOut(_ names: NameTable, _ range: Range<Int>, in facts: inout [EntryFacts]) {}

  /// Does nothing, for sources that aren't sequential.
  public func begin(_ root: ScanRoot, reportingTo listener: any ReaderListener) {}

  /// Does nothing, for sources that aren't sequential.
  public func end() {}

  /// Nil, for sources that aren't sequential: an unreadable folder doesn't affect others.
  public var failure: (any Error)? { nil }

  /// Nil, for sources that aren't on disk.
  public var openFolder: Int32? { nil }

  /// Clears `objects`, for sources without objects.
  public func readObjects(
    of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]
  ) {
    objects.removeAll(keepingCapacity: true)
  }

  /// Nil, for sources of one state.
  public var versions: FileVersions? { nil }
}
