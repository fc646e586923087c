import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoTree

@Suite struct OrderedWorkQueueTests {
  /// State shared by the workers of a test.
  private final class Progress: Sendable {
    let done = Atomic<Int>(0)
    /// The time of the test's clock; it stops unless the processors are busy.
    let time = Atomic<Int64>(0)
    let areProcessorsBusy = Atomic(false)

    /// Clocks that show, once it is busy, that one processor was never idle.
    var clocks: WorkerLimit.Clocks {
      .init { [self] in
        let step = areProcessorsBusy.load(ordering: .relaxed) ? WorkerLimit.interval : 0
        return time.add(step, ordering: .relaxed).newValue
      } spent: { [self] in
        time.load(ordering: .relaxed)
      } waits: {
        0
      }
    }
  }

  private static func work(pieces: Int) -> Work {
    let roots = (0..<pieces).map { ScanRoot(label: Array("\($0)".utf8), directory: []) }
    return Work(roots: roots, plan: NoPlan())
  }

  /// All other workers wait for work when the processors turn out to be busy, so fewer may work
  /// than wait. New work is taken nevertheless.
  @Test(arguments: [2, 16, 64])
  func newWorkIsTakenWithMoreWaitersThanWorkers(workers: Int) async throws {
    let progress = Progress()
    let queue = OrderedWorkQueue<Int>(
      Self.work(pieces: 1), workers: WorkerCount(fixed: workers, processors: 1),
      clocks: progress.clocks)
    let batches = ScanBatches(queue)
    for _ in 0..<workers {
      try WorkerThread.start {
        var hasFinished = false
        while let (id, work) = queue.take(returning: hasFinished) {
          let isFirst = progress.done.add(work.range.count, ordering: .relaxed).oldValue == 0
          if isFirst {
            while queue.idleWorkers < workers - 1, !queue.isCancelled {
              WorkerThread.pause(milliseconds: 1)
            }
            progress.areProcessorsBusy.store(true, ordering: .relaxed)
          }
          queue.finish(id, givingBack: isFirst ? [Self.work(pieces: 200)] : [])
          hasFinished = true
        }
        queue.leave()
      }
    }
    try await Patience.bounding { for try await _ in batches {} }
    #expect(progress.done.load(ordering: .relaxed) == 201)
  }

  /// Clocks that show, at each reading, that an interval passed in which all workers waited.
  private static func waitingClocks() -> WorkerLimit.Clocks {
    let readings = Progress()
    return .init {
      readings.time.add(WorkerLimit.interval, ordering: .relaxed).newValue
    } spent: {
      0
    } waits: {
      Int64(readings.done.add(1_000_000, ordering: .relaxed).newValue)
    }
  }

  @Test func workersAreAddedWhileCallsWait() async throws {
    let progress = Progress()
    let running = Progress()
    let start: @Sendable (OrderedWorkQueue<Int>) throws(Errno) -> Void = { queue in
      try WorkerThread.start {
        var hasFinished = false
        while let (id, work) = queue.take(returning: hasFinished) {
          progress.done.add(work.range.count, ordering: .relaxed)
          running.done.add(1, ordering: .relaxed)
          while running.done.load(ordering: .relaxed) < 16, !queue.isCancelled {
            WorkerThread.pause(milliseconds: 1)
          }
          queue.finish(id, givingBack: [])
          hasFinished = true
        }
        queue.leave()
      }
    }
    let count = WorkerCount(2, upTo: 16)
    let queue = OrderedWorkQueue<Int>(
      Self.work(pieces: 400), workers: count, clocks: Self.waitingClocks(), startWorker: start)
    let batches = ScanBatches(queue)
    for _ in 0..<count.started { try start(queue) }
    try await Patience.bounding { for try await _ in batches {} }
    #expect(progress.done.load(ordering: .relaxed) == 400)
    #expect(queue.slice < WorkerCount.largestSlice)
  }

  @Test func scansEndIfNoMoreWorkersCanBeStarted() async throws {
    let (visited, failures) = (Progress(), Progress())
    let count = WorkerCount(2, upTo: 16)
    let queue = OrderedWorkQueue<Int>(
      Self.work(pieces: 400), workers: count, clocks: Self.waitingClocks()
    ) { (_) throws(Errno) in
      failures.done.add(1, ordering: .relaxed)
      throw .wouldBlock
    }
    let batches = ScanBatches(queue)
    for _ in 0..<count.started {
      try WorkerThread.start {
        var hasFinished = false
        while let (id, work) = queue.take(returning: hasFinished) {
          visited.done.add(work.range.count, ordering: .relaxed)
          // Until the watching worker has noticed that all others wait.
          while failures.done.load(ordering: .relaxed) == 0, !queue.isCancelled {
            WorkerThread.pause(milliseconds: 1)
          }
          queue.finish(id, givingBack: [])
          hasFinished = true
        }
        queue.leave()
      }
    }
    try await Patience.bounding { for try await _ in batches {} }
    #expect(visited.done.load(ordering: .relaxed) == 400)
    #expect(failures.done.load(ordering: .relaxed) == 1)
  }
}
