import GeoCore
import GeoSystem

/// Where trees are read from, a listing at a time: a disk, a snapshot, a revision of a repository.
///
/// It is the one seam between what is read and all that is made of it. Two users stand over it: the
/// parallel, ordered scan (``FileSystemScanner``), and the world of single paths and places. A root
/// carries its source (``ScanRoot/source``), so that roots of one world may be of several kinds; all
/// calls are for a folder, none is for a file.
public protocol TreeSource: AnyObject, Sendable {
  /// Looks whether a root is a folder, which need not be readable.
  func check(_ root: ScanRoot) throws(ScanRoot.Failure)

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - options: What is wanted. What a source can't do, such as to follow links that it doesn't
  ///     have, it leaves be.
  ///   - readers: How many readers there will be at once.
  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession

  /// Whether it is what is on a disk at the moment: it can be watched, and has links, mounts, and files that
  /// can be opened.
  var isLive: Bool { get }

  /// Whether its folders can be read but once, in the order of the map, by one reader, such as a list's.
  var isSequential: Bool { get }

  /// Whether links, mounts and git's rules were decided about when it was kept.
  var isDecided: Bool { get }

  /// What its entries are counted in: the same for all roots of one snapshot.
  var whole: AnyObject { get }

  /// What is in it and can't be shown.
  var faults: [ScanFault] { get }

  /// Whether it has left entries out before, so that a map of it is partial.
  var isPartial: Bool { get }

  /// Whether symbolic links stood for what they lead to when it was made, so that folders may be loops.
  var followsLinks: Bool { get }

  /// What a snapshot of it is to say of its origin; nil if it is on a disk, or that isn't known.
  var record: SourceRecord? { get }

  /// How exactly it knows what is in a file.
  var knowledge: ContentKnowledge { get }

  /// Why it may have left entries out before.
  var exclusionReasons: [ExclusionReason] { get }

  /// How many folders and files it has, in all its roots; nil if that is not known before all was read.
  var entryCount: Int? { get }

  /// Tells what the files below some folders have in them, at any depth, in any order, some more than once.
  ///
  /// - Parameters:
  ///   - contents: What names all that is in the folders, as ``FolderListing/contents`` has it.
  /// - Returns: Why not all could be read; nil if all could.
  func readObjects(
    in contents: [ObjectID], _ take: (ObjectID) -> Void
  ) -> ScanFault.Reason?
}

extension TreeSource {
  /// Is on no disk.
  public var isLive: Bool { false }

  /// Can be read anywhere, any number of times.
  public var isSequential: Bool { false }

  /// Nothing was decided.
  public var isDecided: Bool { false }

  /// Itself.
  public var whole: AnyObject { self }

  /// None.
  public var faults: [ScanFault] { [] }

  /// Has all that there is.
  public var isPartial: Bool { false }

  /// Leaves links as they are.
  public var followsLinks: Bool { false }

  /// None.
  public var record: SourceRecord? { nil }

  /// Knows sizes and times at most.
  public var knowledge: ContentKnowledge { .seconds }

  /// None.
  public var exclusionReasons: [ExclusionReason] { [] }

  /// Not known.
  public var entryCount: Int? { nil }

  /// Nothing, for sources whose listings don't name what is in folders.
  public func readObjects(
    in contents: [ObjectID], _ take: (ObjectID) -> Void
  ) -> ScanFault.Reason? { nil }
}

/// A source while it is read: what the readers of one scan, or of one world, share.
public protocol TreeSession: AnyObject, Sendable {
  /// What one thread reads with.
  func makeReader() -> any FolderReader

  /// What a listing of a folder would be good for now; nil if nobody can tell.
  ///
  /// To be compared with ``FolderListing/stamp``.
  func stamp(of folder: FolderReference) -> ListingStamp?
}

/// Reads one folder after the other. It belongs to one thread.
///
/// A reader is in one folder at a time: the one that it listed or entered last, until it lists,
/// enters, looks at or keeps another, or leaves.
public protocol FolderReader: AnyObject {
  /// Does what has to be done before the first folder can be read, if the source is sequential.
  ///
  /// - Parameter listener: Hears of it, also while folders are read.
  func begin(_ root: ScanRoot, telling listener: any ReaderListener)

  /// Does what has to be done after the last folder, if the source is sequential.
  func end()

