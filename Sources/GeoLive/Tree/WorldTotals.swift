import GeoAtlas
import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// What is below each folder of a world, counted when it is first needed and updated from then on.
///
/// A thread of its own counts, and updates what is said to have changed. The threads that read for it rest while
/// something more urgent is being done, and go after all others of the machine.
package final class WorldTotals: Sendable {
  /// What is known at a moment.
  package struct Known: Sendable {
    /// The totals of all folders.
    package let tree: TreeTotals
    /// Counts up with every change.
    package let version: Int
    /// When the count of all ended, on the clock of ``ThisProcess/nanoseconds``.
    package let read: Int64
  }

  /// How far a count has come.
  package struct Progress: Sendable, Hashable {
    /// Folders counted so far.
    package var folders = 0
    /// Files counted so far, each as often as it was met.
    package var files = 0
    /// Whether the count has ended, good or bad.
    package var isDone = false
    /// Whether it was stopped before its end.
    package var isStopped = false
  }

  /// Which totals an update has changed.
  package struct Change: Sendable {
    /// The version before.
    package let from: Int
    /// The totals now; nil if a count failed.
    package let known: Known?
    /// The numbers of the folders whose totals are others; nil if they are too many.
    package let folders: [Int]?
  }

  /// What has changed in a folder, and when that was reported first.
  private struct Stale {
    var change: LiveTree.FolderChange
    let reported = ThisProcess.nanoseconds
  }

  private struct State {
    var known: Known?
    /// Whether a thread is at work.
    var isWorking = false
    /// Told of the count that is to begin; nil if none is.
    var wanted: (@Sendable (Progress) -> Void)?
    /// Whether a count goes on, and whether it is to stop.
    var isCounting = false
    var isStopping = false
    var count: Task<TreeTotals?, Never>?
    /// Another world has taken the place of the one that a count was begun of.
    var replacements = 0
    /// Folders that are to be read again, by their paths.
    var stale: [[UInt8]: Stale] = [:]
    /// Told once those were.
    var waiting: [@Sendable (Change) -> Void] = []
    /// When a change was dropped last, on the clock of ``ThisProcess/nanoseconds``.
    var dropped: Int64 = 0
    var observer: (@Sendable (Change) -> Void)?
    /// Before this no folder is read again.
    var rests: Int64 = 0

    /// Drops what is to be read again.
    mutating func drop() {
      stale = [:]
      dropped = ThisProcess.nanoseconds
    }
  }

  private let roots: [ScanRoot]
  private let state = Mutex(State())
  private let recent = Mutex(RecentFolders())
  private let versions = Atomic(0)
  /// Whether there is something more urgent to do at the moment.
  private let isBusy: @Sendable () -> Bool

  /// How long changes are gathered before folders are read again, in nanoseconds.
  private let pause: Int64
  /// How many times as long as an update has worked it rests, and how long at most.
  private static let rest: Int64 = 9
  private static let longestRest: Int64 = 20_000_000_000
  /// How often a waiting update looks whether a count is wanted, in nanoseconds.
  private static let step: Int64 = 20_000_000
  /// How often an update asks whether there is still something more urgent, in nanoseconds.
  private static let busyPause: UInt64 = 5_000_000
  /// More folders than these are not named one by one.
  private static let mostNamed = 256
  /// With more sub-folders than these to be read again, all below the folder is.
  private static let mostOthers = 10_000

  /// Totals of a world's roots, of which nothing is read yet.
  ///
  /// - Parameters:
  ///   - roots: What is counted, if it isn't all of the world: of two states the new one.
  ///   - pause: How long changes are gathered before folders are read again, in nanoseconds.
  ///   - isBusy: Whether there is something more urgent to do at the moment.
  package init(
    of world: World, from roots: [ScanRoot]? = nil, pause: Int64 = 400_000_000,
    isBusy: @escaping @Sendable () -> Bool = { false }
  ) {
    self.roots = roots ?? world.roots
    self.pause = pause
    self.isBusy = isBusy
  }

  /// What is known; nil as long as no count has ended.
  package var known: Known? { state.withLock { $0.known } }

  /// Counts up with every change; 0 as long as nothing is known. It takes no lock.
  package var version: Int { versions.load(ordering: .acquiring) }

  /// Has every later update reported.
  package func observe(_ observer: @escaping @Sendable (Change) -> Void) {
    state.withLock { $0.observer = observer }
  }

  // MARK: Counting

  /// Begins to count all, unless that is going on.
  ///
  /// - Parameter tell: Told how far it has come, several times a second, and at the end.
  package func begin(telling tell: @escaping @Sendable (Progress) -> Void) {
    state.withLock { state in
      if state.isCounting, !state.isStopping { return }
      state.wanted = tell
    }
    work()
  }

  /// Stops what is being counted; what was known before stays.
  package func stop() {
    let (count, dropped) = state.withLock { state in
      defer {
        state.wanted = nil
        state.isStopping = state.isCounting
      }
      return (state.count, state.wanted)
    }
    count?.cancel()
    dropped?(Progress(isDone: true, isStopped: true))
  }

  /// Has a thread do what is to be done, unless one does.
  private func work() {
    let isFirst = state.withLock { state in
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if !isFirst { return }
    do throws(Errno) {
      try WorkerThread.run { [self] executor in
        while let next = takeNext() {
          switch next {
          case .count(let tell): await count(by: executor, tell)
          case .update: await update()
          }
        }
      }
    } catch {
      // Without a thread nothing more is known.
      let (wanted, waiting, known) = state.withLock { state in
        defer { (state.wanted, state.waiting, state.isWorking) = (nil, [], false) }
        state.drop()
        return (state.wanted, state.waiting, state.known)
      }
      wanted?(Progress(isDone: true))
      for done in waiting { done(Change(from: version, known: known, folders: [])) }
    }
  }

  private enum Job {
    case count(@Sendable (Progress) -> Void)
    case update
  }

  /// What is to be done next: a count comes before updates. Nil if there is nothing.
  private func takeNext() -> Job? {
    state.withLock { state in
      if let tell = state.wanted {
        state.wanted = nil
        (state.isCounting, state.isStopping) = (true, false)
        return .count(tell)
      }
      if !state.stale.isEmpty { return .update }
      state.isWorking = false
      return nil
    }
  }

  private func count(
    by executor: MainThreadExecutor, _ tell: @escaping @Sendable (Progress) -> Void
  ) async {
    let replacements = state.withLock { $0.replacements }
    let task = Task(executorPreference: executor) { [self] in
      var told = ThisProcess.nanoseconds
      return await totals(of: roots) { folders, files in
        let now = ThisProcess.nanoseconds
        if now - told < 100_000_000 { return }
        told = now
        tell(Progress(folders: folders, files: files))
      }
    }
    let isStopped = state.withLock { state in
      state.count = task
      return state.isStopping
    }
    if isStopped { task.cancel() }
    let tree = await task.value
    let (isGood, wasStopped) = state.withLock { state in
      defer { (state.isCounting, state.isStopping, state.count) = (false, false, nil) }
      // What was counted is shown no more: it is counted again.
      if state.replacements != replacements, !state.isStopping, state.known == nil {
        state.wanted = state.wanted ?? tell
        return (false, true)
      }
      if tree == nil, state.known == nil {
        state.drop()
        state.waiting = []
      }
      return (state.replacements == replacements, state.isStopping)
    }
    if isGood, let tree { publish(tree, read: ThisProcess.nanoseconds) }
    tell(Progress(isDone: true, isStopped: wasStopped && (tree == nil || !isGood)))
  }

  /// Makes totals those that are known. What was known before is let go outside of the lock.
  @discardableResult
  private func publish(_ tree: TreeTotals, read: Int64) -> Known {
    let version = versions.wrappingAdd(1, ordering: .relaxed).newValue
    let known = Known(tree: tree, version: version, read: read)
    let before = state.withLock { state in
      defer { state.known = known }
      return state.known
    }
    withExtendedLifetime(before) {}
    return known
  }

  /// Puts totals in the place of those that are known, as another world has taken the place of the one that was
  /// counted.
  ///
  /// - Parameter tree: The totals of the other world; nil if they are not known.
  package func replace(by tree: TreeTotals?) {
    state.withLock { state in
      state.replacements += 1
      state.known = nil
      state.drop()
    }
    if let tree {
      publish(tree, read: ThisProcess.nanoseconds)
    } else {
      versions.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// The totals of some folders; nil if that was broken off.
  ///
  /// - Parameters:
  ///   - update: What of them is read again; nil for all.
  ///   - threads: How many read; nil for one to a processor.
  package func totals(
    of roots: [ScanRoot], for update: TotalsUpdate? = nil, threads: Int? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) async -> TreeTotals? {
    var options = FileSystemScanner.Options()
    options.threads = threads
    options.givesWay = isBusy
    do {
      var pass = try await FileSystemScanner(options: options)
        .totals(of: roots, classes: FileType.classes, for: update).makeAsyncIterator()
      while let step = try await pass.next(isolation: nil) {
        progress(step.folders, step.files)
      }
      return pass.finish()
    } catch {
      // It was cancelled, or there is no thread for it: then nothing more is known.
      return nil
    }
  }

  // MARK: Updating

  /// Has what changed in a folder read again soon.
  ///
  /// - Parameter done: Called once it was read; never if nothing is known and nothing is being counted.
  package func update(
    _ change: LiveTree.FolderChange, then done: (@Sendable (Change) -> Void)? = nil
  ) {
    let isWanted = state.withLock { state in
      if state.known == nil, !state.isCounting {
        state.drop()
        return false
      }
      state.stale[change.path, default: Stale(change: change)].change.formUnion(change)
      if let done { state.waiting.append(done) }
      return true
    }
    if isWanted { work() }
  }

  /// Reads again what has changed, once that was gathered for a while and the last update is long enough ago.
  private func update() async {
    let due = state.withLock { state in
      max((state.stale.values.map(\.reported).min() ?? 0) + pause, state.rests)
    }
    while true {
      let left = due - ThisProcess.nanoseconds
      if left <= 0 { break }
      // A page that waits for a count comes first.
      if state.withLock({ $0.wanted != nil }) { return }
      try? await Task.sleep(nanoseconds: UInt64(min(left, Self.step)))
    }
    let (stale, waiting, known, replacements, observer) = state.withLock { state in
      defer { (state.stale, state.waiting) = ([:], []) }
      let stale = state.stale.mapValues { stale in
        var change = stale.change
        change.since = max(change.since, state.dropped)
        return change
      }
      return (stale, state.waiting, state.known, state.replacements, state.observer)
    }
    let start = ThisProcess.nanoseconds
    var change = Change(from: known?.version ?? 0, known: known, folders: [])
    if let known {
      let (tree, folders) = await update(known.tree, stale)
      let isSame = state.withLock { $0.replacements == replacements }
      if isSame, !folders.isEmpty {
        change = Change(
          from: known.version, known: publish(tree, read: known.read),
          folders: folders.count > Self.mostNamed ? nil : folders)
        observer?(change)
      }
    }
    for done in waiting { done(change) }
    let end = ThisProcess.nanoseconds
    state.withLock { $0.rests = end + min(Self.rest * (end - start), Self.longestRest) }
  }

  /// Totals with some folders read again, and which of them are others now.
  private func update(
    _ known: TreeTotals, _ stale: [[UInt8]: LiveTree.FolderChange]
  ) async -> (TreeTotals, [Int]) {
    var tree = known
    var changed: Set<Int> = []
    // Folders come before those in them, some of which are read with them.
    let paths = stale.keys.sorted { $0.count < $1.count }
    for path in paths {
      guard let change = stale[path], !isRead(path, with: stale) else { continue }
      let names = path.components
      let number = tree.number(of: names)
      guard number != TreeTotals.missing, let label = names.first,
        let root = roots.first(where: { $0.label.elementsEqual(label) })
      else { continue }
      while isBusy() { try? await Task.sleep(nanoseconds: Self.busyPause) }
      if let update = TotalsUpdate(keepingFoldersOf: tree, number),
        let files = recent.withLock({ $0.files(after: change, below: root, tree, number) })
      {
        changed.formUnion(tree.apply(update, files))
        continue
      }
      recent.withLock { $0.removeAll() }
      let update = TotalsUpdate(
        of: tree, number, others: change.others,
        isDeep: change.isDeep || change.others.count > Self.mostOthers)
      guard let part = await totals(of: [root.below(path)], for: update, threads: 1) else {
        continue
      }
      changed.formUnion(tree.apply(update, part))
    }
    return (tree, changed.filter { tree.isThere($0) }.sorted())
  }

  /// Whether a folder is read again with one that it is in.
  private func isRead(_ path: [UInt8], with stale: [[UInt8]: LiveTree.FolderChange]) -> Bool {
    path.indices.contains { index in
      guard path[index] == .slash, let above = stale[Array(path[..<index])] else {
        return false
      }
      return above.isDeep || above.others.contains(Array(path[(index + 1)...].firstComponent))
    }
  }
}
