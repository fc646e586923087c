import GeoCore

package struct TreeChange: Hashable, Sendable {
  package enum What: String, Sendable, Hashable {
    case created
    /// Its content.
    case modified
    case deleted
    case moved
    /// Its metadata, but not its content.
    case attributes
  }

  package var what: What
  /// The root's label and the names, joined by `/`; after a move, the new ones.
  package var path: [UInt8]
  package var from: [UInt8]?
  package var isFolder: Bool
  /// Of a file, in bytes; nil if unknown.
  package var size: Int64?
  /// Size of the file before the change, in bytes, after a move with that of the file that was there
  /// before; nil if unknown, or if it was created or deleted.
  package var was: Int64?
  /// When it was reported, on the clock of ``ThisProcess/nanoseconds``.
  package var time: Int64
}

package protocol TreeObserver: AnyObject {
  /// The watcher still has a removed entry, and everything around it, until this returns.
  func handle(_ change: TreeChange)

  /// The system dropped changes after `time`; the watcher will scan for them.
  func handleLoss(since time: Int64)
}

/// Selects what is watched.
package protocol TreeFilter: AnyObject {
  func enters(_ path: [UInt8]) -> Bool

  /// Nil if the folder is not found.
  func shownFiles(of path: [UInt8]) -> NameTable?
}
