import GeoCore
import GeoTree
import GeoSystem

/// Keeps what is known of trees on a disk right, by what the system tells, and tells what happens.
///
/// Each folder is watched first and listed then, so that what happens in between is told, if twice.
/// What is told of is looked at; what agrees with what is known already is nothing new. It belongs to
/// one thread.
package final class TreeWatcher {
  package let tree: KnownTree
  let roots: [ScanRoot]
  let watcher: any FolderNotifier
  /// In which way changes are found out.
  package let way: WatchWay
  /// Who is told.
  package weak var observer: (any TreeObserver)?
  /// What is left out; nil if nothing is.
  package weak var filter: (any TreeFilter)?
  /// Files that are treated as not there, and folders that are not entered.
  package var ignored: Set<FileSystem.Identity> = []
  /// Whether folders of another file system than their root's are not entered.
  let staysOnFileSystem: Bool
  /// The file system of each root.
  private var devices: [Int32: UInt64] = [:]

  /// How many folders there are that the system had no watch for.
  package private(set) var unwatched = 0
  /// How many folders could not be listed when they were looked at.
  package internal(set) var unreadable = 0

  /// The folder that each watch is of.
  var watched: [Int32: Int32] = [:]
  /// Further folders with the same watch: those that the trees have more than once.
  var twins: [Int32: [Int32]] = [:]
  /// Folders whose files were unpacked.
  var hot: Set<Int32> = []
  /// What was told of files a moment ago.
  var recent: [RecentKey: Recent] = [:]
  /// What waits for the other half of a renaming.
  var held = HeldChanges()
  /// Folders that were looked at while more may have happened than was dealt with.
  var looks = RecentLooks()
  /// Those of them that turned out to have been looked for in other places than they had: they may have been
  /// taken for others, or not been found. They are looked at again when all is quiet.
  var suspects: Set<Int32> = []
  /// Those of them whose files were looked for where they may not have been, so that what is known of
  /// them may be old.
  var outdated: Set<Int32> = []
  /// When something that concerns the trees was last dealt with.
  var lastDealt: Int64 = 0
  /// When the system last told anything.
  var lastTold = ThisProcess.nanoseconds
  /// When it was found out that changes were lost, as long as they were not looked for.
  var lossTime: Int64?
  /// How long it took to look for what was lost, the last time.
  var repairDuration: Int64 = 0

  /// Goes to the folders of the disk.
  let finder: FolderFinder

  /// A file of a folder.
  struct RecentKey: Hashable {
    var folder: Int32
    var name: [UInt8]
  }

  /// When a file was told of, and what has become of it since.
  struct Recent {
    var time: Int64
    var pending: TreeChange.What?
  }

  /// For how long nothing must have happened before suspects are looked at, in nanoseconds.
  static let rest: Int64 = 50_000_000
  /// How often changes of one file's content are told, in nanoseconds.
  static let pause: Int64 = 1_000_000_000
  /// How many files are kept apart so.
  static let mostRecent = 100_000

  /// A watcher of some roots, of which nothing is known yet.
  ///
  /// - Parameters:
  ///   - roots: Folders of this machine, in the byte order of their labels.
  ///   - notifier: Reports changes; of the roots, too, if it watches whole file systems.
  ///   - staysOnFileSystem: Whether folders of another file system than their root's are not entered.
  package init(_ roots: [ScanRoot], by notifier: Notifier, staysOnFileSystem: Bool = false) {
    self.roots = roots
    self.staysOnFileSystem = staysOnFileSystem
    tree = KnownTree(labels: roots.map(\.label))
    (watcher, way) = (notifier.watcher, notifier.way)
    finder = FolderFinder(of: tree, roots, by: watcher, way)
  }

  /// Has what the system tells put into an inbox from now on.
  package func tell(_ inbox: EventInbox) throws(Errno) { try inbox.receive(from: watcher) }

  /// Whether an open folder is not to be entered.
  func isPassedOver(_ folder: Int32, _ descriptor: Int32) -> Bool {
    if ignored.isEmpty, !staysOnFileSystem { return false }
    guard let facts = try? FileSystem.facts(of: descriptor) else { return false }
    if ignored.contains(facts.identity) { return true }
    if tree[folder].parent < 0 { devices[folder] = facts.identity.device }
    return staysOnFileSystem && devices[tree.root(of: folder)] != facts.identity.device
  }

  // MARK: Watches

  /// Watches the folder that the reader is in.
  ///
  /// - Returns: Folders that had this watch before, and may have been taken for it by mistake.
  func watch(_ folder: Int32, _ descriptor: Int32) -> [Int32] {
    guard let number = try? watcher.watch(descriptor) else {
      if tree[folder].watch < 0 { unwatched += 1 }
      return []
    }
    let old = tree[folder].watch
    if old == number { return [] }
    if old >= 0 { unlink(folder, from: old) }
    tree.setWatch(number, of: folder)
    guard let first = watched[number] else {
      watched[number] = folder
      return []
    }
    let others = [first] + (twins[number] ?? [])
    twins[number, default: []].append(folder)
    return others
  }

  /// Takes a folder away from a watch; the last one takes the watch with it.
  func unlink(_ folder: Int32, from watch: Int32) {
    tree.setWatch(-1, of: folder)
    if watched[watch] == folder {
      guard let twin = twins[watch]?.popLast() else {
        watched[watch] = nil
        watcher.forget(watch)
        return
      }
      watched[watch] = twin
    } else {
      twins[watch]?.removeAll { $0 == folder }
    }
    if twins[watch]?.isEmpty == true { twins[watch] = nil }
  }

  /// The folders that a watch is of.
  func folders(of watch: Int32) -> [Int32] {
    guard let first = watched[watch] else { return [] }
    return [first] + (twins[watch] ?? [])
  }

  // MARK: Telling

  /// Tells of an entry.
  func tell(
    _ what: TreeChange.What, _ name: [UInt8], in folder: Int32, isFolder: Bool, size: Int64? = nil,
    from: [UInt8]? = nil, at time: Int64
  ) {
    observer?.note(
      TreeChange(
        what: what, path: tree.path(of: folder).appending(component: name), from: from,
        isFolder: isFolder, size: size, time: time))
  }

  /// Forgets a folder with all that is in it.
  ///
  /// - Parameter tells: Whether that is told of, what is in it first.
  func remove(_ folder: Int32, tells: Bool, at time: Int64) {
    finder.leave()
    if tells { tellOfRemoval(of: folder, at: time) }
    tree.detach(folder)
    tree.discard(folder) { gone, watch in
      unlink(gone, from: watch)
      hot.remove(gone)
    }
  }

  private func tellOfRemoval(of folder: Int32, at time: Int64) {
    // A folder is told of after what is in it: it is met twice.
    var rest: [(folder: Int32, isSeen: Bool)] = [(folder, false)]
    while let (next, isSeen) = rest.popLast() {
      if !isSeen {
        rest.append((next, true))
        for child in tree[next].folders.reversed() { rest.append((child, false)) }
        continue
      }
      tree[next].files.forEach { name, file in
        if file.isShown {
          tell(.deleted, name, in: next, isFolder: false, size: file.size, at: time)
        }
      }
      let parent = tree[next].parent
      if parent >= 0, tree[next].isEntered {
        tell(.deleted, tree[next].name, in: parent, isFolder: true, at: time)
      }
    }
  }

  // MARK: Time

  /// When ``tick(at:)`` has something to do; nil if nothing is waited for.
  package var deadline: Int64? {
    var next = held.deadline
    if !recent.isEmpty {
      next = min(next ?? .max, max(oldestRecent + Self.pause, lastTick + Self.step))
    }
    if !suspects.isEmpty { next = min(next ?? .max, lastDealt + Self.rest) }
    if let repairTime { next = min(next ?? .max, repairTime) }
    if !hot.isEmpty { next = min(next ?? .max, max(lastDealt + Self.quiet, lastTick + Self.step)) }
    return next
  }
  private var lastTick: Int64 = 0
  /// The time of the oldest of what was told of a moment ago, or an earlier one.
  private var oldestRecent: Int64 = 0
  /// What is put off is looked through no more often than this, in nanoseconds.
  private static let step: Int64 = 250_000_000
  /// After how long without changes folders are packed again.
  private static let quiet: Int64 = 60_000_000_000

  /// Does all that was put off, at the end.
  package func finish(at now: Int64) {
    if !held.isEmpty { settle() }
    if !suspects.isEmpty { verify(at: now) }
    if lossTime != nil { repair(at: now) }
    let pending = recent
    recent = [:]
    for (key, entry) in pending where tree[key.folder].isThere {
      if let what = entry.pending { look(at: key.name, in: key.folder, what, at: now) }
    }
  }

  /// Does what was put off.
  package func tick(at now: Int64) {
    if let due = held.deadline, now >= due { settle() }
    if !suspects.isEmpty, held.isEmpty, now - lastDealt >= Self.rest { verify(at: now) }
    if let repairTime, now >= repairTime { repair(at: now) }
    if now - lastTick < Self.step { return }
    lastTick = now
    for (key, entry) in recent where now - entry.time >= Self.pause {
      recent[key] = nil
      if let what = entry.pending, tree[key.folder].isThere {
        look(at: key.name, in: key.folder, what, at: now)
      }
    }
    oldestRecent = recent.values.reduce(now) { min($0, $1.time) }
    if !hot.isEmpty, now - lastDealt >= Self.quiet {
      for folder in hot where tree[folder].isThere { tree.pack(folder) }
      hot = []
    }
    finder.leave()
  }
}
