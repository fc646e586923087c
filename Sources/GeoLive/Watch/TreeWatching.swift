import GeoSystem

/// Finds out what happens in trees, and tells an observer. It belongs to one thread.
package protocol TreeWatching: AnyObject {
  /// Who is told.
  var observer: (any TreeObserver)? { get set }
  /// Files that are treated as not there, and folders that are not entered.
  var ignored: Set<FileSystem.Identity> { get set }
  /// In which way changes are found out.
  var way: WatchWay { get }
  /// How many folders can't be watched.
  var unwatched: Int { get }
  /// How many folders could not be listed when they were looked at.
  var unreadable: Int { get }

  /// Has what the system tells put into an inbox from now on.
  func tell(_ inbox: EventInbox) throws(Errno)

  /// Does what has to be done once, at the beginning.
  func start()

  /// Takes in what the system has told.
  func process(_ piece: EventInbox.Piece)

  /// Changes were thrown away before they came here.
  func noteLostPieces()

  /// When ``tick(at:)`` has something to do; nil if nothing is waited for.
  var deadline: Int64? { get }

  /// Does what was put off, and looks for what was lost.
  func tick(at now: Int64)

  /// Does all that was put off, at the end.
  func finish(at now: Int64)
}

extension TreeWatcher: TreeWatching {}
