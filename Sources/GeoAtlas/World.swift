import GeoChange
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// The world that is served: roots, and of what is below them as much as was looked at.
package final class World: Sendable {
  package let engine: GeoProjectionEngine
  package var roots: [ScanRoot] { sources.roots }
  let sources: OpenSources
  /// What of it is shown.
  let visibility: Visibility
  /// By the hashes of their paths; that it is the path, and not only its hash, is looked at.
  private let cache: BoundedCache<UInt64, WorldFolder>
  private let readCount = Atomic(0)

  /// For how long a listing is believed without a look at the folder, in nanoseconds.
  package static let trust: Int64 = 500_000_000
  /// The same for this world.
  private let trust: Int64
  /// Whether what is known of files is kept with the listing that they are in.
  let keepsFacts: Bool
  /// How many names a path may have.
  package static let deepest = 1024

  /// A world of some roots.
  ///
  /// - Parameters:
  ///   - selection: What of it is shown; what isn't keeps its place.
  ///   - cacheLimit: Bytes of listings that are kept.
  ///   - readsDisk: Whether the roots are checked to be folders.
  ///   - trust: For how long a listing is believed without a look at the folder, in nanoseconds.
  ///   - keepsFacts: Whether what is known of files is kept with the listing that they are in: for sources
  ///     that don't change, and that know both at once.
  package init(
    roots: [ScanRoot], layout: Layout, selection: Selection = Selection(), cacheLimit: Int,
    readsDisk: Bool = true, trust: Int64 = World.trust, keepsFacts: Bool = false
  ) throws(MapError) {
    self.trust = trust
    self.keepsFacts = keepsFacts
    let world = try WorldRoots(roots, layout, areThere: readsDisk)
    if selection.usesGitignore, let conflict = MapConflict([.gitignore], on: world.roots) {
      throw .conflict(conflict)
    }
    engine = world.engine
    visibility = Visibility(selection, of: world.roots)
    var options = FileSystemScanner.Options()
    options.hasStamp = true
    // As many readers as a server has threads, and some more.
    sources = OpenSources(world.roots, options, readers: 16)
    cache = BoundedCache(limit: cacheLimit)
  }

  /// Folders read so far.
  package var folderReads: Int { readCount.load(ordering: .relaxed) }
  /// Bytes of listings that are kept.
  package var cacheCost: Int { cache.cost }

  /// Whether listings can be kept without others being dropped soon.
  package var hasRoom: Bool { cache.cost < cache.limit / 2 }

  /// Forgets what is known of a folder.
  package func forget(_ folder: FolderStamp) { cache.remove(folder.place.seed) }

  /// Where the files of a folder are, if its listing is kept.
  package func city(of folder: FolderStamp) -> City? { known(at: folder.place)?.city }

  /// What is kept of a folder, unless it has moved on the map since, as folders do that come to
  /// have many more neighbours.
  func known(at place: FolderPlace) -> WorldFolder? {
    guard let known = cache.value(for: place.seed), known.place == place else { return nil }
    return known
  }

  /// Whether a folder is what it was when it was read, by one look at it.
  package func isUnchanged(_ folder: FolderStamp) -> Bool {
    if folder.stamp == nil { return false }
    if trust > 0, folder.wasChecked(since: ThisProcess.nanoseconds - trust) { return true }
    return isUnchangedNow(folder)
  }

  /// The same, whenever it was looked at before.
  package func isUnchangedNow(_ folder: FolderStamp) -> Bool {
    guard let stamp = folder.stamp else { return false }
    let reference = FolderReference.path(
      root: roots[folder.root], path: folder.path, mark: folder.mark)
    let session = sources.session(ofRoot: folder.root)
    if session.stamp(of: reference) != stamp { return false }
    if let rules = folder.rules,
      rules != visibility.stamp(ofRulesOf: folder.path, root: folder.root, in: self)
    {
      return false
    }
    folder.noteChecked()
    return true
  }

  /// Takes account of a folder that was read.
  func note(_ folder: WorldFolder, keeps: Bool) {
    readCount.wrappingAdd(1, ordering: .relaxed)
    if keeps, folder.stamp.stamp != nil {
      cache.insert(folder, for: folder.place.seed, cost: folder.cost)
    }
  }

  /// What one thread reads the world with.
  package func reader() -> WorldReader { WorldReader(self) }
}

