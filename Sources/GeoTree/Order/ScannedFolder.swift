import GeoCore

/// A folder with contents still to visit.
///
/// Work refers to it, so it and the source's kept folder live as long as the work.
final class ScannedFolder: Sendable {
  /// The root's label, then names, joined by `/`; empty for the virtual folder above the roots.
  let path: [UInt8]
  /// The index of its root.
  let root: Int
  /// The visitor's `Plan` for its sub-folders. The type is erased so that work items are plain
  /// values without generics.
  let plan: any AnyObject & Sendable
  /// The sub-folders, without hidden ones.
  let folders: NameTable
  /// The source's marks of these sub-folders; empty if names are enough.
  let marks: [UInt64]
  /// The decision for each of these sub-folders.
  let decisions: [TraversalDecision]
  /// The source's handle of the folder; nil for the virtual folder above the roots.
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
