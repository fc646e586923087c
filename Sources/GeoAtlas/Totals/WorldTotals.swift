import GeoPath
import GeoPipeline
import GeoScan
import GeoStats
import GeoSystem
import Synchronization

/// What is below each folder of a world, added up once somebody wants to know and kept from then on.
///
/// It is read beside all else, by threads that rest while something more urgent is being done and go after
/// all others of the machine.
package final class WorldTotals: Sendable {
  /// What is known at a moment.
  package struct Known: Sendable {
    /// The totals of all folders.
    package let tree: TreeTotals
    /// Counts up with every change.
    package let version: Int
    /// When all of it was read, on the clock of ``ThisProcess/nanoseconds``.
    package let read: Int64
  }

  /// How far it has come.
  package struct Progress: Sendable, Hashable {
    /// Folders added up so far.
    package var folders = 0
    /// Files added up so far, each as often as it was met.
    package var files = 0
    /// Whether it has come to its end, good or bad.
    package var isDone = false
  }

  private struct State {
    var known: Known?
    var task: Task<Void, Never>?
    /// Folders that are to be read again, by their paths.
    var stale: Set<[UInt8]> = []
    var isMending = false
    /// Who is told once they were.
    var waiting: [@Sendable () -> Void] = []
  }

  private let roots: [ScanRoot]
  private let state = Mutex(State())
  private let versions = Atomic(0)
  /// Whether there is something more urgent to do at the moment.
  private let isBusy: @Sendable () -> Bool

  /// How long changes are gathered before folders are read again.
  private static let pause: UInt64 = 400_000_000
  /// With more folders to read again than these, all is read.
  private static let mostStale = 64

  /// Totals of a world's roots, of which nothing is read yet.
  ///
  /// - Parameters:
  ///   - roots: What is added up, if it isn't all of the world: of two states the new one.
  ///   - isBusy: Whether there is something more urgent to do at the moment.
  package init(
    of world: World, from roots: [ScanRoot]? = nil,
    isBusy: @escaping @Sendable () -> Bool = { false }
  ) {
    self.roots = roots ?? world.roots
    self.isBusy = isBusy
  }

  /// What is known; nil as long as it has not come to its end for the first time.
  package var known: Known? { state.withLock { $0.known } }

  /// Counts up with every change; 0 as long as nothing is known.
  package var version: Int { versions.load(ordering: .relaxed) }

  /// Begins to add up all, unless that is going on.
  ///
  /// - Parameter tell: Told how far it has come, several times a second, and at the end.
  package func begin(telling tell: @escaping @Sendable (Progress) -> Void) {
    state.withLock { state in
      if state.task != nil { return }
      state.task = Task { [self] in
        await run(tell)
        self.state.withLock { $0.task = nil }
      }
    }
  }

  /// Breaks off what is going on; what was known before stays.
  package func stop() { state.withLock { $0.task }?.cancel() }

  private func run(_ tell: @Sendable (Progress) -> Void) async {
    var progress = Progress()
    let read = ThisProcess.nanoseconds
    var told = read
    let tree = await totals(of: roots) { folders, files in
      (progress.folders, progress.files) = (folders, files)
      let now = ThisProcess.nanoseconds
      if now - told < 100_000_000 { return }
      told = now
      tell(progress)
    }
    if let tree { publish(tree, read: read) }
    // Broken off, it is over, too: then what was known before stays.
    progress.isDone = true
    tell(progress)
  }

  private func publish(_ tree: TreeTotals, read: Int64) {
    let version = versions.wrappingAdd(1, ordering: .relaxed).newValue
    state.withLock { $0.known = Known(tree: tree, version: version, read: read) }
  }

  /// A pass over some folders; nil if it was broken off.
  ///
  /// - Parameter threads: How many read; nil for one to a processor.
  private func totals(
    of roots: [ScanRoot], threads: Int? = nil, progress: (Int, Int) -> Void
  ) async -> TreeTotals? {
    var options = FileSystemScanner.Options()
    options.threads = threads
    options.givesWay = isBusy
    do {
      var pass = try await FileSystemScanner(options: options)
        .totals(of: roots, classes: FileType.classes).makeAsyncIterator()
      while let step = try await pass.next(isolation: nil) {
        progress(step.folders, step.files)
      }
      return pass.finish()
    } catch {
      // It was cancelled, or there is no thread for it: then nothing more is known.
      return nil
    }
  }

  /// What is below all folders of some roots, with what tiles tell of it.
  ///
  /// - Throws: `MapError` if no thread can be started; `CancellationError`.
  package static func all(
    of roots: [ScanRoot], options: FileSystemScanner.Options
  ) async throws -> TreeTotals {
    let scan: TotalsScan
    do throws(FileSystemScanner.Failure) {
      scan = try await FileSystemScanner(options: options)
        .totals(of: roots, classes: FileType.classes)
    } catch {
      switch error {
      case .noThread(let reason): throw MapError.noThread(reason)
      }
    }
    var pass = scan.makeAsyncIterator()
    while try await pass.next(isolation: nil) != nil {}
    return pass.finish()
  }

  /// Has a folder read again soon, with all that is below it.
  ///
  /// - Parameters:
  ///   - path: The folder's path.
  ///   - changed: Told once it was; never if nothing is known yet.
  package func mend(_ path: [UInt8], then changed: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      if state.known == nil { return false }
      state.stale.insert(path)
      state.waiting.append(changed)
      defer { state.isMending = true }
      return !state.isMending
    }
    if !isFirst { return }
    Task { [self] in
      repeat {
        try? await Task.sleep(nanoseconds: Self.pause)
        let (stale, waiting) = state.withLock { state in
          defer { (state.stale, state.waiting) = ([], []) }
          return (state.stale, state.waiting)
        }
        await mend(stale)
        for changed in waiting { changed() }
      } while !isMended()
    }
  }

  private func isMended() -> Bool {
    state.withLock { state in
      if !state.stale.isEmpty { return false }
      state.isMending = false
      return true
    }
  }

  private func mend(_ paths: Set<[UInt8]>) async {
    if paths.count > Self.mostStale { return await run { _ in } }
    for path in paths {
      // What lies in another that is read anyway is read with it.
      if paths.contains(where: { $0.count < path.count && path.starts(with: $0 + [0x2F]) }) {
        continue
      }
      let names = path.components
      guard let label = names.first,
        let root = roots.first(where: { $0.label.elementsEqual(label) })
      else { continue }
      guard let part = await totals(of: [root.below(path)], threads: 1, progress: { _, _ in })
      else {
        continue
      }
      state.withLock { state in
        guard let known = state.known else { return }
        var tree = known.tree
        let number = tree.number(of: names)
        if number == TreeTotals.missing { return }
        tree.replace(number, by: part)
        let version = versions.wrappingAdd(1, ordering: .relaxed).newValue
        state.known = Known(tree: tree, version: version, read: known.read)
      }
    }
  }
}
