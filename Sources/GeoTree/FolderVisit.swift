import GeoCore
import GeoSystem

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
  /// The sub-folders that the source leaves out, in order; visitors must hide them.
  public let leftOut: [LeftOutEntry]
  /// The folder in each of several states; empty if the source has one state.
  package let states: [FolderState]
  /// Identifiers of the sub-folders' contents, as ``FolderListing/contents``.
  package let contents: [ObjectID?]

  init(path: [UInt8], parentPlan: Plan, index: Int, _ listing: FolderListing) {
    let isListed = listing.outcome == .listed
    self.path = path
    self.parentPlan = parentPlan
    self.index = index
    modified = listing.facts?.modified
    storage = listing.facts?.storage
    isUnreadable = listing.failure != nil || listing.isDisputed
    isLoop = listing.outcome == .loop
    fileCount = isListed ? listing.files.count : 0
    leftOut = isListed ? listing.leftOut : []
    states = listing.states
    contents = isListed ? listing.contents : []
  }

  /// Decisions that enter all sub-folders except those the source leaves out.
  package func decisions(ofAll count: Int) -> [TraversalDecision] {
    var decisions = [TraversalDecision](repeating: .entered, count: count)
    for left in leftOut { decisions[left.index] = .hidden }
    return decisions
  }
}
