import GeoPipeline
import GeoSystem
import GeoTree
import Synchronization

/// Counts folders of a world for its totals, with threads that give way to more urgent work.
struct TotalsCounter: Sendable {
  let layers: LayerSet?
  let selection: Selection
  let isBusy: @Sendable () -> Bool

  /// The totals are nil if the count failed or was stopped; `isSlow` if it was because of the
  /// storage.
  typealias Count = (tree: TreeTotals?, faults: FirstFaults, isSlow: Bool)

  /// If it is probing, it stops once the storage turns out to be slow.
  func count(
    _ roots: [ScanRoot], by executor: MainThreadExecutor, probing isProbing: Bool = false,
    expecting expected: Int? = nil,
    _ report: @escaping @Sendable (WorldTotals.Progress) -> Void
  ) async -> Count {
    let task = Task(executorPreference: executor) { [self] () -> Count in
      var (reportedAt, faults, isSlow) = (ThisProcess.nanoseconds, FirstFaults(), false)
      var probe = StorageProbe()
      let (last, pauses) = (LastStep(), Pauses())
      let stalls: FileSystemScanner.StallListener = { path, seconds in
        report(last.waiting(WorldTotals.Waiting(path: path, seconds: seconds)))
      }
      let counter = Self(layers: layers, selection: selection) { pauses.counting(isBusy()) }
      let tree = await counter.totals(of: roots, stalls: stalls) { step in
        faults.add(step.faults)
        if isProbing, probe.isSlow(after: step.folders + step.files, pauses: pauses.count) {
          isSlow = true
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
        let now = ThisProcess.nanoseconds
        if now - reportedAt < 100_000_000 { return }
        reportedAt = now
        let progress = WorldTotals.Progress(
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

  /// The totals without sizes, and the number of files; nil if this fails or is stopped.
  func names(of roots: [ScanRoot]) async -> (tree: TreeTotals, files: Int)? {
    var options = FileSystemScanner.Options()
    options.givesWay = isBusy
    var files = 0
    guard
      var tree = try? await FileSystemScanner(options: options).names(of: roots)
        .finish(reporting: { files = $0.files })
    else { return nil }
    tree.hasNamesOnly = true
    return (tree, files)
  }

  /// Reads the part `update` again, or everything; nil if this fails or is cancelled. By default
  /// with as many threads as the storage can use.
  func totals(
    of roots: [ScanRoot], for update: TotalsUpdate? = nil, threads: Int? = nil,
    stalls: FileSystemScanner.StallListener? = nil,
    progress: (TotalsScan.Progress) -> Void = { _ in }
  ) async -> TreeTotals? {
    var options = FileSystemScanner.Options()
    options.threads = threads
    options.givesWay = isBusy
    options.stallListener = stalls
    // Totals count what the selection leaves out, which layers don't.
    let together = update == nil && !selection.isActive ? layers : nil
    do {
      var tree = try await FileSystemScanner(options: options)
        .totals(of: roots, classes: FileType.classes, layers: together, for: update)
        .finish(reporting: progress)
      if update == nil, together == nil, let sums = await layerSums(of: roots) {
        tree.copyLayers(of: sums)
      }
      return tree
    } catch {
      // The count was cancelled, or no thread could be started.
      return nil
    }
  }

  /// Nil without layers, or if this fails.
  func layerSums(of roots: [ScanRoot]) async -> TreeTotals? {
    guard let layers else { return nil }
    var options = FileSystemScanner.Options()
    options.selection = selection
    options.givesWay = isBusy
    return try? await FileSystemScanner(options: options).sums(of: layers, in: roots).finish()
  }
}

/// How often a count gives way to more urgent work. Each pause is a sleep, but no wait for a disk.
private final class Pauses: Sendable {
  private let number = Atomic(0)
  var count: Int { number.load(ordering: .relaxed) }

  func counting(_ isPause: Bool) -> Bool {
    if isPause { number.add(1, ordering: .relaxed) }
    return isPause
  }
}

private final class LastStep: Sendable {
  let progress = Mutex(WorldTotals.Progress())

  func waiting(_ folder: WorldTotals.Waiting) -> WorldTotals.Progress {
    progress.withLock { progress in
      var waiting = progress
      waiting.waiting = folder
      return waiting
    }
  }
}
