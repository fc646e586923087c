import GeoPipeline
import GeoSystem
import GeoTree
import Synchronization

extension WorldTotals {
  /// Counts all roots, and publishes the totals.
  ///
  /// - Parameters:
  ///   - executor: The executor of this thread.
  ///   - report: Receives the progress several times a second, and at the end.
  func count(
    by executor: MainThreadExecutor, _ report: @escaping @Sendable (Progress) -> Void
  ) async {
    let replacements = state.withLock { $0.replacements }
    let began = ThisProcess.nanoseconds
    let task = Task(executorPreference: executor) { [self] in
      if countsNamesFirst != true {
        let first = await countAll(by: executor, probing: countsNamesFirst == nil, report)
        if !first.isSlow || Task.isCancelled { return (first.tree, first.faults) }
      }
      let names = await countNames(replacements, began: began)
      if Task.isCancelled { return (nil, FirstFaults()) }
      if let names { report(Progress(expected: names)) }
      let all = await countAll(by: executor, expecting: names, report)
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

  private typealias Count = (tree: TreeTotals?, faults: FirstFaults, isSlow: Bool)

  /// Counts all roots.
  ///
  /// - Parameters:
  ///   - isProbing: Whether to stop once the storage turns out to be slow.
  ///   - expected: The number of files, if known.
  private func countAll(
    by executor: MainThreadExecutor, probing isProbing: Bool = false,
    expecting expected: Int? = nil,
    _ report: @escaping @Sendable (Progress) -> Void
  ) async -> Count {
    let task = Task(executorPreference: executor) { [self] () -> Count in
      var (reportedAt, faults, isSlow) = (ThisProcess.nanoseconds, FirstFaults(), false)
      var probe = StorageProbe()
      let last = LastStep()
      let stalls: FileSystemScanner.StallListener = { path, seconds in
        report(last.waiting(Waiting(path: path, seconds: seconds)))
      }
      let tree = await totals(of: roots, stalls: stalls) { step in
        faults.add(step.faults)
        if isProbing, probe.isSlow(after: step.folders + step.files) {
          isSlow = true
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
        let now = ThisProcess.nanoseconds
        if now - reportedAt < 100_000_000 { return }
        reportedAt = now
        let progress = Progress(
          folders: step.folders, files: step.files, bytes: step.bytes,
          allocated: step.allocated, expected: expected)
        last.progress.withLock { $0 = progress }
        report(progress)
      }
      return (tree, faults, isSlow && tree == nil)
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Counts names, and publishes that unless more is known.
  ///
  /// - Returns: The number of files; nil if the count fails or is stopped.
  private func countNames(_ replacements: Int, began: Int64) async -> Int? {
    var options = FileSystemScanner.Options()
    options.givesWay = isBusy
    var files = 0
    guard
      var names = try? await FileSystemScanner(options: options).names(of: roots)
        .finish(reporting: { files = $0.files })
    else { return nil }
    names.hasNamesOnly = true
    let (isUnknown, observer) = state.withLock {
      ($0.replacements == replacements && $0.known == nil, $0.observer)
    }
    if isUnknown {
      let before = version
      let known = publish(names, FirstFaults(), began: began, read: began)
      observer?(Change(from: before, known: known, folders: nil))
    }
    return files
  }
}

/// The last progress of a count.
private final class LastStep: Sendable {
  let progress = Mutex(WorldTotals.Progress())

  /// The same progress, with a folder that doesn't answer.
  func waiting(_ folder: WorldTotals.Waiting) -> WorldTotals.Progress {
    progress.withLock { progress in
      var waiting = progress
      waiting.waiting = folder
      return waiting
    }
  }
}

/// Whether a scan waits for its storage, as on a network share.
struct StorageProbe {
  /// How long to watch the scan, in nanoseconds.
  private static let duration: Int64 = 400_000_000
  /// Fewer entries than this in a second are slow.
  private static let slow: Int64 = 20_000

  private let began = ThisProcess.nanoseconds
  private let waits = ThisProcess.waits
  private var isDecided = false

  /// Decides once, after a while; false before and after.
  mutating func isSlow(after entries: Int) -> Bool {
    if isDecided { return false }
    let elapsed = ThisProcess.nanoseconds - began
    if elapsed < Self.duration { return false }
    isDecided = true
    return Self.isSlow(entries, elapsed: elapsed, waits: ThisProcess.waits - waits)
  }

  /// Whether so many entries are few for the time, in nanoseconds, and as many calls have waited. A
  /// scan that other programs keep from the processors waits for no calls.
  static func isSlow(_ entries: Int, elapsed: Int64, waits: Int64) -> Bool {
    Int64(entries) * 1_000_000_000 / elapsed < slow && waits >= Int64(entries) / 2
  }
}
