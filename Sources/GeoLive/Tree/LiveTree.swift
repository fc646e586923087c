import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import Synchronization

/// A world as it changes on the disk: the folders of it that are looked at, what happens in them, and what is
/// below all folders.
///
/// It is fed by one watcher. A change updates the totals by what changed.
package final class LiveTree: Sendable {
  /// What has happened in a folder.
  package struct Event: Sendable {
    package let folder: FolderStamp
    package let what: FolderWatcher.Change.What
    /// The entry; empty for any of them.
    package let name: [UInt8]
    /// Where the folder's files are; nil if the entry is not a file, or that is unknown.
    package let city: City?
  }

  private struct Watched {
    var folder: FolderStamp
    var since: Int64
    var changed: Int64
    /// Where its files are, if that is known; nil once a sub-folder has come or gone.
    var city: City?
  }

  /// A root that was looked at, and the watcher's number of the folder that is there; nil if there is none.
  private struct Root {
    var folder: FolderStamp
    var number: Int32?
  }

  private struct State {
    var isWanted = false
    /// By the watcher's number.
    var watched: [Int32: Watched] = [:]
    var numbers: [[UInt8]: Int32] = [:]
    /// By their labels.
    var roots: [[UInt8]: Root] = [:]
    var folderObservers: [@Sendable (FolderChange) -> Void] = []
    var eventObservers: [@Sendable ([Event]) -> Void] = []

    /// Stops watching the folders whose paths fulfil a condition.
    ///
    /// - Returns: Their numbers, which the watcher is to forget.
    mutating func drop(_ isGone: ([UInt8]) -> Bool) -> [Int32] {
      let gone = watched.filter { isGone($0.value.folder.path) }
      for (number, folder) in gone {
        watched[number] = nil
        numbers[folder.folder.path] = nil
      }
      return Array(gone.keys)
    }
  }

  package let world: World
  package let totals: WorldTotals
  private let state = Mutex(State())
  private let changes = Atomic(0)
  private let watcher: (any FolderNotifier)?

  /// How many folders are watched at once.
  private static let mostWatched = 4096
  /// How long changes are gathered before they are reported, in milliseconds.
  private static let pause: UInt32 = 40
  /// How many changes of one folder are reported one by one.
  private static let mostReported = 64
  /// How many changed names of one folder are kept apart.
  private static let mostNames = 4096

  /// A tree of which nothing is watched yet. Where changes can't be watched, none are reported.
  ///
  /// - Parameters:
  ///   - totals: What is below the folders.
  ///   - watcher: Reports what happens; nil for a watcher of its own.
  ///   - gather: Waits for more changes after the first one.
  package init(
    _ world: World, totals: WorldTotals, by watcher: (any FolderNotifier)? = nil,
    gather: @escaping @Sendable () -> Void = { WorkerThread.pause(milliseconds: LiveTree.pause) }
  ) throws(Errno) {
    self.world = world
    self.totals = totals
    self.watcher = watcher ?? (try? FolderWatcher())
    guard let watcher = self.watcher else { return }
    try WorkerThread.start { [self] in
      var records: [UInt8] = []
      while (try? watcher.nextRecords(appendingTo: &records)) != nil {
        gather()
        take(watcher.changes(in: records[...]))
        records.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Changes seen so far.
  package var changeCount: Int { changes.load(ordering: .relaxed) }
  package var watchedCount: Int { state.withLock { $0.watched.count } }

  /// Has folders reported in which something has changed.
  package func observe(_ body: @escaping @Sendable (FolderChange) -> Void) {
    state.withLock { $0.folderObservers.append(body) }
  }

  /// Has events reported, in the order in which they happened.
  package func observeEvents(_ body: @escaping @Sendable ([Event]) -> Void) {
    state.withLock { $0.eventObservers.append(body) }
  }

  /// Invalidates all answers made before.
  package func noteChange() { changes.wrappingAdd(1, ordering: .relaxed) }

  // MARK: Watching

  /// Allows folders to be watched.
  package func begin() { state.withLock { $0.isWanted = true } }

  /// Stops watching all folders.
  package func end() {
    let forgotten: [Int32] = state.withLock { state in
      defer { (state.isWanted, state.watched, state.numbers, state.roots) = (false, [:], [:], [:]) }
      return Array(state.watched.keys)
    }
    for number in forgotten { watcher?.forget(number) }
  }

  /// Watches folders, if that is wanted.
  package func watch(_ folders: [FolderStamp]) {
    guard let watcher else { return }
    let reader = world.reader()
    for folder in folders.prefix(Self.mostWatched / 2) {
      let isNew = state.withLock { $0.isWanted && $0.numbers[folder.path] == nil }
      if !isNew { continue }
      makeRoom()
      guard let number = reader.watchable(folder) else { continue }
      guard let watch = try? watcher.watch(number) else { return }
      let now = ThisProcess.nanoseconds
      let (isLate, isAnother) = state.withLock { state in
        if let old = state.watched[watch] { state.numbers[old.folder.path] = nil }
        state.watched[watch] = Watched(
          folder: folder, since: now, changed: now, city: world.city(of: folder))
        state.numbers[folder.path] = watch
        var isAnother = false
        if !folder.path.contains(.slash) {
          isAnother = state.roots[folder.path].map { $0.number != watch } ?? false
          state.roots[folder.path] = Root(folder: folder, number: watch)
        }
        return (!state.isWanted, isAnother)
      }
      if isLate { watcher.forget(watch) }
      // A change between the reading and now was not reported.
      if isAnother || !world.isUnchangedNow(folder) { reportAll(in: folder, isDeep: isAnother) }
    }
  }

  /// Looks whether roots are still the folders that they were: the system doesn't report one that was moved
  /// away, or that is there again.
  package func lookForRoots() {
    guard let watcher else { return }
    let roots = state.withLock { Array($0.roots.values) }
    if roots.isEmpty { return }
    let reader = world.reader()
    for root in roots {
      let number = reader.watchable(root.folder).flatMap { try? watcher.watch($0) }
      if number == root.number { continue }
      let (path, now) = (root.folder.path, ThisProcess.nanoseconds)
      let forgotten: [Int32] = state.withLock { state in
        guard state.roots[path]?.number == root.number else { return [] }
        state.roots[path]?.number = number
        let gone = state.drop { $0.isPath(atOrBelow: path) }
        if let number {
          state.watched[number] = Watched(folder: root.folder, since: now, changed: now)
          state.numbers[path] = number
        }
        return gone.filter { $0 != number }
      }
      for number in forgotten { watcher.forget(number) }
      reportAll(in: root.folder, isDeep: true)
    }
  }

  private func makeRoom() {
    let oldest: Int32? = state.withLock { state in
      if state.watched.count < Self.mostWatched { return nil }
      guard let oldest = state.watched.min(by: { $0.value.since < $1.value.since }) else {
        return nil
      }
      state.watched[oldest.key] = nil
      state.numbers[oldest.value.folder.path] = nil
      state.roots[oldest.value.folder.path] = nil
      return oldest.key
    }
    if let oldest { watcher?.forget(oldest) }
  }

  /// Whether all of some folders were watched since a moment, and nothing has changed in them.
  package func saw(nothingIn folders: [FolderStamp], since time: Int64) -> Bool {
    state.withLock { state in
      if state.watched.isEmpty { return false }
      return folders.allSatisfy { folder in
        guard let number = state.numbers[folder.path], let watched = state.watched[number] else {
          return false
        }
        return watched.since < time && watched.changed < time
      }
    }
  }

  /// Stops watching folders that are gone or elsewhere, with all below them: new folders may get their names.
  private func drop(_ gone: Set<[UInt8]>) {
    let forgotten = state.withLock { state in
      state.drop { path in
        gone.contains(path)
          || path.indices.contains { path[$0] == .slash && gone.contains(Array(path[..<$0])) }
      }
    }
    for number in forgotten { watcher?.forget(number) }
  }

  // MARK: Changes

  private func report(_ changed: some Sequence<FolderChange>) {
    let observers = state.withLock { $0.folderObservers }
    for change in changed {
      totals.update(change)
      for observer in observers { observer(change) }
    }
  }

  private func report(_ events: [Event]) {
    for observer in state.withLock({ $0.eventObservers }) { observer(events) }
  }

  /// - Parameter isDeep: Whether it may be another folder.
  private func reportAll(in folder: FolderStamp, isDeep: Bool = false) {
    report([FolderChange(path: folder.path, names: nil, isDeep: isDeep)])
    world.forget(folder)
    noteChange()
    report([Event(folder: folder, what: .modified, name: [], city: nil)])
  }

  private struct Reported: Hashable {
    var folder: Int32
    var what: FolderWatcher.Change.What
    var name: [UInt8]
  }

  private func take(_ all: [FolderWatcher.Change]) {
    let now = ThisProcess.nanoseconds
    var reported: Set<Reported> = []
    var counts: [Int32: Int] = [:]
    var changed: [[UInt8]: FolderChange] = [:]
    var events: [Event] = []
    var gone: Set<[UInt8]> = []
    for change in all {
      if change.isOverflow {
        for watched in state.withLock({ Array($0.watched.values) }) {
          reportAll(in: watched.folder)
        }
        continue
      }
      let count = counts[change.folder, default: 0]
      guard
        let (change, watched, isThere) = note(change, at: now, looks: count <= Self.mostReported)
      else { continue }
      let folder = watched.folder
      if change.what == .removed, change.isFolder {
        gone.insert(folder.path.appending(component: change.name))
      }
      if change.what != .modified || change.isForgotten { world.forget(folder) }
      Self.add(
        change, of: watched, to: &changed[folder.path, default: FolderChange(path: folder.path)])
      if count > Self.mostReported { continue }
      counts[change.folder] = count + 1
      if !isThere { continue }
      let isRest = count == Self.mostReported
      let (name, what) = isRest ? ([], .modified) : (change.name, change.what)
      if reported.insert(Reported(folder: change.folder, what: what, name: name)).inserted {
        events.append(
          Event(
            folder: folder, what: what, name: name, city: change.isFolder ? nil : watched.city))
      }
    }
    // Where the watcher is shared, most changes may be in other folders.
    if changed.isEmpty { return }
    if !gone.isEmpty { drop(gone) }
    noteChange()
    report(changed.values)
    report(events)
  }

  private static func add(
    _ change: FolderWatcher.Change, of watched: Watched, to all: inout FolderChange
  ) {
    all.since = watched.since
    if change.isFolder, change.what == .added { all.others.insert(change.name) }
    // What happened to the folder itself may concern all that is in it.
    if change.name.isEmpty || all.names.map({ $0.count >= Self.mostNames }) == true {
      all.names = nil
    } else if !change.isFolder || change.what != .modified {
      all.names?.insert(change.name)
    }
  }

  /// Takes account of a change.
  ///
  /// - Parameter looks: Whether a vague change may be looked at.
  /// - Returns: What it comes to, the folder, and whether what is said to be in it is there; nil if the folder is
  ///   not watched.
  private func note(
    _ change: FolderWatcher.Change, at now: Int64, looks: Bool
  ) -> (FolderWatcher.Change, Watched, isThere: Bool)? {
    guard let folder = state.withLock({ $0.watched[change.folder]?.folder }) else { return nil }
    var change = change
    var isThere = true
    if change.isForgotten {
      change.what = .modified
    } else if change.isVague, looks {
      let kind = kind(of: change.name, in: folder)
      isThere = kind != nil
      change.isFolder = kind == .directory
    }
    let isAnother = change.isFolder && change.what != .modified
    let known = isAnother ? nil : world.city(of: folder)
    return state.withLock { state in
      guard var watched = state.watched[change.folder] else { return nil }
      watched.changed = now
      if let known { watched.city = known }
      // Sub-folders take the lots of files, or leave them.
      if isAnother { watched.city = nil }
      state.watched[change.folder] = watched
      if change.isForgotten {
        state.watched[change.folder] = nil
        state.numbers[watched.folder.path] = nil
      }
      return (change, watched, isThere)
    }
  }

  /// What an entry is now; nil if it is not there.
  private func kind(of name: [UInt8], in folder: FolderStamp) -> EntryKind? {
    let reader = world.reader()
    guard let directory = reader.watchable(folder) else { return nil }
    return try? FileSystem.facts(of: name, in: directory).kind
  }
}
