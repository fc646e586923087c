import GeoCore

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
  /// Handles by which the source finds the sub-folders again, in the order of ``folders``; empty if
  /// names are enough.
  public var handles: [UInt64] = []
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
  package var isDisputed = false
  /// The version stamp; nil if the listing must not be cached, or none was requested.
  public var stamp: ListingStamp?
  /// Several states' facts of the folder, in order; empty for a source of one state.
  package var states: [FolderState] = []
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
    if !handles.isEmpty { handles.removeAll(keepingCapacity: true) }
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
  /// Decides again which sub-folders are left out, by the name of each and the reason known so far.
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