/// What differs between the two states of a world, compared once and again where something changes.
///
/// A comparison reads all of both states, for what moved may have gone anywhere. Where changes follow each
/// other it rests for longer than it works.
package final class WorldChanges: Sendable {
  /// What is known at a moment.
  package struct Known: Sendable {
    /// What differs.
    package let tree: ChangeTree
    /// Counts up with every comparison.
    package let version: Int
    /// When it was begun, on the clock of ``ThisProcess/nanoseconds``.
    package let read: Int64
    /// Whether all could be read.
    package let isComplete: Bool
  }

  private struct State {
    var known: Known?
    var isComparing = false
    /// Whether something has changed since the comparison that goes on was begun.
    var isStale = false
    /// Who is told once a comparison has come to its end.
    var waiting: [@Sendable () -> Void] = []
  }

  private let comparison: Comparison
  private let state = Mutex(State())
  private let versions = Atomic(0)

  /// How long changes are gathered before it is compared again, in nanoseconds.
  private static let pause: Int64 = 250_000_000
  /// How many times as long as it has worked it rests.
  private static let rest: Int64 = 3

  /// Differences of which nothing is known yet.
  package init(_ comparison: Comparison) {
    var comparison = comparison
    comparison.keepsSums = true
    self.comparison = comparison
  }

  /// What is known; nil as long as the first comparison has not come to its end.
  package var known: Known? { state.withLock { $0.known } }

  /// Counts up with every comparison; 0 as long as nothing is known.
  package var version: Int { versions.load(ordering: .relaxed) }

  /// Compares, or compares again soon if that goes on.
  ///
  /// - Parameter done: Told once a comparison has come to its end that was begun after this.
  package func compare(then done: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(done)
      if state.isComparing {
        state.isStale = true
        return false
      }
      state.isComparing = true
      return true
    }
    if !isFirst { return }
    do throws(Errno) {
      // A comparison sorts, and writes scratch files.
      try WorkerThread.run { [self] _ in await run() }
    } catch {
      // Without a thread what was known before stays, and is not all.
      noteFailure()
      for done in takeWaiting() { done() }
      state.withLock { $0.isComparing = false }
    }
  }

  private func run() async {
    var wait = known == nil ? 0 : Self.pause
    repeat {
      if wait > 0 { try? await Task.sleep(nanoseconds: UInt64(wait)) }
      let waiting = takeWaiting()
      let start = ThisProcess.nanoseconds
      await run(from: start)
      wait = max(Self.pause, Self.rest * (ThisProcess.nanoseconds - start))
      for done in waiting { done() }
    } while isStaleNow()
  }

  private func takeWaiting() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { (state.waiting, state.isStale) = ([], false) }
      return state.waiting
    }
  }

  private func isStaleNow() -> Bool {
    state.withLock { state in
      state.isComparing = state.isStale
      return state.isStale
    }
  }

  private func run(from start: Int64) async {
    var isComplete = true
    do {
      var batches = try await comparison.start().makeAsyncIterator()
      while let progress = try await batches.next(isolation: nil) {
        if !progress.faults.isEmpty { isComplete = false }
      }
      let tree = try batches.finish()
      let version = versions.wrappingAdd(1, ordering: .relaxed).newValue
      let known = Known(tree: tree, version: version, read: start, isComplete: isComplete)
      // What was known before is let go outside of the lock.
      let before = state.withLock { state in
        defer { state.known = known }
        return state.known
      }
      withExtendedLifetime(before) {}
    } catch {
      // A state is gone, or there is no thread for it: what was known before stays, and is not all.
      noteFailure()
    }
  }

  private func noteFailure() {
    state.withLock { state in
      guard let known = state.known else { return }
      state.known = Known(
        tree: known.tree, version: known.version, read: known.read, isComplete: false)
    }
  }
}
