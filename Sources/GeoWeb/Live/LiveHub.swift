import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import Synchronization

/// Tells listeners what changes on disk in the folders that are being looked at.
final class LiveHub: Sendable {
  private struct Watched {
    var folder: FolderStamp
    var since: Int64
    var changed: Int64
    /// Where its files are, if that is known; nil once a sub-folder has come or gone.
    var city: City?
  }

  /// What has changed in a folder, as far as that is known.
  struct FolderChange: Sendable {
    var path: [UInt8]
    /// The names of sub-folders that have come, maybe in the place of others.
    var others: Set<[UInt8]> = []
    /// Whether anything below the folder may have changed.
    var isDeep = false
  }

  /// A root that was looked at, and the watcher's number of the folder that is there; nil if there is none.
  private struct Root {
    var folder: FolderStamp
    var number: Int32?
  }

  private struct State {
    var listeners: [Reply] = []
    /// By the watcher's number.
    var watched: [Int32: Watched] = [:]
    var numbers: [[UInt8]: Int32] = [:]
    /// By their labels.
    var roots: [[UInt8]: Root] = [:]

    /// Watches no longer what a rule chooses among the paths of what is watched.
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

  private let state = Mutex(State())
  /// Told of folders in which something has changed.
  private let observers = Mutex<[@Sendable (FolderChange) -> Void]>([])
  private let changes = Atomic(0)
  private let watcher: FolderWatcher?
  private let world: World
  private let mostListeners: Int

  /// How many folders are watched at once.
  private static let mostWatched = 4096
  /// How long changes are gathered before they are told, in milliseconds.
  private static let pause: UInt32 = 40
  /// How often roots are looked for, in milliseconds, and how many times until listeners are.
  private static let rootPause: UInt32 = 2000
  private static let looks = 7
  /// How many changes of one folder are told one by one.
  private static let mostTold = 64

  /// A hub without listeners. Where changes can't be watched, none are told.
  ///
  /// - Parameter gather: Waits for more changes after the first one.
  init(
    _ world: World, mostListeners: Int,
    gather: @escaping @Sendable () -> Void = { WorkerThread.pause(milliseconds: LiveHub.pause) }
  ) throws(Errno) {
    self.world = world
    self.mostListeners = mostListeners
    watcher = try? FolderWatcher()
    if let watcher {
      try WorkerThread.start { [self] in
        while let changes = try? watcher.next() {
          gather()
          tell(changes)
        }
      }
    }
    try WorkerThread.start { [self] in
      while true {
        for _ in 0..<Self.looks {
          WorkerThread.pause(milliseconds: Self.rootPause)
          lookForRoots()
        }
        // Who is gone shows when something is sent.
        for reply in listeners { reply.send(piece: Array(":\n\n".utf8)) }
      }
    }
  }

  private var listeners: [Reply] { state.withLock { $0.listeners } }
  /// Changes seen so far.
  var changeCount: Int { changes.load(ordering: .relaxed) }
  var listenerCount: Int { state.withLock { $0.listeners.count } }
  var watchedCount: Int { state.withLock { $0.watched.count } }

  /// Takes in a listener; false if there are too many.
  func add(_ reply: Reply) -> Bool {
    let isTaken = state.withLock { state in
      state.listeners.removeAll { $0.isCancelled }
      if state.listeners.count >= mostListeners { return false }
      state.listeners.append(reply)
      return true
    }
    // It goes out after the beginning of the stream.
    if isTaken { reply.send(piece: Array("retry: 2000\n\n".utf8)) }
    return isTaken
  }

  /// Has folders reported in which something has changed.
  func observe(_ body: @escaping @Sendable (FolderChange) -> Void) {
    observers.withLock { $0.append(body) }
  }

  private func tellObservers(_ change: FolderChange) {
    for observer in observers.withLock({ $0 }) { observer(change) }
  }

  /// Has nothing believed that was made before.
  func noteChange() { changes.wrappingAdd(1, ordering: .relaxed) }

  /// Sends something to all listeners.
  func tell(_ piece: [UInt8]) {
    for listener in listeners { listener.send(piece: piece) }
  }

  /// Forgets a listener, and with the last one what is watched.
  func remove(_ connection: UInt64) {
    let forgotten: [Int32] = state.withLock { state in
      state.listeners.removeAll { $0.connection == connection }
      if !state.listeners.isEmpty { return [] }
      defer {
        state.watched = [:]
        state.numbers = [:]
        state.roots = [:]
      }
      return Array(state.watched.keys)
    }
    for number in forgotten { watcher?.forget(number) }
  }

