import GeoCore
import GeoSystem

/// What a scan does with a sub-folder.
public enum TraversalDecision: UInt8, Sendable {
  /// Leave it out with all its contents; never open it.
  case hidden
  /// Show it, but don't open it.
  case shown
  /// Show and enter it.
  case entered
}

/// A folder that a scan visits.
public struct FolderVisit<Plan: AnyObject & Sendable> {
  /// The root's label, then names, joined by `/`.
  public let path: [UInt8]
  /// The visitor's plan for the parent's sub-folders; for a root, the plan for the roots.
  public let parentPlan: Plan
  /// The index among the parent's sub-folders that are not hidden.
  public let index: Int
  /// Modification time in whole Unix seconds; nil if unknown.
  public let modified: Int64?
  /// Whether its listing or its metadata is unreadable.
  public let isUnreadable: Bool
  /// Whether it is one of its own ancestors, reached by a link, and so not entered.
  public let isLoop: Bool
  /// The number of its files; 0 if it was not listed.
  public let fileCount: Int
  /// Its identity, disk space and owner; nil if not requested or unknown.
  public let storage: FileStorage?
  /// The indices of sub-folders that the source itself leaves out; visitors must hide them.
  public let leftOut: [Int]
  /// The folder in each of several states; empty if the source has one state.
  public let states: [FolderState]
  /// Identifiers of the sub-folders' contents, as ``FolderListing/contents``.
  public let contents: [ObjectID?]
  /// The reason for each of ``leftOut``; empty if unknown.
  public let leftOutReasons: [ExclusionReason]
  /// The files that the source itself leaves out, with reasons.
  public let filesLeftOut: [LeftOutEntry]
  /// Reads files in the folder while a visitor enters it; nil if not possible.
  private let reader: (any FolderReader)?

  /// Makes a visit of a folder that was not listed.
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

  /// Makes a visit of a listed folder.
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

  /// Decisions that enter all sub-folders except those the source leaves out.
  ///
  /// - Parameter count: The number of sub-folders.
  package func decisions(ofAll count: Int) -> [TraversalDecision] {
    var decisions = [TraversalDecision](repeating: .entered, count: count)
    for index in leftOut { decisions[index] = .hidden }
    return decisions
  }

  /// Reads a regular file with settings for the folder, such as `.gitignore`.
  ///
  /// Call it only while entering the folder.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the folder.
  ///   - following: Whether the last name may be a symbolic link.
  ///   - limit: The largest allowed size in bytes.
  /// - Returns: The bytes; nil if there is no regular file of that path.
  /// - Throws: The error if the file exists but can't be read.
  public func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    try reader?.readFile(path, following: following, limit: limit)
  }
}

/// A visitor's decisions about a listed folder.
public struct FolderDecision<Plan: AnyObject & Sendable>: Sendable {
  /// The plan that the visitor gets back for the sub-folders.
  public var plan: Plan
  /// One for each sub-folder, in the order of their names.
  public var decisions: [TraversalDecision]
  /// Whether to read the folder's files.
  public var wantsFiles: Bool
  /// Faults that occurred during the decision, such as unreadable rules.
  public var faults: [ScanFault] = []

  /// Makes a decision from its parts.
  public init(plan: Plan, decisions: [TraversalDecision], wantsFiles: Bool) {
    self.plan = plan
    self.decisions = decisions
    self.wantsFiles = wantsFiles
  }
}

/// Decides what a scan enters, and produces output from what it reads.
///
/// A scan has one visitor per thread, which sees some of the folders: a folder first, then its
/// files in one or more runs. The scan puts the output in tree order: a folder, its files in byte
/// order of their names, then its sub-folders in byte order of theirs, each with all its contents.
public protocol ScanVisitor: AnyObject, SendableMetatype {
  /// The visitor's data about a folder's sub-folders, made before they are read.
  associatedtype Plan: AnyObject & Sendable
  /// The visitor's output.
  associatedtype Content: Sendable

  /// Called when a folder was listed.
  ///
  /// - Parameters:
  ///   - files: The names of the files, sorted.
  ///   - folders: Names of the sub-folders, sorted.
  /// - Returns: How to continue; nil to skip all contents.
  func enter(
    _ visit: FolderVisit<Plan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<Plan>?

  /// Called for a folder without a listing: not entered, unreadable, or covered by another part.
  func pass(_ visit: FolderVisit<Plan>)

  /// Called before the metadata of some files is read. Sets the status of unwanted files to
  /// `hidden`, which skips them.
  ///
  /// - Parameters:
  ///   - plan: The plan that ``enter(_:files:folders:)`` returned for the folder.
  ///   - facts: One for each name in `range`, in order.
  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    facts: inout [EntryFacts])

