import GeoPath
import GeoScan
import GeoSystem

/// Tells what happens in trees without knowing them: of each event the system is asked where its folder
/// is, so that memory doesn't grow with the trees.
///
/// What was lost can't be looked for, and no sums can be kept. Paths are those of the moment of asking. It
/// belongs to one thread.
package final class HandleWatcher: TreeWatching {
  package weak var observer: (any TreeObserver)?
  package var ignored: Set<FileSystem.Identity> = []
  package let way = WatchWay.fanotify
  package let unwatched = 0
  package let unreadable = 0
  /// Whom the map has to show what was there a moment ago.
  package let source = RecallingSource()

  private let watcher: FileSystemWatcher
  private let roots: [Root]
  /// The folders below roots, or none, that a handle stands for.
  private var known: [[UInt8]: [Folder]] = [:]
  /// What was told of files a moment ago.
  private var recent: [[UInt8]: Recent] = [:]
  private var lastTold = ThisProcess.nanoseconds

  private final class Root {
    let label: [UInt8]
    /// Its path without links.
    let path: [UInt8]
    let directory: Descriptor
    /// What handles of its file system begin with.
    let fileSystem: [UInt8]

    init(_ root: ScanRoot) throws(Errno) {
      label = root.label
      directory = try FileSystem.openRoot(root.directory)
      path = try FileSystem.path(of: directory.rawValue)
      let handle = try FileSystemWatcher.handle(of: directory.rawValue)
      fileSystem = Array(handle.prefix(FileSystemWatcher.fileSystemBytes))
      // Who may watch file systems may yet not open folders by handles.
      _ = try FileSystemWatcher.open(handle, by: directory.rawValue)
    }
  }

  /// A folder as it is called on the map.
  private struct Folder {
    var root: Int
    var path: [UInt8]
  }

  private struct Recent {
    var time: Int64
    var pending: TreeChange.What?
    /// The folder's handle, to look at the file again.
    var handle: [UInt8]
    var name: [UInt8]
  }

  /// How many handles are kept with what they stand for, and how many files apart.
  private static let (mostKnown, mostRecent) = (4096, 20_000)
  /// How often changes of one file's content are told, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  /// A watcher of some roots.
  ///
  /// - Parameter roots: Folders of this machine, in the byte order of their labels.
  /// - Throws: Why their file systems can't be watched.
  package init(_ roots: [ScanRoot]) throws(Errno) {
    watcher = try FileSystemWatcher(keepingAll: true)
    var all: [Root] = []
    for root in roots {
      try watcher.watchFileSystem(of: root.directory)
      all.append(try Root(root))
    }
    self.roots = all
  }

  package func tell(_ inbox: EventInbox) throws(Errno) { try inbox.receive(from: watcher) }

  package func start() {}

  // MARK: Losses

  package func noteLostPieces() { observer?.noteLoss(since: lastTold) }

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
    lastTold = piece.time
  }

  private func take(_ event: FileSystemEvent, at place: FileSystemEvent.Place, time: Int64) {
    let folders = folders(of: place.handle)
    if place.isSelf {
      guard event.isEnd else { return }
      for folder in folders where folder.path == roots[folder.root].label {
        tell(.deleted, folder.path, isFolder: true, at: time)
      }
      known[place.handle] = nil
      return
    }
    if folders.isEmpty { return }
    let facts = facts(of: place)
    if let facts, ignored.contains(facts.identity) { return }
    for folder in folders {
      let path = folder.path.appending(component: place.name)
      // The system puts all that is made and removed under one name into one event: what is there by now
      // came last.
      if event.isNew, event.isGone, facts != nil {
        tell(.deleted, path, isFolder: event.isFolder, at: time)
      }
      if event.isNew {
        tell(.created, path, isFolder: event.isFolder, size: facts?.size, at: time)
        note(path, place, at: time)
      }
      if event.isGone, facts == nil || !event.isNew {
        recent[path] = nil
        tell(.deleted, path, isFolder: event.isFolder, at: time)
      }
      guard event.isOther, !event.isNew, !event.isGone, let facts else { continue }
      let what: TreeChange.What = event.isContent ? .modified : .attributes
      if event.isFolder {
        if !event.isContent { tell(.attributes, path, isFolder: true, at: time) }
      } else if let before = recent[path], time - before.time < Self.pause {
        recent[path]?.pending = before.pending == .modified ? .modified : what
      } else {
        tell(what, path, isFolder: false, size: facts.size, at: time)
        note(path, place, at: time)
      }
    }
  }

  private func rename(
    _ old: FileSystemEvent.Place, _ new: FileSystemEvent.Place, isFolder: Bool, at time: Int64
  ) {
    var (sources, targets) = (folders(of: old.handle), folders(of: new.handle))
    if isFolder, !(sources.isEmpty && targets.isEmpty) { follow(old, sources, new, targets) }
    let facts = facts(of: new)
    if let facts, ignored.contains(facts.identity) { return }
    for source in sources { recent[source.path.appending(component: old.name)] = nil }
    // Of several roots that it is below, each is left for one.
    while let source = sources.popLast() {
      let from = source.path.appending(component: old.name)
      let index = targets.firstIndex { $0.root == source.root } ?? targets.indices.first
      guard let index else {
        if isFolder { tellOfAll(below: from, at: new, .deleted, time: time) }
        tell(.deleted, from, isFolder: isFolder, at: time)
        continue
      }
      let path = targets.remove(at: index).path.appending(component: new.name)
      tell(.moved, path, isFolder: isFolder, size: facts?.size, from: from, at: time)
    }
    for target in targets {
      let path = target.path.appending(component: new.name)
      tell(.created, path, isFolder: isFolder, size: facts?.size, at: time)
      if isFolder { tellOfAll(below: path, at: new, .created, time: time) }
    }
  }

  /// What is known to be below a folder that was moved is elsewhere.
  private func follow(
    _ old: FileSystemEvent.Place, _ sources: [Folder], _ new: FileSystemEvent.Place,
    _ targets: [Folder]
  ) {
    for (handle, folders) in known {
      // What was below no root may be by now.
      if folders.isEmpty, !targets.isEmpty { known[handle] = nil }
      for (index, folder) in folders.enumerated() {
        guard let source = sources.first(where: { $0.root == folder.root }) else { continue }
        let from = source.path.appending(component: old.name)
        if !isBelow(folder.path, from) { continue }
        guard let target = targets.first(where: { $0.root == folder.root }) else {
          known[handle] = nil
          break
        }
        known[handle]?[index].path =
          target.path.appending(component: new.name) + folder.path.dropFirst(from.count)
      }
    }
  }

  private func tell(
    _ what: TreeChange.What, _ path: [UInt8], isFolder: Bool, size: Int64? = nil,
    from: [UInt8]? = nil, at time: Int64
  ) {
    // The map has to show where it was.
    if what == .deleted { source.recall(isFolder ? path : path.parentPath.map { Array($0) }) }
    observer?.note(
      TreeChange(what: what, path: path, from: from, isFolder: isFolder, size: size, time: time))
    source.recall(nil)
  }

  /// Tells of all that is in a folder which has come or gone with it.
  ///
  /// - Parameters:
  ///   - path: What it is called on the map.
  ///   - place: Where it is by now.
  private func tellOfAll(
    below path: [UInt8], at place: FileSystemEvent.Place, _ what: TreeChange.What, time: Int64
  ) {
    guard let mount = mount(of: place.handle),
      let parent = try? FileSystemWatcher.open(place.handle, by: mount),
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
        tell(
          what, shown.appending(component: listing.files.name(at: index)), isFolder: false, at: time
        )
      }
      for index in 0..<listing.folders.count {
        let name = listing.folders.name(at: index)
        tell(what, shown.appending(component: name), isFolder: true, at: time)
        rest.append((next.appending(component: name), shown.appending(component: name)))
      }
    }
  }

  // MARK: Places

  private func mount(of handle: [UInt8]) -> Int32? {
    roots.first { handle.starts(with: $0.fileSystem) }?.directory.rawValue
  }

  private func facts(of place: FileSystemEvent.Place) -> FileSystem.Facts? {
    guard let mount = mount(of: place.handle),
      let folder = try? FileSystemWatcher.open(place.handle, by: mount)
    else { return nil }
    return try? FileSystem.facts(of: place.name, in: folder.rawValue)
  }

  /// What the folder of a handle is called on the map: nothing if it is below no root.
  private func folders(of handle: [UInt8]) -> [Folder] {
    if let found = known[handle] { return found }
    guard let mount = mount(of: handle),
      let folder = try? FileSystemWatcher.open(handle, by: mount),
      let path = try? FileSystem.path(of: folder.rawValue)
    else { return [] }
    var found: [Folder] = []
    for (index, root) in roots.enumerated() where isBelow(path, root.path) {
      let rest = path.dropFirst(root.path.elementsEqual("/".utf8) ? 0 : root.path.count)
      if isIgnored(path, below: root) { continue }
      found.append(Folder(root: index, path: root.label + (rest.count > 1 ? rest : [])))
    }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[handle] = found
    return found
  }

  private func isBelow(_ path: [UInt8], _ root: [UInt8]) -> Bool {
    path.starts(with: root)
      && (path.count == root.count || root.elementsEqual("/".utf8) || path[root.count] == .slash)
  }

  /// Whether a folder, or one that it is in, is not entered.
  private func isIgnored(_ path: [UInt8], below root: Root) -> Bool {
    if ignored.isEmpty { return false }
    var end = path.count
    while end >= root.path.count, end > 0 {
      let facts = try? FileSystem.rootFacts(Array(path[..<end]))
      if let facts, ignored.contains(facts.identity) { return true }
      end = path[..<end].lastIndex(of: .slash) ?? 0
    }
    return false
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
        let facts = facts(of: FileSystemEvent.Place(handle: entry.handle, name: entry.name))
      else { continue }
      tell(what, path, isFolder: false, size: facts.size, at: now)
    }
  }
}