  /// Why it can read no further, if the source is sequential; nil as long as it can.
  var failure: (any Error)? { get }

  /// Enters a folder, and lists it.
  ///
  /// - Parameter listing: Replaced by what there is.
  func list(_ folder: FolderReference, into listing: inout FolderListing)

  /// Tells what is known of a folder that is not to be listed, or could not be.
  ///
  /// - Parameter listing: Replaced by what is known; it has no names.
  func look(at folder: FolderReference, into listing: inout FolderListing)

  /// Enters a folder that was listed before, for its files.
  ///
  /// - Throws: Why it can't be reached any more.
  func enter(_ folder: FolderReference) throws(Errno)

  /// Tells what is known of some files of the folder that the reader is in.
  ///
  /// Facts whose status is `hidden` are left alone. What is gone, or has become a folder, gets the
  /// status `vanished`; what can't be read, `unreadable`; where only the size is known, `sized`; where
  /// nothing is, `unasked`.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files, sorted, or some of them.
  ///   - range: Which of them.
  ///   - facts: One for each name of `range`, in that order, with the kind that the listing gave.
  ///   - storage: Gets one for each name of `range`, if that is asked.
  ///   - failures: Gets what failed, in the order of the names; a vanished one with `noEntry`.
  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure])

  /// The bytes of a regular file in the folder that the reader is in, or below it.
  ///
  /// - Parameters:
  ///   - path: Where the file is, from the folder on.
  ///   - following: Whether the last name may be a symbolic link.
  ///   - limit: How many bytes the file may have.
  /// - Returns: The bytes; nil if there is no regular file of that path, or the source keeps no
  ///   contents.
  /// - Throws: Why a file that is there can't be read.
  func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]?

  /// Keeps the folder that the reader is in, so that any reader of the session reaches what is in it;
  /// the reader leaves it.
  func keep() -> any KeptFolder

  /// Leaves the folder that the reader is in.
  func leave()

  /// The number of the folder that the reader is in, as the system knows it; nil if it is on no disk.
  var openFolder: Int32? { get }

  /// Tells which contents some files of the folder that the reader is in have.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files, sorted, or some of them.
  ///   - range: Which of them.
  ///   - objects: Gets one for each name of `range`; nothing if the source doesn't know.
  func readObjects(of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?])

  /// What each of several states knows of the files that were asked for facts last; nil if the source is
  /// of one state.
  var versions: FileVersions? { get }
}

extension FolderReader {
  /// Nothing, for sources that can be read anywhere.
  public func begin(_ root: ScanRoot, telling listener: any ReaderListener) {}

  /// Nothing, for sources that can be read anywhere.
  public func end() {}

  /// None, for sources that can be read anywhere: a folder that can't be read is no obstacle to others.
  public var failure: (any Error)? { nil }

  /// None, for sources that are on no disk.
  public var openFolder: Int32? { nil }

  /// None, for sources that know sizes and times at most.
  public func readObjects(
    of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]
  ) {
    objects.removeAll(keepingCapacity: true)
  }

  /// None, for sources of one state.
  public var versions: FileVersions? { nil }
}

/// Hears what is found in a source that isn't about one of its folders or files.
public protocol ReaderListener: AnyObject {
  /// Something in the source can't be used.
  func report(_ fault: ScanFault)

  /// How far the reader is, before it can read the first folder.
  func reach(_ place: [UInt8])

  /// Whether what is read is not wanted any more.
  var isCancelled: Bool { get }
}

/// A folder that is kept as long as something in it is still to be read.
public protocol KeptFolder: AnyObject, Sendable {}

/// Which folder is meant.
///
/// Most are sub-folders of one that is kept; what the others need is kept apart, so that a reference
/// is small to copy.
public enum FolderReference {
  /// The folder at a path.
  ///
  /// - Parameters:
  ///   - root: The root that it is, or is in.
  ///   - path: The root's label, then the names that lead to it, joined by `/`.
  ///   - mark: What the listing of its parent has in ``FolderListing/marks``; nil for a root.
  indirect case path(root: ScanRoot, path: [UInt8], mark: UInt64?)
  /// A sub-folder of a folder that is kept.
  ///
  /// - Parameters:
  ///   - parent: The folder that it is in.
  ///   - path: The root's label, then the names that lead to it, joined by `/`.
  ///   - name: The last of them.
  ///   - isLink: Whether the listing says that it is a symbolic link to a folder.
  ///   - mark: What the listing has in ``FolderListing/marks``; nil if it has none.
  case child(
    of: any KeptFolder, path: [UInt8], name: [UInt8], isLink: Bool, mark: UInt64?)
  /// A folder that is kept.
  case kept(any KeptFolder)
}

