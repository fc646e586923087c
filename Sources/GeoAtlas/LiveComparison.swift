import GeoChange
import GeoPipeline
import GeoSystem
import Synchronization

/// The differences between the two states of a world, compared again when something changes.
///
/// A comparison reads both states completely, as files may move anywhere. After each comparison it
/// pauses for longer than that took.
package final class LiveComparison: Sendable {
  package struct Known: Sendable {
    package let tree: ChangeTree
    /// The number of the comparison, from 1.
    package let version: Int
    /// The start of the comparison, on the clock of ``ThisProcess/nanoseconds``.
    package let read: Int64
    package fileprivate(set) var isComplete: Bool
    package let faults: FirstFaults
  }

  private struct State {
    var known: Known?
    var isComparing = false
    /// Whether something has changed since the current comparison began.
    var isStale = false
    /// Called when a comparison ends.
    var waiting: [@Sendable () -> Void] = []
  }

  private let comparison: Comparison
  private let state = Mutex(State())
  private let progress = Mutex<(@Sendable () -> Void)?>(nil)
  private let memory = Mutex(ThisProcess.MemoryReturn())

  /// The maximum pause between two notes of progress, in nanoseconds.
  private static let beat: Int64 = 10_000_000_000
  /// The minimum pause before another comparison, in nanoseconds.
  private static let pause: Int64 = 250_000_000
  /// The pause after a comparison, as a multiple of its duration.
  private static let pauseFactor: Int64 = 3

  package init(_ comparison: Comparison) {
    var comparison = comparison
    comparison.keepsSums = true
    self.comparison = comparison
  }

  /// The last result; nil until the first comparison has ended.
  package var known: Known? { state.withLock { $0.known } }

  /// The number of the last comparison; 0 before the first one.
  package var version: Int { state.withLock { $0.known?.version ?? 0 } }

  /// Calls `body` again and again while a comparison runs or is due.
  package func observeProgress(_ body: @escaping @Sendable () -> Void) {
    progress.withLock { $0 = body }
  }

  private func reportProgress() { progress.withLock { $0 }?() }

  /// Compares, or compares again if a comparison is running: `done` follows one that began after
  /// this call.
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
      // Without a thread the last result stays, marked as incomplete.
      setIncomplete()
      for done in takeWaiting() { done() }
      state.withLock { $0.isComparing = false }
    }
  }

  private func run() async {
    var wait = known == nil ? 0 : Self.pause
    repeat {
      while wait > 0 {
        try? await Task.sleep(nanoseconds: UInt64(min(wait, Self.beat)))
        wait -= Self.beat
        reportProgress()
      }
      let waiting = takeWaiting()
      let start = ThisProcess.nanoseconds
      await run(from: start)
      wait = max(Self.pause, Self.pauseFactor * (ThisProcess.nanoseconds - start))
      for done in waiting { done() }
      memory.withLock { _ = $0.tick(at: ThisProcess.nanoseconds) }
    } while isStaleNow()
    // Nothing else may ever come.
    ThisProcess.returnMemory()
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
    var faults = FirstFaults()
    do {
      var batches = try await comparison.start().makeAsyncIterator()
      while let progress = try await batches.next(isolation: nil) {
        faults.add(progress.faults)
        reportProgress()
      }
      let tree = try batches.finish()
      let known = Known(
        tree: tree, version: version + 1, read: start, isComplete: faults.count == 0, faults: faults
      )
      // The former result is released outside of the lock.
      let before = state.withLock { state in
        defer { state.known = known }
        return state.known
      }
      withExtendedLifetime(before) {}
      memory.withLock { $0.setDue() }
    } catch {
      // A state or a thread is missing: the last result stays, marked as incomplete.
      setIncomplete()
    }
  }

  private func setIncomplete() { state.withLock { $0.known?.isComplete = false } }
}