  /// Watches folders, if anybody listens.
  func watch(_ folders: [FolderStamp]) {
    guard let watcher else { return }
    let reader = world.reader()
    for folder in folders.prefix(Self.mostWatched / 2) {
      let isNew = state.withLock { state in
        !state.listeners.isEmpty && state.numbers[folder.path] == nil
      }
      if !isNew { continue }
      makeRoom()
      guard let number = reader.watchable(folder) else { continue }
      let now = ThisProcess.nanoseconds
      guard let watch = try? watcher.watch(number) else { return }
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
        return (state.listeners.isEmpty, isAnother)
      }
      if isLate { watcher.forget(watch) }
      // What has changed between the reading and now was told by nobody.
      if isAnother || !world.isUnchangedNow(folder) { tellOfAll(in: folder, isDeep: isAnother) }
    }
  }

  /// Looks whether roots are still the folders that they were: nobody tells of one that was moved away, or
  /// that is there again.
  func lookForRoots() {
    guard let watcher else { return }
    let roots = state.withLock { $0.listeners.isEmpty ? [] : Array($0.roots.values) }
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
      tellOfAll(in: root.folder, isDeep: true)
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
  func saw(nothingIn folders: [FolderStamp], since time: Int64) -> Bool {
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

  /// - Parameter isDeep: Whether it may be another folder.
  private func tellOfAll(in folder: FolderStamp, isDeep: Bool = false) {
    tellObservers(FolderChange(path: folder.path, isDeep: isDeep))
    world.forget(folder)
    changes.wrappingAdd(1, ordering: .relaxed)
    let event = Self.event(folder, .modified, name: [], world)
    for listener in listeners { listener.send(piece: event) }
  }

  private struct Told: Hashable {
    var folder: Int32
    var what: FolderWatcher.Change.What
    var name: [UInt8]
  }

  private func tell(_ all: [FolderWatcher.Change]) {
    let now = ThisProcess.nanoseconds
    var told: Set<Told> = []
    var counts: [Int32: Int] = [:]
    var news: [[UInt8]: FolderChange] = [:]
    var text: [UInt8] = []
    var gone: Set<[UInt8]> = []
    for change in all {
      if change.isOverflow {
        for watched in state.withLock({ Array($0.watched.values) }) {
          tellOfAll(in: watched.folder)
        }
        continue
      }
      guard let (folder, city) = note(change, at: now) else { continue }
      if change.what == .removed, change.isFolder {
        gone.insert(folder.path.appending(component: change.name))
      }
      if change.what != .modified || change.isForgotten { world.forget(folder) }
      if change.isFolder, change.what == .added {
        news[folder.path, default: FolderChange(path: folder.path)].others.insert(change.name)
      } else if news[folder.path] == nil {
        news[folder.path] = FolderChange(path: folder.path)
      }
      let count = counts[change.folder, default: 0]
      if count > Self.mostTold { continue }
      counts[change.folder] = count + 1
      let isRest = count == Self.mostTold
      let (name, what) = isRest ? ([], .modified) : (change.name, change.what)
      if told.insert(Told(folder: change.folder, what: what, name: name)).inserted {
        text += Self.event(
          folder, what, name: name, city: change.isFolder ? nil : city, world)
      }
    }
    if !gone.isEmpty { drop(gone) }
    changes.wrappingAdd(1, ordering: .relaxed)
    for change in news.values { tellObservers(change) }
    for listener in listeners { listener.send(piece: text) }
  }

  /// Takes account of a change.
  ///
  /// - Returns: The folder, and where its files are, if that is known; nil if it is not watched.
  private func note(
    _ change: FolderWatcher.Change, at now: Int64
  ) -> (FolderStamp, City?)? {
    guard let folder = state.withLock({ $0.watched[change.folder]?.folder }) else { return nil }
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
      return (watched.folder, watched.city)
    }
  }

  /// Watches folders no longer that are gone, or elsewhere, with all below them: what has their names next are
  /// others.
  private func drop(_ gone: Set<[UInt8]>) {
    let forgotten = state.withLock { state in
      state.drop { path in
        gone.contains(path)
          || path.indices.contains { path[$0] == .slash && gone.contains(Array(path[..<$0])) }
      }
    }
    for number in forgotten { watcher?.forget(number) }
  }

  /// - Parameter city: Where the folder's files are; nil if the entry is no file, or that is not known.
  private static func event(
    _ folder: FolderStamp, _ what: FolderWatcher.Change.What, name: [UInt8], city: City? = nil,
    _ world: World
  ) -> [UInt8] {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in
      json.member("path", path: folder.path)
      writer.putBox(of: folder.place, to: &json)
      json.member("what", text: Array(what.rawValue.utf8))
      json.member("name", text: name)
      if let city, !name.isEmpty {
        let place = world.engine.placeFile(name.span, in: city)
        json.put(place.coordinate, digits: city.digits)
        json.member("minzoom", Int64(city.minzoom))
      }
    }
    return Array("event: change\ndata: ".utf8) + json.bytes + [10, 10]
  }
}