/// What a source tells of a folder, in one go.
public struct FolderListing: Sendable {
  /// How it came about.
  public enum Outcome: Sendable {
    /// The folder was listed, as far as ``FolderListing/failure`` lets.
    case listed
    /// It was not listed: because it could not be, or the source does not enter it.
    case unlisted
    /// It is one of its own ancestors, reached by a link, and not entered.
    case loop
  }

  /// What became of the folder.
  public var outcome = Outcome.unlisted
  /// Names of all that is no folder, in byte order, with their kinds.
  public var files = NameTable()
  /// Names of the sub-folders, in byte order; a link to one that is followed has the kind `symlink`.
  public var folders = NameTable()
  /// By which the source finds the sub-folders again, in the order of ``folders``; empty if names are
  /// enough for it.
  public var marks: [UInt64] = []
  /// Which of ``folders`` are named for their places alone, in their order: the source has left them
  /// out before, and has nothing of what is in them.
  public var leftOut: [Int] = []
  /// Why, for each of ``leftOut``; empty if the source doesn't know.
  public var leftOutReasons: [ExclusionReason] = []
  /// Whether the source has left out some of ``files`` before, too: asked for their facts, it says
  /// which, by the status `hidden`.
  public var leavesOutFiles = false
  /// Which of ``files`` those are, and why, in their order, as far as the source knows.
  public var filesLeftOut: [LeftOutEntry] = []
  /// What is known of the folder itself; nil if nothing is, or nobody asked.
  public var facts: FolderFacts?
  /// Why not all could be read.
  public var failure: ScanFault.Reason?
  /// Whether the source says different things of the folder itself; it has reported them.
  public var isDisputed = false
  /// What the listing is good for; nil if it must not be kept, or nobody asked.
  public var stamp: ListingStamp?
  /// What each of several states knows of the folder, in their order; empty if the source is of one
  /// state.
  public var states: [FolderState] = []
  /// What names all that is in each of ``folders``, at any depth: where it is the same, so is all that is
  /// in them. nil where nothing does, and where several states don't agree; empty if it is nil for all.
  public var contents: [ObjectID?] = []

  /// Nothing yet.
  public init() {}

  /// Takes all away and keeps the memory for the next listing.
  public mutating func removeAll() {
    outcome = .unlisted
    files.removeAll()
    folders.removeAll()
    if !marks.isEmpty { marks.removeAll(keepingCapacity: true) }
    if !leftOut.isEmpty {
      leftOut.removeAll()
      leftOutReasons.removeAll()
    }
    if leavesOutFiles {
      leavesOutFiles = false
      filesLeftOut.removeAll()
    }
    facts = nil
    failure = nil
    isDisputed = false
    stamp = nil
    if !states.isEmpty { states.removeAll(keepingCapacity: true) }
    if !contents.isEmpty { contents.removeAll(keepingCapacity: true) }
  }
}

/// What is known of a folder itself.
public struct FolderFacts: Sendable, Equatable {
  /// Unix time of the last change in whole seconds, rounded down; nil if the source has no times.
  public var modified: Int64?
  /// Which one it is, what room it takes and whose it is; nil if the source doesn't know, or nobody
  /// asked.
  public var storage: FileStorage?

  /// Facts of the given values.
  public init(modified: Int64?, storage: FileStorage? = nil) {
    self.modified = modified
    self.storage = storage
  }
}

/// What a listing is good for: it holds as long as the source bears the same stamp of the folder.
public struct ListingStamp: Sendable, Hashable {
  /// Which folder it is.
  public var identity: FileSystem.Identity
  /// When it was changed: Unix time in seconds, and nanoseconds beyond.
  public var seconds: Int64
  /// Nanoseconds beyond the second.
  public var nanoseconds: UInt32

  /// A stamp of the given values.
  public init(identity: FileSystem.Identity, seconds: Int64 = 0, nanoseconds: UInt32 = 0) {
    self.identity = identity
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}
