import GeoCore
import GeoSystem

/// Whether a sub-folder is looked at.
public enum TraversalDecision: UInt8, Sendable {
  /// It is left out, and with it all that is in it: it is never opened.
  case hidden
  /// It is somebody else's: it isn't looked at, but the visitor is told when its turn comes.
  case elsewhere
  /// It is shown, but not opened.
  case shown
  /// It is shown and entered.
  case entered
}

/// A folder that a scan has come to.
public struct FolderVisit<Plan: AnyObject & Sendable> {
  /// The root's label, then names, joined by `/`.
  public let path: [UInt8]
  /// What the visitor knows of the parent's sub-folders; for a root, of the roots.
  public let parentPlan: Plan
  /// Which of the parent's sub-folders this is, among those that were not hidden.
  public let index: Int
  /// When it was changed: Unix time in whole seconds, if that is known.
  public let modified: Int64?
  /// Whether its listing or its metadata could not be read.
  public let isUnreadable: Bool
  /// Whether it is one of its own ancestors, reached by a link, and therefore not entered.
  public let isLoop: Bool
  /// How many of its entries are no folders; 0 if it was not listed.
  public let fileCount: Int
  /// Which one it is, what room it takes and whose it is, where somebody asked for storage.
  public let storage: FileStorage?
  /// Which of its sub-folders the source has left out before: they are to be hidden.
  public let leftOut: [Int]
  /// What each of several states knows of it; empty if its source is of one state.
  public let states: [FolderState]
  /// What names all that is in each of its sub-folders, as ``FolderListing/contents``.
  public let contents: [ObjectID?]
  /// Why, for each of ``leftOut``; empty if nobody knows.
  public let leftOutReasons: [ExclusionReason]
  /// Which of its other entries the source has left out before, and why.
  public let filesLeftOut: [LeftOutEntry]
  /// Reads what is in the folder, while a visitor enters it; nil if nothing can be read.
  private let reader: (any FolderReader)?

  /// A visit of a folder of which no more is known, and in which nothing can be read.
  package init(
    path: [UInt8], parentPlan: Plan, index: Int, facts: FolderFacts?, isUnreadable: Bool,
    isLoop: Bool = false, fileCount: Int = 0, states: [FolderState] = []
  ) {
    self.path = path
    self.parentPlan = parentPlan
    self.index = index
    modified = facts?.modified
    storage = facts?.storage
    self.isUnreadable = isUnreadable
    self.isLoop = isLoop
    self.fileCount = fileCount
    self.states = states
    (leftOut, leftOutReasons, filesLeftOut, contents) = ([], [], [], [])
    reader = nil
  }

  /// A visit of a folder that was listed.
  package init(
    path: [UInt8], parentPlan: Plan, index: Int, _ listing: FolderListing,
    reader: any FolderReader
  ) {
    self.path = path
    self.parentPlan = parentPlan
    self.index = index
    modified = listing.facts?.modified
    storage = listing.facts?.storage
    isUnreadable = listing.failure != nil || listing.isDisputed
    isLoop = false
    fileCount = listing.files.count
    leftOut = listing.leftOut
    states = listing.states
    contents = listing.contents
    leftOutReasons = listing.leftOutReasons
    filesLeftOut = listing.filesLeftOut
    self.reader = reader
  }

  /// What is done with the sub-folders if all are entered but those that the source has left out before.
  ///
  /// - Parameter count: How many sub-folders there are.
  package func decisions(ofAll count: Int) -> [TraversalDecision] {
    var decisions = [TraversalDecision](repeating: .entered, count: count)
    for index in leftOut { decisions[index] = .hidden }
    return decisions
  }

  /// The bytes of a regular file that says something about the folder, such as `.gitignore`.
  ///
  /// To be called only by a visitor that is entering the folder.
  ///
  /// - Parameters:
  ///   - path: Where the file is, from the folder on.
  ///   - following: Whether the last name may be a symbolic link.
  ///   - limit: How many bytes the file may have.
  /// - Returns: The bytes; nil if there is no regular file of that path.
  /// - Throws: Why a file that is there can't be read.
  public func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    try reader?.readFile(path, following: following, limit: limit)
  }
}

/// What a visitor decides about a folder when it is shown its listing.
public struct FolderDecision<Plan: AnyObject & Sendable>: Sendable {
  /// What the visitor wants to know again when it comes to the sub-folders.
  public var plan: Plan
  /// One for each sub-folder, in the order of their names.
  public var decisions: [TraversalDecision]
  /// Whether the folder's files are wanted at all.
  public var wantsFiles: Bool
  /// What could not be read while it was decided.
  public var faults: [ScanFault] = []

  /// A decision of the given parts.
  public init(plan: Plan, decisions: [TraversalDecision], wantsFiles: Bool) {
    self.plan = plan
    self.decisions = decisions
    self.wantsFiles = wantsFiles
  }
}

/// Decides where a scan goes, and makes something of what it finds.
///
/// A scan has one visitor for each of its threads, which sees some of the folders: always a folder
/// first, then its files in one or more runs. What the visitors make is put together in the order
/// of the tree: a folder, its files in byte order of their names, then its sub-folders in byte
/// order of theirs, each with all that is in it.
public protocol ScanVisitor: AnyObject, SendableMetatype {
  /// What a visitor knows of a folder's sub-folders before they are read.
  associatedtype Plan: AnyObject & Sendable
  /// What the visitor makes of what it sees.
  associatedtype Content: Sendable

