/// Tells what changes in some folders, in whichever way the system has for it.
package protocol FolderNotifier: Sendable {
  /// Watches an open folder, which may be closed afterwards.
  ///
  /// - Returns: Its number, the same if it is watched already.
  func watch(_ directory: Int32) throws(Errno) -> Int32

  /// Watches a folder no longer.
  func forget(_ folder: Int32)

  /// Opens a folder that is watched, wherever it is by now; nil if it can't be opened by its number.
  func open(_ folder: Int32) -> Descriptor?

  /// Sleeps until there are changes, without taking them.
  func awaitRecords() throws(Errno)

  /// Whether there are changes that nobody has taken yet.
  var hasRecords: Bool { get }

  /// Waits for changes, and adds them to others as the system has them; it may add none where all were
  /// about folders that are not watched.
  ///
  /// - Returns: Whether these are all that had happened when it was called.
  @discardableResult
  func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool

  /// Takes apart what the system has told, as far as it is about folders that are watched.
  func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change]
}

/// In which way changes are found out.
package enum WatchWay: String, CaseIterable, Sendable {
  /// Each folder has a watch of its own, of which a user has a number.
  case inotify
  /// Whole file systems are watched, which needs a right that root has.
  case fanotify
}

extension FolderWatcher: FolderNotifier {
  package func open(_ folder: Int32) -> Descriptor? { nil }

  package func changes(in records: ArraySlice<UInt8>) -> [Change] { Self.changes(in: records) }
}
