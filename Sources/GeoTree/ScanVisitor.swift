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

/// A visitor's decisions about a listed folder.
public struct FolderDecision<Plan: AnyObject & Sendable>: Sendable {
  /// The plan that the visitor gets back for the sub-folders.
  public var plan: Plan
  /// One for each sub-folder, in the order of their names.
  public var decisions: [TraversalDecision]
  /// Whether to read the folder's files.
  public var wantsFiles: Bool

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

  /// Called when a folder was listed, with the sorted names of its files and sub-folders.
  ///
  /// - Returns: How to continue; nil to skip all contents.
  func enter(
    _ visit: FolderVisit<Plan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<Plan>?

  /// Called for a folder without a listing: not entered, unreadable, or covered by another part.
  func pass(_ visit: FolderVisit<Plan>)

  /// Called before the metadata of some files is read. Sets the status of files that the visitor
  /// has no use for to `hidden`, which skips them; those that the source leaves out by their names
  /// have it already.
  ///
  /// - Parameters:
  ///   - range: The range of the files among the names of the folder.
  ///   - path: The path of the folder on the map.
  ///   - plan: The plan that ``enter(_:files:folders:)`` returned for the folder.
  ///   - facts: One for each name in `range`, in order.
  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    facts: inout [EntryFacts])

  /// Called with several states' facts of some files, if the source has several states, before
  /// ``visit(_:_:of:plan:facts:)`` of the same files.
  func receive(_ versions: FileVersions)

  /// Called with the metadata of some files, after ``select(_:_:of:plan:facts:)`` of the same
  /// files.
  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan, facts: [EntryFacts])

  /// Called with the storage of some files, if requested, after ``visit(_:_:of:plan:facts:)`` of
  /// the same files.
  ///
  /// - Parameters:
  ///   - storage: One for each name; empty if no facts are known.
  ///   - facts: The facts of the same files.
  func visit(_ storage: [FileStorage], facts: [EntryFacts])

  /// The size of the output not yet taken, in bytes.
  var weight: Int { get }

  /// Takes the output so far.
  func takeContent() -> Content
}

extension ScanVisitor {
  /// Does nothing, for visitors that need all files.
  public func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    facts: inout [EntryFacts]
  ) {}

  /// Does nothing, for visitors that don't request storage.
  public func visit(_ storage: [FileStorage], facts: [EntryFacts]) {}

  /// Does nothing, for visitors of one state.
  public func receive(_ versions: FileVersions) {}
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

  /// The path on the map, as bytes.
  public let rawPath: [UInt8]
  /// What happened to the entry.
  public let reason: Reason
  /// The path as text; invalid UTF-8 becomes U+FFFD.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }

  package init(rawPath: [UInt8], reason: Reason) {
    self.rawPath = rawPath
    self.reason = reason
  }
}

extension ScanFault: CustomStringConvertible {
  /// The path on the map, and what is wrong with the entry.
  public var description: String { "\(TerminalText.escaped(rawPath)): \(reason.text)" }
}

extension ScanFault.Reason {
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
  package var lookedAt = ScanReach()

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
  /// Folders that are known: roots, and those that listings name.
  package var known = 0
  /// Listed entries of all states, if several are compared.
  package var ofStates = 0

  package var entries: Int { ofStates > 0 ? ofStates : folders + files }

  package init() {}

  package static func += (total: inout Self, part: Self) {
    total.folders += part.folders
    total.files += part.files
    total.known += part.known
    total.ofStates += part.ofStates
  }
}
