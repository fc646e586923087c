import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import Synchronization

/// A live world: watches folders that are looked at, reports changes in them, and keeps the totals
/// of all folders.
///
/// One thread reads the watcher. A change updates only the affected totals.
package final class LiveTree: Sendable {
  package struct Event: Sendable {
    package let folder: FolderStamp
    package let what: FolderWatcher.Change.What
    /// The entry's name; empty if any entry may have changed.
    package let name: [UInt8]
    /// To place files; nil if the entry is not a file, or the city is unknown.
    package let city: City?
  }

  private struct Watched {
    var folder: FolderStamp
    var since: Int64
    var changed: Int64
    /// Nil if unknown, or since a sub-folder was added or removed.
    var city: City?
  }

  /// A root that was looked at. The number is the watcher's; nil if the root is missing.
  private struct Root {
    var folder: FolderStamp
    var number: Int32?
  }

  private struct State {
    var isWanted = false
    /// By the watcher's numbers.
    var watched: [Int32: Watched] = [:]
    var numbers: [[UInt8]: Int32] = [:]
    /// By labels.
    var roots: [[UInt8]: Root] = [:]
    var folderObservers: [@Sendable (FolderChange) -> Void] = []
    var eventObservers: [@Sendable ([Event]) -> Void] = []

    /// Returns the numbers that the watcher should forget.
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

  private static let maximumWatched = 4096
  /// Time to collect changes before they are reported, in milliseconds.
  private static let pause: UInt32 = 40
  /// Maximum size of a batch of records whose memory is kept for the next one, in bytes.
  private static let maximumKept = 256 << 10
  /// Maximum number of changes of one folder in a batch that are reported one by one.
  private static let maximumReported = 64

  /// Where the system can't watch folders, no changes are reported. `gather` waits for more changes
  /// after the first.
  package init(
    _ world: World, totals: WorldTotals, by watcher: (any FolderNotifier)? = nil,
    sharing shared: SharedWatcher? = nil,
    gather: @escaping @Sendable () -> Void = { WorkerThread.pause(milliseconds: LiveTree.pause) }
  ) throws(Errno) {
    self.world = world
    self.totals = totals
    self.watcher = watcher ?? shared?.part() ?? (try? FolderWatcher())
    shared?.connect(self)
    guard let watcher = self.watcher else { return }
    try WorkerThread.start { [weak self] in
      var records: [UInt8] = []
      while (try? watcher.nextRecords(appendingTo: &records)) != nil {
        gather()
        self?.process(watcher.changes(in: records[...]))
        records.removeAll(keepingCapacity: records.count <= Self.maximumKept)
      }
    }
  }

  deinit { watcher?.end() }

  /// Increases with every batch of changes.
  package var changeCount: Int { changes.load(ordering: .relaxed) }
  package var watchedCount: Int { state.withLock { $0.watched.count } }

  package func observe(_ body: @escaping @Sendable (FolderChange) -> Void) {
    state.withLock { $0.folderObservers.append(body) }
  }

  /// In the order in which they happened.
  package func observeEvents(_ body: @escaping @Sendable ([Event]) -> Void) {
    state.withLock { $0.eventObservers.append(body) }
  }

  /// Earlier answers become invalid.
  package func countChange() { changes.wrappingAdd(1, ordering: .relaxed) }

  // MARK: Watching

  /// Allows ``watch(_:)`` to watch folders.
  package func begin() { state.withLock { $0.isWanted = true } }

  package func end() {
    let forgotten: [Int32] = state.withLock { state in
      defer { (state.isWanted, state.watched, state.numbers, state.roots) = (false, [:], [:], [:]) }
      return Array(state.watched.keys)
    }
    for number in forgotten { watcher?.forget(number) }
  }

  /// If ``begin()`` has allowed it.
  package func watch(_ folders: [FolderStamp]) {
    guard let watcher else { return }
    let reader = world.reader()
    for folder in folders.prefix(Self.maximumWatched / 2) {
      let isNew = state.withLock { $0.isWanted && $0.numbers[folder.path] == nil }
      if !isNew { continue }
      forgetOldest()
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
      // The folder may have changed before it was watched.
      if isAnother || !world.isUnchangedNow(folder) { reportAll(in: folder, isDeep: isAnother) }
    }
  }

  /// The system doesn't report when a root is moved away or reappears.
  package func checkRoots() {
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

  private func forgetOldest() {
    let oldest: Int32? = state.withLock { state in
      if state.watched.count < Self.maximumWatched { return nil }
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

  /// Whether all folders have been watched since a time without a change in them.
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

  /// Stops watching removed or moved folders and everything below them, as new folders may get
  /// their paths.
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

  /// At once while there are pages; else later.
  func updateTotals(_ change: FolderChange) {
    totals.update(change, waits: state.withLock { !$0.isWanted })
  }

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

  /// `isDeep`: the path may now be another folder.
  private func reportAll(in folder: FolderStamp, isDeep: Bool = false) {
    report([FolderChange(path: folder.path, names: nil, isDeep: isDeep)])
    world.forget(folder)
    countChange()
    report([Event(folder: folder, what: .modified, name: [], city: nil)])
  }

  private struct Reported: Hashable {
    var folder: Int32
    var what: FolderWatcher.Change.What
    var name: [UInt8]
  }

  private func process(_ all: [FolderWatcher.Change]) {
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
      guard let watched = updateWatched(change, at: now) else { continue }
      let folder = watched.folder
      if change.what == .removed, change.isFolder {
        gone.insert(folder.path.appending(component: change.name))
      }
      if change.what != .modified || change.isForgotten { world.forget(folder) }
      Self.add(
        change, of: watched, to: &changed[folder.path, default: FolderChange(path: folder.path)])
      if count > Self.maximumReported { continue }
      counts[change.folder] = count + 1
      let isRest = count == Self.maximumReported
      let (name, what) = isRest ? ([], .modified) : (change.name, change.what)
      if reported.insert(Reported(folder: change.folder, what: what, name: name)).inserted {
        events.append(
          Event(
            folder: folder, what: what, name: name, city: change.isFolder ? nil : watched.city))
      }
    }
    // A shared watcher mostly reports changes in other folders.
    if changed.isEmpty { return }
    if !gone.isEmpty { drop(gone) }
    countChange()
    report(changed.values)
    report(events)
  }

  private static func add(
    _ change: FolderWatcher.Change, of watched: Watched, to all: inout FolderChange
  ) {
    all.since = watched.since
    if change.isFolder, change.what == .added { all.others.insert(change.name) }
    // A change of the folder itself may affect all its entries.
    if change.name.isEmpty || all.names.map({ $0.count >= FolderChange.maximumNames }) == true {
      all.names = nil
    } else if !change.isFolder || change.what != .modified {
      all.names?.insert(change.name)
    }
  }

  private func updateWatched(_ change: FolderWatcher.Change, at now: Int64) -> Watched? {
    guard let folder = state.withLock({ $0.watched[change.folder]?.folder }) else { return nil }
    let isAnother = change.isFolder && change.what != .modified
    let known = isAnother ? nil : world.city(of: folder)
    return state.withLock { state in
      guard var watched = state.watched[change.folder] else { return nil }
      watched.changed = now
      if let known { watched.city = known }
      // A new or removed sub-folder changes which lots files may use.
      if isAnother { watched.city = nil }
      state.watched[change.folder] = watched
      if change.isForgotten {
        state.watched[change.folder] = nil
        state.numbers[watched.folder.path] = nil
      }
      return watched
    }
  }
}
