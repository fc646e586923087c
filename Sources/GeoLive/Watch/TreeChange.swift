import GeoCore
import GeoSystem

/// What has happened to an entry of a tree.
package struct TreeChange: Hashable, Sendable {
  /// What became of it.
  package enum What: String, Sendable, Hashable {
    case created
    /// Its content is another one.
    case modified
    case deleted
    /// It was given another name, in its folder or another one of the tree.
    case moved
    /// What is known of it is another, but not its content.
    case attributes
  }

  package var what: What
  /// The root's label and the names, joined by `/`; of an entry that was moved, the new ones.
  package var path: [UInt8]
  /// Of an entry that was moved, the path before.
  package var from: [UInt8]?
  package var isFolder: Bool
  /// Bytes of a file; nil if they are not known.
  package var size: Int64?
  /// When it was told, on the clock of ``ThisProcess/nanoseconds``.
  package var time: Int64
}

/// Who is told what happens in trees.
package protocol TreeObserver: AnyObject {
  /// Something has happened to an entry. What is gone is still known at this moment, with all that was
  /// around it.
  func note(_ change: TreeChange)

  /// The system has thrown away changes; what they were is found out by looking.
  ///
  /// - Parameter time: When the last changes were told before.
  func noteLoss(since time: Int64)
}

/// What of trees is not watched.
package protocol TreeFilter: AnyObject {
  /// Whether a folder is entered.
  func enters(_ path: [UInt8]) -> Bool

  /// The files of a folder that are shown.
  func shownFiles(of path: [UInt8]) -> NameTable?
}