  /// A folder was listed.
  ///
  /// - Parameters:
  ///   - files: Names of what is no folder, sorted.
  ///   - folders: Names of the sub-folders, sorted.
  /// - Returns: Where to go on; nil if nothing in the folder is wanted.
  func enter(
    _ visit: FolderVisit<Plan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<Plan>?

  /// A folder is shown without having been listed: it was not to be opened, or could not be; or it is
  /// somebody else's.
  func pass(_ visit: FolderVisit<Plan>)

  /// A run of files is about to be asked for metadata: gives those that are not wanted the status
  /// `hidden`, so that they are left alone.
  ///
  /// - Parameters:
  ///   - plan: What ``enter(_:files:folders:)`` decided for the folder.
  ///   - facts: One for each name in `range`, in that order.
  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    facts: inout [EntryFacts])

  /// What each of several states knows of a run of files, where the source is of several; comes before
  /// ``visit(_:_:of:plan:facts:)`` of the same run.
  func note(_ versions: FileVersions)

  /// A run of files was asked for metadata; follows ``select(_:_:of:plan:facts:)`` of the same run.
  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan, facts: [EntryFacts])

  /// Which files a run consists of, where somebody asked for it; follows
  /// ``visit(_:_:of:plan:facts:)`` of the same run.
  ///
  /// - Parameter storage: One for each name of the run; nothing if none of their facts are known.
  func visit(_ storage: [FileStorage], facts: [EntryFacts])

  /// Bytes of what was made and not yet taken.
  var weight: Int { get }

  /// Gives away what was made so far.
  func takeContent() -> Content
}

extension ScanVisitor {
  /// Nothing, for visitors that never ask.
  public func visit(_ storage: [FileStorage], facts: [EntryFacts]) {}

  /// Nothing, for visitors that don't compare.
  public func note(_ versions: FileVersions) {}
}

/// An entry that could not be shown as it is.
public struct ScanFault: Sendable, Hashable {
  /// What became of the entry.
  public enum Reason: Sendable, Hashable {
    /// Its listing or its metadata could not be read.
    case unreadable(Errno)
    /// It was gone, or another kind of entry, when it was looked at.
    case vanished
    /// What a list that is read in place of a disk says of it is wrong or missing, in words.
    case listed(String)
  }

  /// The root's label, then names, joined by `/`.
  public let path: [UInt8]
  /// What became of the entry.
  public let reason: Reason

  /// A fault of the given parts.
  public init(path: [UInt8], reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

/// Part of a scan: what a visitor made of some folders and files that follow each other.
public struct ScanBatch<Content: Sendable>: Sendable {
  /// What the visitor made of them.
  public let content: Content
  /// What could not be read among them, in the order of the scan.
  public var faults: [ScanFault]
  /// The path of the folder that the batch ends in.
  public let place: [UInt8]
  /// How many folders and files were looked at for it.
  package var lookedAt = ScanReach()

  /// A part of the given parts.
  package init(content: Content, faults: [ScanFault], place: [UInt8]) {
    self.content = content
    self.faults = faults
    self.place = place
  }
}

/// How far a scan has come.
package struct ScanReach: Sendable, Hashable {
  /// Folders and files that were looked at, shown or not.
  package var folders = 0
  package var files = 0
  /// Entries of all states that were listed, where several are read side by side.
  package var ofStates = 0

  /// How many entries were read.
  package var entries: Int { ofStates > 0 ? ofStates : folders + files }

  package init() {}

  /// Adds the reach of another part.
  package static func += (total: inout Self, part: Self) {
    total.folders += part.folders
    total.files += part.files
    total.ofStates += part.ofStates
  }
}

/// What a scan finds, in batches, in the order of the tree.
///
/// A reader that is slow slows the scan: what is read ahead is bounded. A reader that stops, because
/// its task is cancelled or because it lets go of the sequence, stops the scan, which closes all
/// that it had opened. The batches can be read once.
public struct ScanBatches<Content: Sendable>: AsyncSequence, Sendable {
  /// A batch.
  public typealias Element = ScanBatch<Content>

  private let source: Source

  /// Batches that come through a queue.
  ///
  /// - Parameters:
  ///   - tell: Told of each batch that is read.
  ///   - failure: Asked at the end for what kept them from being all.
  init(
    _ queue: OrderedWorkQueue<Content>, telling tell: FileSystemScanner.Listener? = nil,
    failure: @escaping @Sendable () -> (any Error)? = { nil }
  ) {
    source = Source(
      next: {
        try await withTaskCancellationHandler {
          switch await queue.next() {
          case .batch(let batch):
            tell?(batch.lookedAt, batch.place)
            return batch
          case .end:
            if let error = failure() { throw error }
            return nil
          case .cancelled: throw CancellationError()
          }
        } onCancel: {
          queue.cancel()
        }
      },
      abandon: { queue.cancel() })
  }

  /// No batches at all.
  package init() { source = Source(next: { nil }, abandon: {}) }

  /// Reads on where the last reader stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Reads batches.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all is closed by then.
    public mutating func next() async throws -> ScanBatch<Content>? {
      try await source.next()
    }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all is closed by then.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ScanBatch<Content>? {
      try await source.next()
    }
  }

  /// Ends the scan when nobody can read it any more.
  fileprivate final class Source: Sendable {
    let next: @Sendable () async throws -> ScanBatch<Content>?
    private let abandon: @Sendable () -> Void

    init(
      next: @escaping @Sendable () async throws -> ScanBatch<Content>?,
      abandon: @escaping @Sendable () -> Void
    ) {
      self.next = next
      self.abandon = abandon
    }

    deinit { abandon() }
  }
}
