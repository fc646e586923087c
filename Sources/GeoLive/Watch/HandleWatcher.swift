import GeoCore
import GeoSystem
import GeoTree

/// Reports changes without keeping the trees in memory: the system is asked for the path of each
/// event's folder, so memory doesn't grow with the trees.
///
/// It can't recover lost changes or provide totals. Paths are those at the time of the request.
/// Used by one thread.
package final class HandleWatcher: TreeWatching {
  package weak var observer: (any TreeObserver)?
  package var ignored: Set<FileSystem.Identity> {
    get { places.ignored }
    set { places.ignored = newValue }
  }
  package let method = WatchMethod.fanotify
  package let unwatched = 0
  package let unreadable = 0
  /// A source for maps that still shows an entry while its removal is reported.
  package let source = CachingSource()

  private let watcher: FileSystemWatcher
  private var places: HandlePlaces
  /// Files that were reported recently.
  private var recent: [[UInt8]: Recent] = [:]
  private var lastReport = ThisProcess.nanoseconds

  private struct Recent {
    var time: Int64
    var pending: TreeChange.What?
    /// The folder's handle, to look at the file again.
    var handle: [UInt8]
    var name: [UInt8]
  }

  /// Maximum number of recently reported files.
  private static let mostRecent = 20_000
  /// Minimum time between two reports of changes of the same file, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  /// Creates a watcher of some roots.
  ///
  /// - Parameter roots: Folders of this machine, in the byte order of their labels.
  /// - Throws: The error if their file systems can't be watched.
  package init(_ roots: [ScanRoot]) throws(Errno) {
    watcher = try FileSystemWatcher(keepingAll: true)
    for root in roots { try watcher.watchFileSystem(of: root.directory) }
    places = try HandlePlaces(roots)
  }

  package func deliver(to inbox: EventInbox) throws(Errno) { try inbox.receive(from: watcher) }

  package func start() {}

  // MARK: Losses

  package func noteLostPieces() { observer?.noteLoss(since: lastReport) }

  // MARK: Events

  package func process(_ piece: EventInbox.Piece) {
    for event in FileSystemEvent.all(in: piece.records[...]) {
      if event.isOverflow {
        noteLostPieces()
      } else if let old = event.place, let new = event.new {
        rename(old, new, isFolder: event.isFolder, at: piece.time)
      } else if let place = event.new ?? event.place {
        take(event, at: place, time: piece.time)
      }
    }
    lastReport = piece.time
  }

  private func take(_ event: FileSystemEvent, at place: FileSystemEvent.Place, time: Int64) {
    let folders = places.folders(of: place.handle)
    if place.isSelf {
      guard event.isEnd else { return }
      for folder in folders where places.isRoot(folder) {
        report(.deleted, folder.path, isFolder: true, at: time)
      }
      places.forget(place.handle)
      return
    }
    if folders.isEmpty { return }
    let facts = places.facts(of: place)
    if let facts, ignored.contains(facts.identity) { return }
    for folder in folders {
      let path = folder.path.appending(component: place.name)
      // The system merges creations and removals of one name into one event; the current state came
      // last.
      if event.isNew, event.isGone, facts != nil {
        report(.deleted, path, isFolder: event.isFolder, at: time)
      }
      if event.isNew {
        report(.created, path, isFolder: event.isFolder, size: facts?.size, at: time)
        note(path, place, at: time)
      }
      if event.isGone, facts == nil || !event.isNew {
        recent[path] = nil
        report(.deleted, path, isFolder: event.isFolder, at: time)
      }
      guard event.isOther, !event.isNew, !event.isGone, let facts else { continue }
      let what: TreeChange.What = event.isContent ? .modified : .attributes
      if event.isFolder {
        if !event.isContent { report(.attributes, path, isFolder: true, at: time) }
      } else if let before = recent[path], time - before.time < Self.pause {
        recent[path]?.pending = before.pending == .modified ? .modified : what
      } else {
        report(what, path, isFolder: false, size: facts.size, at: time)
        note(path, place, at: time)
      }
    }
  }

  private func rename(
    _ old: FileSystemEvent.Place, _ new: FileSystemEvent.Place, isFolder: Bool, at time: Int64
  ) {
    var (sources, targets) = (places.folders(of: old.handle), places.folders(of: new.handle))
    if isFolder, !(sources.isEmpty && targets.isEmpty) {
      places.follow(old, sources, new, targets)
    }
    let facts = places.facts(of: new)
    if let facts, ignored.contains(facts.identity) { return }
    for source in sources { recent[source.path.appending(component: old.name)] = nil }
    // A folder may be below several roots: each old path is paired with one new path.
    while let source = sources.popLast() {
      let from = source.path.appending(component: old.name)
      let index = targets.firstIndex { $0.root == source.root } ?? targets.indices.first
      guard let index else {
        if isFolder { reportAll(below: from, at: new, .deleted, time: time) }
        report(.deleted, from, isFolder: isFolder, at: time)
        continue
      }
      let path = targets.remove(at: index).path.appending(component: new.name)
      report(.moved, path, isFolder: isFolder, size: facts?.size, from: from, at: time)
    }
    for target in targets {
      let path = target.path.appending(component: new.name)
      report(.created, path, isFolder: isFolder, size: facts?.size, at: time)
      if isFolder { reportAll(below: path, at: new, .created, time: time) }
    }
  }

  private func report(
    _ what: TreeChange.What, _ path: [UInt8], isFolder: Bool, size: Int64? = nil,
    from: [UInt8]? = nil, at time: Int64
  ) {
    // The map must still show its place.
    if what == .deleted { source.recall(isFolder ? path : path.parentPath.map { Array($0) }) }
    observer?.note(
      TreeChange(what: what, path: path, from: from, isFolder: isFolder, size: size, time: time))
    source.recall(nil)
  }

  /// Reports everything in a folder that was moved into or out of the tree.
  ///
  /// - Parameters:
  ///   - path: Its path on the map.
  ///   - place: Its current place.
  private func reportAll(
    below path: [UInt8], at place: FileSystemEvent.Place, _ what: TreeChange.What, time: Int64
  ) {
    guard let parent = places.open(place.handle),
      let folder = try? FileSystem.openFolder(place.name, in: parent.rawValue),
      let real = try? FileSystem.path(of: folder.rawValue)
    else { return }
    let root = ScanRoot(label: path.lastComponent.map { $0 }, directory: real)
    let reader = DiskSource.shared.session(FileSystemScanner.Options(), readers: 1).makeReader()
    var listing = FolderListing()
    var rest: [(path: [UInt8], below: [UInt8])] = [(root.label, path)]
    while let (next, shown) = rest.popLast() {
      reader.list(.path(root: root, path: next, mark: nil), into: &listing)
      for index in 0..<listing.files.count {
        report(
          what, shown.appending(component: listing.files.name(at: index)), isFolder: false, at: time
        )
      }
      for index in 0..<listing.folders.count {
        let name = listing.folders.name(at: index)
        report(what, shown.appending(component: name), isFolder: true, at: time)
        rest.append((next.appending(component: name), shown.appending(component: name)))
      }
    }
  }

  // MARK: Time

  private func note(_ path: [UInt8], _ place: FileSystemEvent.Place, at time: Int64) {
    if recent.count < Self.mostRecent {
      recent[path] = Recent(time: time, handle: place.handle, name: place.name)
    }
  }

  package var deadline: Int64? { recent.isEmpty ? nil : lastTick + 250_000_000 }
  private var lastTick: Int64 = 0

  package func tick(at now: Int64) {
    if now - lastTick < 250_000_000 { return }
    lastTick = now
    settle(at: now) { now - $0.time >= Self.pause }
  }

  package func finish(at now: Int64) { settle(at: now) { _ in true } }

  private func settle(at now: Int64, _ isDue: (Recent) -> Bool) {
    for (path, entry) in recent where isDue(entry) {
      recent[path] = nil
      guard let what = entry.pending,
        let facts = places.facts(of: FileSystemEvent.Place(handle: entry.handle, name: entry.name))
      else { continue }
      report(what, path, isFolder: false, size: facts.size, at: now)
    }
  }
}

