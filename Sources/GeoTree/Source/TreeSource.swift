import GeoCore
import GeoSystem

/// A source of trees that is read listing by listing: a disk, a snapshot, a revision of a
/// repository.
///
/// It is the only interface between sources and their users: the parallel, ordered scan
/// (``FileSystemScanner``), and the reader of single paths and places. Each root has its own source
/// (``ScanRoot/source``), so the roots of a map can be of different kinds. All calls are for
/// folders, never for single files.
public protocol TreeSource: AnyObject, Sendable {
  /// Throws unless a root is a folder, readable or not: `Errno.notDirectory` if it is something
  /// else.
  func check(_ root: ScanRoot) throws(Errno)

  /// Starts a reading session.
  ///
  /// - Parameters:
  ///   - options: The options. A source ignores those that it doesn't support, such as following
  ///     links.
  ///   - readers: The number of readers at once.
  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession

  /// Whether it is a live disk: it can be watched, and has links, mounts, and files that can be
  /// opened.
  var isLive: Bool { get }

  /// Whether its folders can be read only once, in map order, by one reader, as for a list.
  var isSequential: Bool { get }

  /// Whether links, mounts and git's rules were already applied when it was made.
  var isDecided: Bool { get }

  /// The object that ``entryCount`` counts: the same for all roots of one snapshot.
  var whole: AnyObject { get }

  /// Problems with entries that can't be shown.
  var faults: [ScanFault] { get }

  /// Whether it may lack entries that a selection left out, so that its map is partial.
  var isPartial: Bool { get }

  /// Whether symbolic links were treated as their targets when it was made, so that folders may be
  /// loops.
  var followsLinks: Bool { get }

  /// Facts about the source for snapshots of it; nil for a disk, or if unknown.
  var record: SourceRecord? { get }

  /// How exactly it knows whether files differ.
  var knowledge: ContentKnowledge { get }

  /// The reasons for which it may lack entries.
  var exclusionReasons: [ExclusionReason] { get }

  /// The number of folders and files in all its roots; nil if unknown before the end.
  var entryCount: Int? { get }

  /// Passes on the facts of all files below some folders, as far as a comparison needs them, in any
  /// order, possibly more than once.
  ///
  /// - Parameters:
  ///   - contents: The identifiers of the folders' contents, as in ``FolderListing/contents``.
  ///   - take: Called with the facts of each file.
  /// - Returns: Why some could not be read; nil if all were.
  func readFiles(
    in contents: [ObjectID], _ take: (FileVersion) -> Void
  ) -> ScanFault.Reason?
}

extension TreeSource {
  /// False: the source is not a disk.
  public var isLive: Bool { false }

  /// False: folders can be read in any order, any number of times.
  public var isSequential: Bool { false }

  /// False: links, mounts and git's rules are still to be applied.
  public var isDecided: Bool { false }

  /// The source itself.
  public var whole: AnyObject { self }

  /// Empty.
  public var faults: [ScanFault] { [] }

  /// False: no entries were left out.
  public var isPartial: Bool { false }

  /// False: links are shown as links.
  public var followsLinks: Bool { false }

  /// Nil: there are no such facts.
  public var record: SourceRecord? { nil }

  /// Sizes and times to the second at most.
  public var knowledge: ContentKnowledge { .seconds }

  /// Empty.
  public var exclusionReasons: [ExclusionReason] { [] }

  /// Nil: the number is unknown.
  public var entryCount: Int? { nil }

  /// Does nothing, for sources without ``FolderListing/contents``.
  public func readFiles(
    in contents: [ObjectID], _ take: (FileVersion) -> Void
  ) -> ScanFault.Reason? { nil }
}

/// A reading session of a source, shared by its readers.
public protocol TreeSession: AnyObject, Sendable {
  /// Makes a reader for one thread.
  func makeReader() -> any FolderReader

  /// The version stamp that a listing of a folder would have now; nil if unknown.
  ///
  /// Compare it with ``FolderListing/stamp``.
  func stamp(of folder: FolderReference) -> ListingStamp?
}

/// Receives progress and faults that aren't about the current folder or its files.
public protocol ReaderListener: AnyObject {
  /// Called for a part of the source that can't be used.
  func report(_ fault: ScanFault)

  /// Called with the place reached, before the first folder can be read.
  func reach(_ place: [UInt8])

  /// Whether the scan was cancelled.
  var isCancelled: Bool { get }
}

/// A handle of a folder with contents still to read.
public protocol KeptFolder: AnyObject, Sendable {}

/// A reference to a folder.
///
/// Most folders are children of a kept folder. The data for the other cases is indirect, so that a
/// reference is cheap to copy.
public enum FolderReference {
  /// The folder at a path.
  ///
  /// - Parameters:
  ///   - path: The root's label, then names, joined by `/`.
  ///   - handle: The handle from its parent's ``FolderListing/handles``; nil if unknown.
  indirect case path(root: ScanRoot, path: [UInt8], handle: UInt64?)
  /// A sub-folder of a kept folder.
  ///
  /// - Parameters:
  ///   - path: The root's label, then names, joined by `/`.
  ///   - name: The last of these names.
  ///   - isLink: Whether the listing has it as a symbolic link to a folder.
  ///   - handle: The handle from ``FolderListing/handles``; nil if it has none.
  case child(
    of: any KeptFolder, path: [UInt8], name: [UInt8], isLink: Bool, handle: UInt64?)
  /// A kept folder.
  case kept(any KeptFolder)
}

/// The facts of a folder itself.
public struct FolderFacts: Sendable, Equatable {
  /// Modification time in whole Unix seconds, rounded down; nil if the source has no times.
  package var modified: Int64?
  /// Its identity, disk space and owner; nil if unknown or not requested.
  package var storage: FileStorage?

  /// Makes facts from their values.
  public init(modified: Int64?, storage: FileStorage? = nil) {
    self.modified = modified
    self.storage = storage
  }
}

/// The version stamp of a listing, which stays valid as long as the folder has the same stamp.
public struct ListingStamp: Sendable, Hashable {
  /// The identity of the folder.
  package var identity: FileIdentity
  /// Modification time in Unix seconds.
  package var seconds: Int64
  /// The nanoseconds of this time.
  package var nanoseconds: UInt32

  /// Makes a stamp from its values.
  public init(identity: FileIdentity, seconds: Int64 = 0, nanoseconds: UInt32 = 0) {
    self.identity = identity
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

extension ListingStamp {
  /// A stamp of the stamps of all states, with nil for states that don't have the folder.
  package init(ofAll stamps: [ListingStamp?]) {
    var hasher = Hasher()
    hasher.combine(stamps)
    let high = hasher.finalize()
    hasher = Hasher()
    hasher.combine(high)
    hasher.combine(stamps)
    self.init(
      identity: .init(
        device: UInt64(bitPattern: Int64(high)), inode: UInt64(bitPattern: Int64(hasher.finalize()))
      ))
  }
}
