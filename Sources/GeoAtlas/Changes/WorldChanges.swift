import GeoChange
import GeoPipeline
import GeoSystem
import Synchronization

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
