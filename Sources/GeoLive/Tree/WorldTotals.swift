import GeoAtlas
import GeoPipeline
import GeoSystem
import GeoTree
import Synchronization

/// The totals of each folder of a world, counted on demand and updated afterwards.
///
/// A separate thread counts and applies updates. The threads that read for it have a low priority
/// and pause while `isBusy`.
///
/// What folders say of layers is summed up with a count, and again some time after changes.
package final class WorldTotals: Sendable {
  package struct Known: Sendable {
    package let tree: TreeTotals
    /// Increases with every change.
    package let version: Int
    /// End of the full count, on the clock of ``ThisProcess/nanoseconds``.
    package let read: Int64
    let began: Int64
    package let faults: FirstFaults
  }

  package struct Progress: Sendable, Hashable {
    package var folders = 0
    /// Hard links count once for each name.
    package var files = 0
    /// Nil if unknown. Hard links count once.
    package var bytes: Int64?
    package var allocated: Int64?
    /// At the end, if names were counted first.
    package var expected: Int?
    package var waiting: Waiting?
    /// Successfully or not.
    package var isDone = false
    package var isStopped = false
  }

  package struct Waiting: Sendable, Hashable {
    package let path: [UInt8]
    package let seconds: Int64
  }

  package struct Change: Sendable {
    package let from: Int
    /// Nil if a count failed.
    package let known: Known?
    /// Those with new totals; nil if there are too many.
    package let folders: [Int]?
  }

  private struct State {
    var known: Known?
    var isWorking = false
    /// Receives the progress of the requested count.
    var wanted: (@Sendable (Progress) -> Void)?
    var isCounting = false
    var isStopping = false
    var count: Task<(TreeTotals?, FirstFaults), Never>?
    /// Number of calls of ``replace(by:)``; a count of an earlier world is discarded.
    var replacements = 0
    var stale = StaleFolders()
    var waiting: [@Sendable (Change) -> Void] = []
    var observer: (@Sendable (Change) -> Void)?
    var pausesUntil: Int64 = 0
    /// Nil if nothing has changed since the last sum.
    var layersDue: Int64?
    var layersPauseUntil: Int64 = 0
    /// Nil if only some folders are watched.
    var whole: SharedWatcher.WholeTrees?
  }

  private let updater: TotalsUpdater
  private let state = Mutex(State())
  private let versions = Atomic(0)

  /// Time to collect changes before folders are read again, in nanoseconds.
  private let pause: Int64
  /// The pause after an update, as a multiple of its duration, and its maximum in nanoseconds.
  private static let pauseFactor: Int64 = 9
  private static let longestPause: Int64 = 20_000_000_000
  /// Minimum time between two sums of layers, in nanoseconds.
  private let layersPause: Int64
  /// Interval at which a waiting update checks for a requested count, in nanoseconds.
  private static let step: Int64 = 20_000_000
  /// Number of updated folders after which free memory is given back.
  private static let many = 64
  /// Nil to do so if the storage is slow.
  private let countsNamesFirst: Bool?
  private static let maximumNamed = 256

  /// For two states, `roots` are those of the new one.
  package init(
    of world: World, from roots: [ScanRoot]? = nil, pause: Int64 = 400_000_000,
    layersPause: Int64 = 10_000_000_000, countsNamesFirst: Bool? = nil,
    isBusy: @escaping @Sendable () -> Bool = { false }
  ) {
    updater = TotalsUpdater(
      roots ?? world.roots,
      TotalsCounter(layers: world.layers, selection: world.selection, isBusy: isBusy))
    (self.pause, self.layersPause) = (pause, layersPause)
    self.countsNamesFirst = countsNamesFirst
  }

  private var roots: [ScanRoot] { updater.roots }
  private var counter: TotalsCounter { updater.counter }

  /// Nil until a count has finished, or a first one of names.
  package var known: Known? { state.withLock { $0.known } }

  /// With sizes; nil until a count has finished.
  package var complete: Known? { known.flatMap { $0.tree.hasNamesOnly ? nil : $0 } }

  /// Whether another count would give the same totals, once the waiting changes are read.
  ///
  /// Totals of files with several names are only exact after a count.
  package var isCurrent: Bool {
    state.withLock { state in
      guard let known = state.known, let whole = state.whole else { return false }
      return known.began > max(whole.since, state.stale.dropped) && !known.tree.hasSharedFiles
    }
  }

  /// Increases with every change; 0 until totals are known. Reading it takes no lock.
  package var version: Int { versions.load(ordering: .acquiring) }

  /// After each later update.
  package func observe(_ observer: @escaping @Sendable (Change) -> Void) {
    state.withLock { $0.observer = observer }
  }

  // MARK: Counting

  /// Unless a count is running. `report` receives the progress several times a second, and at the
  /// end.
  package func begin(reporting report: @escaping @Sendable (Progress) -> Void) {
    state.withLock { state in
      if state.isCounting, !state.isStopping { return }
      state.wanted = report
    }
    work()
  }

  /// Earlier totals are kept.
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
          case .count(let report): await count(by: executor, report)
          case .update: await update()
          case .layers: await sumUpLayers()
          }
        }
      }
    } catch {
      // Without a thread, all waiting changes are dropped.
      let (wanted, waiting, known) = state.withLock { state in
        defer { (state.wanted, state.waiting, state.isWorking) = (nil, [], false) }
        state.stale.drop()
        state.layersDue = nil
        return (state.wanted, state.waiting, state.known)
      }
      wanted?(Progress(isDone: true))
      for done in waiting { done(Change(from: version, known: known, folders: [])) }
    }
  }

  private enum Job {
    case count(@Sendable (Progress) -> Void)
    case update
    case layers
  }

  /// A count comes before updates, and sums of layers last unless they are overdue.
  private func takeNext() -> Job? {
    state.withLock { state in
      if let report = state.wanted {
        state.wanted = nil
        (state.isCounting, state.isStopping) = (true, false)
        return .count(report)
      }
      if let due = state.layersDue, due <= ThisProcess.nanoseconds { return .layers }
      if !state.stale.isEmpty { return .update }
      if state.layersDue != nil { return .layers }
      state.isWorking = false
      return nil
    }
  }

  private func count(
    by executor: MainThreadExecutor, _ report: @escaping @Sendable (Progress) -> Void
  ) async {
    let replacements = state.withLock { $0.replacements }
    let began = ThisProcess.nanoseconds
    let task = Task(executorPreference: executor) { [self] in
      if countsNamesFirst != true {
        let first = await counter.count(
          roots, by: executor, probing: countsNamesFirst == nil, report)
        if !first.isSlow || Task.isCancelled { return (first.tree, first.faults) }
      }
      let names = await countNames(replacements, began: began)
      if Task.isCancelled { return (nil, FirstFaults()) }
      if let names { report(Progress(expected: names)) }
      let all = await counter.count(roots, by: executor, expecting: names, report)
      return (all.tree, all.faults)
    }
    let isStopped = state.withLock { state in
      state.count = task
      return state.isStopping
    }
    if isStopped { task.cancel() }
    let (tree, faults) = await task.value
    let (isGood, wasStopped) = state.withLock { state in
      defer { (state.isCounting, state.isStopping, state.count) = (false, false, nil) }
      if tree == nil, state.known?.tree.hasNamesOnly == true { state.known = nil }
      // The world was replaced and its totals are unknown, so the count starts again.
      if state.replacements != replacements, !state.isStopping, state.known == nil {
        state.wanted = state.wanted ?? report
        return (false, true)
      }
      if tree == nil, state.known == nil {
        state.stale.drop()
        state.waiting = []
      }
      return (state.replacements == replacements, state.isStopping)
    }
    if isGood, let tree { publish(tree, faults, began: began, read: ThisProcess.nanoseconds) }
    report(Progress(isDone: true, isStopped: wasStopped && (tree == nil || !isGood)))
  }

  /// Publishes the count unless more is known. Returns the number of files.
  private func countNames(_ replacements: Int, began: Int64) async -> Int? {
    guard let names = await counter.names(of: roots) else { return nil }
    let (isUnknown, observer) = state.withLock {
      ($0.replacements == replacements && $0.known == nil, $0.observer)
    }
    if isUnknown {
      let before = version
      let known = publish(names.tree, FirstFaults(), began: began, read: began)
      observer?(Change(from: before, known: known, folders: nil))
    }
    return names.files
  }

  /// The previous totals are released outside of the lock.
  @discardableResult
  private func publish(
    _ tree: TreeTotals, _ faults: FirstFaults, began: Int64, read: Int64
  ) -> Known {
    let version = versions.wrappingAdd(1, ordering: .relaxed).newValue
    let known = Known(tree: tree, version: version, read: read, began: began, faults: faults)
    let before = state.withLock { state in
      defer { state.known = known }
      return state.known
    }
    withExtendedLifetime(before) {}
    return known
  }

  /// The world was replaced by another one.
  package func replace(by tree: TreeTotals?) {
    state.withLock { state in
      state.replacements += 1
      state.known = nil
      state.layersDue = nil
      state.stale.drop()
    }
    if let tree {
      publish(tree, FirstFaults(), began: .min, read: ThisProcess.nanoseconds)
    } else {
      versions.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Nil if this fails or is cancelled.
  package func totals(of roots: [ScanRoot]) async -> TreeTotals? {
    await counter.totals(of: roots)
  }

  // MARK: Layers

  /// Once it is time, unless a count or an update comes first.
  private func sumUpLayers() async {
    while true {
      let (due, isFirst) = state.withLock { state in
        (state.layersDue ?? .min, state.wanted == nil && state.stale.isEmpty)
      }
      let left = due - ThisProcess.nanoseconds
      if left <= 0 { break }
      if !isFirst { return }
      try? await Task.sleep(nanoseconds: UInt64(min(left, Self.step)))
    }
    let start = ThisProcess.nanoseconds
    let (known, replacements, observer) = state.withLock { state in
      state.layersDue = nil
      return (state.known, state.replacements, state.observer)
    }
    guard let known, let sums = await counter.layerSums(of: roots) else { return }
    var tree = known.tree
    let isChanged = tree.copyLayers(of: sums)
    let isSame = state.withLock { $0.replacements == replacements }
    if isChanged, isSame {
      let now = publish(tree, known.faults, began: known.began, read: known.read)
      observer?(Change(from: known.version, known: now, folders: nil))
    }
    let end = ThisProcess.nanoseconds
    state.withLock {
      $0.layersPauseUntil = end + max(layersPause, Self.pauseFactor * (end - start))
    }
  }

  // MARK: Updating

  func follow(_ whole: SharedWatcher.WholeTrees?) {
    let isSame = whole?.labels == Set(roots.map(\.label))
    state.withLock { $0.whole = isSame ? whole : nil }
  }

  package func catchUp() {
    if state.withLock({ !$0.stale.isEmpty }) { work() }
  }

  /// Waiting changes are read only with the next update, or by ``catchUp()``. `done` is called
  /// after the update; never if no totals are known and no count is running.
  package func update(
    _ change: LiveTree.FolderChange, waits: Bool = false,
    then done: (@Sendable (Change) -> Void)? = nil
  ) {
    let isWanted = state.withLock { state in
      if state.known == nil, !state.isCounting {
        state.stale.drop()
        return false
      }
      state.stale.add(change)
      if let done { state.waiting.append(done) }
      return !waits
    }
    if isWanted { work() }
  }

  /// After the time to collect changes and the pause since the last update.
  private func update() async {
    let due = state.withLock { state in
      max(state.stale.firstReport + pause, state.pausesUntil)
    }
    while true {
      let left = due - ThisProcess.nanoseconds
      if left <= 0 { break }
      // A requested count comes first.
      if state.withLock({ $0.wanted != nil }) { return }
      try? await Task.sleep(nanoseconds: UInt64(min(left, Self.step)))
    }
    let (stale, waiting, known, replacements, observer) = state.withLock { state in
      defer { state.waiting = [] }
      return (
        state.stale.take(), state.waiting, state.known, state.replacements, state.observer
      )
    }
    let start = ThisProcess.nanoseconds
    var change = Change(from: known?.version ?? 0, known: known, folders: [])
    if let known {
      let (tree, folders, hasLost) = await updater.update(known.tree, stale)
      let isSame = state.withLock { state in
        if hasLost { state.stale.recordLoss() }
        return state.replacements == replacements
      }
      if isSame, !folders.isEmpty {
        change = Change(
          from: known.version,
          known: publish(tree, known.faults, began: known.began, read: known.read),
          folders: folders.count > Self.maximumNamed ? nil : folders)
        observer?(change)
      }
      // Files of the same total may say something else.
      if counter.layers != nil {
        state.withLock { $0.layersDue = $0.layersDue ?? $0.layersPauseUntil }
      }
    }
    for done in waiting { done(change) }
    if stale.count >= Self.many { ThisProcess.returnMemory() }
    let end = ThisProcess.nanoseconds
    let length = min(Self.pauseFactor * (end - start), Self.longestPause)
    state.withLock { $0.pausesUntil = end + length }
  }
}