  /// Called with several states' facts of some files, if the source has several states, before
  /// ``visit(_:_:of:plan:facts:)`` of the same files.
  func note(_ versions: FileVersions)

  /// Called with the metadata of some files, after ``select(_:_:of:plan:facts:)`` of the same
  /// files.
  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan, facts: [EntryFacts])

  /// Called with the storage of some files, if requested, after ``visit(_:_:of:plan:facts:)`` of
  /// the same files.
  ///
  /// - Parameter storage: One for each name; empty if no facts are known.
  func visit(_ storage: [FileStorage], facts: [EntryFacts])

  /// The size of the output not yet taken, in bytes.
  var weight: Int { get }

  /// Takes the output so far.
  func takeContent() -> Content
}

extension ScanVisitor {
  /// Does nothing, for visitors that don't request storage.
  public func visit(_ storage: [FileStorage], facts: [EntryFacts]) {}

  /// Does nothing, for visitors of one state.
  public func note(_ versions: FileVersions) {}
}

/// An entry with a problem.
public struct ScanFault: Sendable, Hashable {
  /// What happened to the entry.
  public enum Reason: Sendable, Hashable {
    /// Its listing or its metadata could not be read.
    case unreadable(Errno)
    /// It was gone, or no longer of the same kind, when its metadata was read.
    case vanished
    /// A problem in a source other than a disk, such as a list, in words.
    case listed(String)
  }

  /// The root's label, then names, joined by `/`.
  public let path: [UInt8]
  /// What happened to the entry.
  public let reason: Reason

  /// Makes a fault from its parts.
  public init(path: [UInt8], reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension ScanFault: CustomStringConvertible {
  /// The path on the map, and what is wrong with the entry.
  public var description: String { "\(TerminalText.escaped(path)): \(reason.text)" }
}

extension ScanFault.Reason {
  /// The reason in words.
  package var text: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .vanished: "it vanished"
    case .listed(let text): text
    }
  }
}

/// Part of a scan: a visitor's output for consecutive folders and files.
public struct ScanBatch<Content: Sendable>: Sendable {
  /// The visitor's output.
  public let content: Content
  /// Faults in this part, in scan order.
  public var faults: [ScanFault]
  /// The path of the last folder of the batch.
  public let place: [UInt8]
  /// The number of folders and files visited.
  package var lookedAt = ScanReach()

  /// Makes a batch from its parts.
  package init(content: Content, faults: [ScanFault], place: [UInt8]) {
    self.content = content
    self.faults = faults
    self.place = place
  }
}

/// The progress of a scan.
package struct ScanReach: Sendable, Hashable {
  /// Folders and files that were visited, shown or not.
  package var folders = 0
  package var files = 0
  /// Listed entries of all states, if several are compared.
  package var ofStates = 0

  /// The number of entries read.
  package var entries: Int { ofStates > 0 ? ofStates : folders + files }

  package init() {}

  /// Adds the progress of another part.
  package static func += (total: inout Self, part: Self) {
    total.folders += part.folders
    total.files += part.files
    total.ofStates += part.ofStates
  }
}

/// The output of a scan, in batches in tree order.
///
/// A slow reader slows the scan, because the amount read ahead is bounded. A reader that cancels
/// its task or releases the sequence stops the scan, which then closes all its folders. The batches
/// can be read once.
public struct ScanBatches<Content: Sendable>: AsyncSequence, Sendable {
  /// A batch.
  public typealias Element = ScanBatch<Content>

  private let source: Source

  /// Batches from a queue.
  ///
  /// - Parameters:
  ///   - report: Called for each batch that is read.
  ///   - failure: Returns, at the end, the error that ended the scan early.
  init(
    _ queue: OrderedWorkQueue<Content>, reporting report: FileSystemScanner.Listener? = nil,
    failure: @escaping @Sendable () -> (any Error)? = { nil }
  ) {
    source = Source(
      next: {
        try await withTaskCancellationHandler {
          switch await queue.next() {
          case .batch(let batch):
            report?(batch.lookedAt, batch.place)
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

  /// An empty sequence.
  package init() { source = Source(next: { nil }, abandon: {}) }

  /// Continues where the last reader stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Reads batches.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all folders are closed by then.
    public mutating func next() async throws -> ScanBatch<Content>? {
      try await source.next()
    }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all folders are closed by then.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ScanBatch<Content>? {
      try await source.next()
    }
  }

  /// Cancels the scan when the last reference to it is released.
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
