import GeoCore

/// A change of an entry in a tree.
package struct TreeChange: Hashable, Sendable {
  /// The kind of change.
  package enum What: String, Sendable, Hashable {
    case created
    /// Its content has changed.
    case modified
    case deleted
    /// It was renamed, or moved to another folder of the tree.
    case moved
    /// Its metadata have changed, but not its content.
    case attributes
  }

  package var what: What
  /// The root's label and the names, joined by `/`; after a move, the new ones.
  package var path: [UInt8]
  /// After a move, the old path.
  package var from: [UInt8]?
  package var isFolder: Bool
  /// Size of a file, in bytes; nil if unknown.
  package var size: Int64?
  /// Size of the file before the change, in bytes, after a move with that of the file that was there
  /// before; nil if unknown, or if it was created or deleted.
  package var was: Int64?
  /// When it was reported, on the clock of ``ThisProcess/nanoseconds``.
  package var time: Int64
}

/// Receives changes in trees.
package protocol TreeObserver: AnyObject {
  /// Reports a change. The watcher still has a removed entry, and everything around it, until this
  /// returns.
  func handle(_ change: TreeChange)

  /// Reports that the system dropped changes; the watcher will scan for them.
  ///
  /// - Parameter time: When changes were last reported.
  func handleLoss(since time: Int64)
}

/// Selects what is watched.
package protocol TreeFilter: AnyObject {
  /// Whether a folder is watched.
  func enters(_ path: [UInt8]) -> Bool

  /// The files of a folder that are shown; nil if the folder is not found.
  func shownFiles(of path: [UInt8]) -> NameTable?
}
