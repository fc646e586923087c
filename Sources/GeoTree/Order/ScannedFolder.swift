import GeoCore

/// A folder whose contents are still to be visited.
///
/// It is there as long as there is work in it, and its source keeps it as long.
final class ScannedFolder: Sendable {
  /// The root's label, then names, joined by `/`; empty for the folder of all roots.
  let path: [UInt8]
  /// Which root it is below.
  let root: Int
  /// What the visitor knows of its sub-folders: a `Plan` of the scan's visitors. Its type is left
  /// open, so that the work in hand is plain values, which no generic code has to look up.
  let plan: any AnyObject & Sendable
  /// The sub-folders that are not hidden.
  let folders: NameTable
  /// By which their source finds them; empty if names are enough.
  let marks: [UInt64]
  /// What becomes of each of them.
  let decisions: [TraversalDecision]
  /// The folder itself; nil for the folder of all roots.
  let kept: (any KeptFolder)?

  init(
    path: [UInt8], root: Int, plan: any AnyObject & Sendable, folders: NameTable,
    marks: [UInt64], decisions: [TraversalDecision], kept: (any KeptFolder)?
  ) {
    self.path = path
    self.root = root
    self.plan = plan
    self.folders = folders
    self.marks = marks
    self.decisions = decisions
    self.kept = kept
  }
}
