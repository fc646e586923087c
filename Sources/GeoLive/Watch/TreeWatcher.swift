import GeoCore
import GeoTree
import GeoSystem

/// Keeps the trees of a disk up to date in memory by the system's reports, and reports all changes.
///
/// A folder is watched before it is listed, so that changes in between are reported, possibly
/// twice. Each report is checked on disk; one that agrees with the tree is ignored. Used by one
/// thread.
package final class TreeWatcher {
  package let tree: KnownTree
  let roots: [ScanRoot]
  let watcher: any FolderNotifier
  let shared: SharedWatcher?
  package weak var observer: (any TreeObserver)?
  /// Nil for everything.
  package weak var filter: (any TreeFilter)?
  /// Files that are treated as missing, and folders that are not entered.
  package var ignored: Set<FileSystem.Identity> = []
  let staysOnFileSystem: Bool
  /// Of each root.
  private var devices: [Int32: UInt64] = [:]

  /// Number of folders that the system could not watch.
  package private(set) var unwatched = 0
  /// Counts each attempt.
  package internal(set) var unreadable = 0

  /// The folder of each watch.
  var watched: [Int32: Int32] = [:]
  /// Further folders with the same watch, where a folder is in the trees more than once.
  var twins: [Int32: [Int32]] = [:]
  var hot: Set<Int32> = []
  var recent: [RecentKey: Recent] = [:]
  var pending = PendingChanges()
  private(set) var inbox: EventInbox?
  package internal(set) var lostRoots: Set<Int32> = []
  var held = HeldChanges()
  var recentReads = RecentReads()
  /// Folders that may have been read at a wrong path, so that they were mistaken for others or not
  /// found. They are checked when no changes arrive.
  var suspects: Set<Int32> = []
  /// Those suspects whose files may be outdated, as they were read at a wrong path.
  var outdated: Set<Int32> = []
  var lastDealt: Int64 = 0
  var lastReport = ThisProcess.nanoseconds
  /// When a loss that is not repaired yet was detected.
  var lossTime: Int64?
  var repairDuration: Int64 = 0

  let finder: FolderFinder

  struct RecentKey: Hashable {
    var folder: Int32
    var name: [UInt8]
  }

  struct Recent {
    var time: Int64
    var pending: TreeChange.What?
  }

  /// Time without changes after which suspects are checked, in nanoseconds.
  static let quietTime: Int64 = 50_000_000
  /// Minimum time between two reports of changes of the same file, in nanoseconds.
  static let pause: Int64 = 1_000_000_000
  static let maximumRecent = 100_000

  /// The roots are in the byte order of their labels.
  package init(_ roots: [ScanRoot], by notifier: Notifier, staysOnFileSystem: Bool = false) {
    self.roots = roots
    self.staysOnFileSystem = staysOnFileSystem
    tree = KnownTree(labels: roots.map(\.label))
    (watcher, shared) = (notifier.watcher, notifier.shared)
    finder = FolderFinder(of: tree, roots)
  }

  deinit { shared?.endWhole() }

  package func deliver(to inbox: EventInbox) throws(Errno) {
    self.inbox = inbox
    try inbox.receive(from: watcher)
  }

  func isPassedOver(_ folder: Int32, _ descriptor: Int32) -> Bool {
    if ignored.isEmpty, !staysOnFileSystem { return false }
    guard let facts = try? FileSystem.facts(of: descriptor) else { return false }
    if ignored.contains(facts.identity) { return true }
    if tree[folder].parent < 0 { devices[folder] = facts.identity.device }
    return staysOnFileSystem && devices[tree.root(of: folder)] != facts.identity.device
  }

  // MARK: Watches

  /// Returns the folders that have had this watch before, perhaps by mistake.
  func watch(_ folder: Int32, _ descriptor: Int32) -> [Int32] {
    guard let number = try? watcher.watch(descriptor) else {
      if tree[folder].watch < 0 {
        unwatched += 1
        shared?.endWhole()
      }
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

  /// The watch ends with its last folder.
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

  func folders(of watch: Int32) -> [Int32] {
    guard let first = watched[watch] else { return [] }
    return [first] + (twins[watch] ?? [])
  }

  // MARK: Reporting

  /// `was`: the files that it has taken the place of; nil if unknown.
  func report(
    _ what: TreeChange.What, _ name: [UInt8], in folder: Int32, isFolder: Bool, size: Int64? = nil,
    was: [KnownFile]? = nil, from: [UInt8]? = nil, at time: Int64
  ) {
    let change = TreeChange(
      what: what, path: tree.path(of: folder).appending(component: name), from: from,
      isFolder: isFolder, size: size,
      // A file that could not be read yet was reported without bytes: they come now.
      was: was.map { old in old.reduce(0) { $0 &+ ($1.kind == .unknown ? 0 : $1.size) } },
      time: time)
    shared?.handle(change)
    observer?.handle(change)
  }

  func remove(_ folder: Int32, reports: Bool, at time: Int64) {
    finder.leave()
    if reports { reportRemoval(of: folder, at: time) }
    tree.detach(folder)
    tree.discard(folder) { gone, watch in
      unlink(gone, from: watch)
      hot.remove(gone)
    }
  }

  func reportRemoval(of folder: Int32, at time: Int64) {
    // Contents come first, so each folder is taken from the stack twice.
    var rest: [(folder: Int32, isSeen: Bool)] = [(folder, false)]
    while let (next, isSeen) = rest.popLast() {
      if !isSeen {
        rest.append((next, true))
        for child in tree[next].folders.reversed() { rest.append((child, false)) }
        continue
      }
      tree[next].files.forEach { name, file in
        if file.isShown {
          report(.deleted, name, in: next, isFolder: false, size: file.size, at: time)
        }
      }
      let parent = tree[next].parent
      if parent >= 0, tree[next].isEntered {
        report(.deleted, tree[next].name, in: parent, isFolder: true, at: time)
      }
    }
  }

  // MARK: Time

  /// When ``tick(at:)`` must be called.
  package var deadline: Int64? {
    var next = held.deadline
    if !recent.isEmpty {
      next = min(next ?? .max, max(oldestRecent + Self.pause, lastTick + Self.step))
    }
    if !suspects.isEmpty { next = min(next ?? .max, lastDealt + Self.quietTime) }
    if let repairTime { next = min(next ?? .max, repairTime) }
    if !hot.isEmpty { next = min(next ?? .max, max(lastDealt + Self.quiet, lastTick + Self.step)) }
    return next
  }
  private var lastTick: Int64 = 0
  private var lastCheck: Int64 = 0
  /// Lower bound of the times in `recent`.
  private var oldestRecent: Int64 = 0
  /// Minimum time between two passes over pending work, in nanoseconds.
  private static let step: Int64 = 250_000_000
  /// Minimum time between two checks for the roots, in nanoseconds.
  private static let rootPause: Int64 = 2_000_000_000
  /// Time without changes after which folders are packed, in nanoseconds.
  private static let quiet: Int64 = 60_000_000_000

  package func finish(at now: Int64) {
    if !held.isEmpty { applyHeld() }
    if !suspects.isEmpty { verify(at: now) }
    if lossTime != nil { repair(at: now) }
    let pending = recent
    recent = [:]
    for (key, entry) in pending where tree[key.folder].isThere {
      if let what = entry.pending { updateFile(key.name, in: key.folder, what, at: now) }
    }
  }

  package func tick(at now: Int64) {
    if let due = held.deadline, now >= due { applyHeld() }
    if !suspects.isEmpty, held.isEmpty, now - lastDealt >= Self.quietTime { verify(at: now) }
    if let repairTime, now >= repairTime { repair(at: now) }
    if now - lastTick < Self.step { return }
    if now - lastCheck >= Self.rootPause {
      lastCheck = now
      checkRoots()
    }
    lastTick = now
    for (key, entry) in recent where now - entry.time >= Self.pause {
      recent[key] = nil
      if let what = entry.pending, tree[key.folder].isThere {
        updateFile(key.name, in: key.folder, what, at: now)
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