/// Opens the folders of a tree on disk. Used by one thread.
final class FolderFinder {
  private let tree: KnownTree
  private let roots: [ScanRoot]
  private let watcher: any FolderNotifier
  private let method: WatchMethod
  private let session: any TreeSession
  private var openReader: (any FolderReader)?
  /// The folder where the reader's path begins, if it was opened by number.
  private var openStart: Descriptor?

  /// - Parameters:
  ///   - roots: The roots of the tree.
  ///   - watcher: Assigns numbers to watched folders.
  ///   - method: How it watches.
  init(
    of tree: KnownTree, _ roots: [ScanRoot], by watcher: any FolderNotifier, _ method: WatchMethod
  ) {
    (self.tree, self.roots, self.watcher, self.method) = (tree, roots, watcher, method)
    var options = FileSystemScanner.Options()
    options.asksForStorage = true
    session = DiskSource.shared.session(options, readers: 1)
  }

  /// The reader of the disk.
  var reader: any FolderReader {
    if let openReader { return openReader }
    let reader = session.makeReader()
    openReader = reader
    return reader
  }

  /// Closes the open folders, as others may have taken their paths.
  func leave() { openReader = nil }

  /// Enters a folder on disk.
  ///
  /// - Parameter atPlace: Whether to enter the folder that is now at its path, rather than the
  ///   known folder, which may have moved.
  /// - Returns: Its descriptor, which is valid until the reader enters another folder.
  @discardableResult
  func enter(_ folder: Int32, atPlace: Bool = false) throws(Errno) -> Int32 {
    let reference = reference(to: folder, atPlace: atPlace)
    try reader.enter(reference)
    guard let descriptor = reader.openFolder else { throw .noEntry }
    return descriptor
  }

  /// Lists a folder on disk.
  func list(_ folder: Int32, into listing: inout FolderListing) {
    let reference = reference(to: folder)
    reader.list(reference, into: &listing)
  }

  /// The folder on disk: opened by number if the system can do that, else by path from the nearest
  /// ancestor that can be opened by number, or from its root.
  private func reference(to folder: Int32, atPlace: Bool = false) -> FolderReference {
    var names: [[UInt8]] = []
    var next = folder
    if atPlace, folder >= roots.count {
      names.append(tree[folder].name)
      next = tree[folder].parent
    }
    while next >= roots.count {
      if tree[next].watch >= 0, let opened = watcher.open(tree[next].watch) {
        let directory = Array("/proc/self/fd/\(opened.rawValue)".utf8)
        openStart = consume opened
        // Another folder may have had the same descriptor number before.
        leave()
        return .path(
          root: ScanRoot(label: [], directory: directory),
          path: Array(names.reversed().joined(separator: [.slash])), mark: nil)
      }
      // Paths from the root let the reader share ancestors between consecutive folders.
      if method == .inotify { break }
      names.append(tree[next].name)
      next = tree[next].parent
    }
    return .path(root: roots[Int(tree.root(of: folder))], path: tree.path(of: folder), mark: nil)
  }
}
