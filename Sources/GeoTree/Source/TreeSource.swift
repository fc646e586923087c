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

/// Reads one folder after another, on one thread.
///
/// A reader has one current folder: the one listed or entered last, until it lists, enters, looks
/// at or keeps another, or leaves.
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
  func look(at folder: FolderReference, into listing: inout FolderListing)

  /// Enters a folder again to read its files.
  ///
  /// - Throws: The error if it can't be reached.
  func enter(_ folder: FolderReference) throws(Errno)

  /// Hides those of some files of the current folder that the source leaves out, with the reason, as
  /// far as their names and kinds decide it. It is called before their facts are read.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files, sorted, or some of them.
  ///   - range: The names to examine.
  ///   - facts: One for each name in `range`, in order, with the kind from the listing.
  func leaveOut(_ names: NameTable, _ range: Range<Int>, in facts: inout [EntryFacts])

  /// Reads the facts of some files of the current folder.
  ///
  /// Facts with the status `hidden` are skipped; files that their facts leave out get it. Files that
  /// vanished or became folders get the status `vanished`; unreadable ones `unreadable`; those with
  /// a known size only `sized`; those without facts `unasked`.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files, sorted, or some of them.
  ///   - range: The names to read.
  ///   - facts: One for each name in `range`, in order, with the kind from the listing.
  ///   - storage: Replaced by one for each name in `range`, if requested.
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
  /// - Parameters:
  ///   - names: The names of the folder's files, sorted, or some of them.
  ///   - range: The names to read.
  ///   - objects: Replaced by one for each name in `range`; empty if the source has no objects.
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
  ///   - root: Its root.
  ///   - path: The root's label, then names, joined by `/`.
  ///   - mark: The mark from its parent's ``FolderListing/marks``; nil if unknown.
  indirect case path(root: ScanRoot, path: [UInt8], mark: UInt64?)
  /// A sub-folder of a kept folder.
  ///
  /// - Parameters:
  ///   - parent: Its parent.
  ///   - path: The root's label, then names, joined by `/`.
  ///   - name: The last of these names.
  ///   - isLink: Whether the listing has it as a symbolic link to a folder.
  ///   - mark: The mark from ``FolderListing/marks``; nil if it has none.
  case child(
    of: any KeptFolder, path: [UInt8], name: [UInt8], isLink: Bool, mark: UInt64?)
  /// A kept folder.
  case kept(any KeptFolder)
}

/// A folder's listing with the facts of the folder itself.
public struct FolderListing: Sendable {
  /// The outcome of a listing.
  public enum Outcome: Sendable {
    /// The folder was listed, possibly in part if ``FolderListing/failure`` is set.
    case listed
    /// It was not listed: it could not be, or the source doesn't enter it.
    case unlisted
    /// It is one of its own ancestors, reached by a link, and not entered.
    case loop
  }

  /// How a source leaves out files of a folder.
  public enum LeavesOut: Sendable, Comparable {
    /// It doesn't.
    case none
    /// ``FolderReader/leaveOut(_:_:in:)`` hides them.
    case byName
    /// ``FolderReader/readFacts(of:_:into:storage:failures:)`` hides them.
    case byFacts
  }

  /// The outcome.
  public var outcome = Outcome.unlisted
  /// Names and kinds of the files, in byte order.
  public var files = NameTable()
  /// Names of the sub-folders, in byte order. A link that is followed has the kind `symlink`.
  public var folders = NameTable()
  /// Marks by which the source finds the sub-folders again, in the order of ``folders``; empty if
  /// names are enough.
  public var marks: [UInt64] = []
  /// The sub-folders that the source leaves out, in order. They are named because they affect
  /// places on the map; their contents are unknown.
  public var leftOut: [LeftOutEntry] = []
  /// Whether the source also leaves out some of ``files``.
  public var leavesOutFiles = LeavesOut.none
  /// What could not be read in the folder besides, such as a file with rules.
  public var faults: [ScanFault] = []
  /// The facts of the folder itself; nil if unknown or not requested.
  public var facts: FolderFacts?
  /// Why the listing is incomplete; nil if it is complete.
  public var failure: ScanFault.Reason?
  /// Whether the source has contradictory facts of the folder itself, which it has reported.
  public var isDisputed = false
  /// The version stamp; nil if the listing must not be cached, or none was requested.
  public var stamp: ListingStamp?
  /// Several states' facts of the folder, in order; empty for a source of one state.
  public var states: [FolderState] = []
  /// Identifiers of the full contents of each of ``folders``: folders with equal identifiers have
  /// equal contents. An element is nil if unknown or if several states differ; the array is empty
  /// if all are nil.
  public var contents: [ObjectID?] = []

  /// Makes an empty listing.
  public init() {}

  /// Clears the listing, but keeps its memory for the next.
  public mutating func removeAll() {
    outcome = .unlisted
    files.removeAll()
    folders.removeAll()
    if !marks.isEmpty { marks.removeAll(keepingCapacity: true) }
    if !leftOut.isEmpty { leftOut.removeAll() }
    leavesOutFiles = .none
    if !faults.isEmpty { faults.removeAll() }
    facts = nil
    failure = nil
    isDisputed = false
    stamp = nil
    if !states.isEmpty { states.removeAll(keepingCapacity: true) }
    if !contents.isEmpty { contents.removeAll(keepingCapacity: true) }
  }
}

extension FolderListing {
  /// Decides again which sub-folders are left out.
  ///
  /// - Parameter reason: Gets the name of each sub-folder and the reason known so far, and returns
  ///   the new one.
  package mutating func leaveOut(
    _ reason: (_ name: [UInt8], _ known: ExclusionReason?) -> ExclusionReason?
  ) {
    var known = leftOut[...]
    leftOut = []
    for index in 0..<folders.count {
      let entry = known.first?.index == index ? known.removeFirst() : nil
      if let reason = reason(folders.name(at: index), entry.map { $0.reason ?? .pattern }) {
        leftOut.append(LeftOutEntry(index: index, reason: reason))
      }
    }
  }
}

/// The facts of a folder itself.
public struct FolderFacts: Sendable, Equatable {
  /// Modification time in whole Unix seconds, rounded down; nil if the source has no times.
  public var modified: Int64?
  /// Its identity, disk space and owner; nil if unknown or not requested.
  public var storage: FileStorage?

  /// Makes facts from their values.
  public init(modified: Int64?, storage: FileStorage? = nil) {
    self.modified = modified
    self.storage = storage
  }
}

/// The version stamp of a listing, which stays valid as long as the folder has the same stamp.
public struct ListingStamp: Sendable, Hashable {
  /// The identity of the folder.
  public var identity: FileIdentity
  /// Modification time in Unix seconds.
  public var seconds: Int64
  /// The nanoseconds of this time.
  public var nanoseconds: UInt32

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
