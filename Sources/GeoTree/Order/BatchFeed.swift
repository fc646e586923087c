import GeoSystem
import Synchronization

/// Takes the batches that one thread makes, whatever it makes them from, to a reader.
public struct BatchFeed<Content: Sendable>: Sendable {
  /// Knows nothing: there is only one stretch of work.
  private final class NoPlan: Sendable {}

  /// How much may be made ahead, in bytes.
  private static var headroom: Int { 1024 * 1024 }

  private let queue: OrderedWorkQueue<Content>
  private let id: Int

  /// Starts a thread.
  ///
  /// - Parameter body: What it does: it delivers batches in their order, and throws if they can't
  ///   be all, which the reader gets to know in place of the end.
  /// - Throws: ``FileSystemScanner/Failure`` if there is no thread to be had.
  package static func start(
    _ body: sending @escaping (BatchFeed) throws -> Void
  ) throws(FileSystemScanner.Failure) -> ScanBatches<Content> {
    let queue = OrderedWorkQueue<Content>(
      Work(roots: [ScanRoot(label: [], directory: [])], plan: NoPlan()), workers: 1, processors: 1,
      headroom: headroom)
    let outcome = Outcome()
    let batches = ScanBatches(queue, failure: { outcome.error.withLock { $0 } })
    do throws(Errno) {
      try WorkerThread.start {
        if let assignment = queue.take() {
          do {
            try body(BatchFeed(queue: queue, id: assignment.id))
          } catch {
            outcome.error.withLock { $0 = error }
          }
          queue.finish(assignment.id, givingBack: [])
        }
        queue.leave()
      }
    } catch {
      throw .noThread(error)
    }
    return batches
  }

  private init(queue: OrderedWorkQueue<Content>, id: Int) {
    self.queue = queue
    self.id = id
  }

  /// Whether the reader has lost interest.
  package var isCancelled: Bool { queue.isCancelled }

  /// Hands a batch over; waits while too much was made ahead.
  ///
  /// - Parameter weight: Bytes of the batch.
  /// - Returns: Whether more is wanted.
  package func deliver(_ batch: ScanBatch<Content>, weight: Int) -> Bool {
    queue.deliver(batch, weight: weight, to: id)
  }

  private final class Outcome: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }
}

/// How many workers are at work at once: a pure rule.
///
/// Where folders are in memory, more workers than processors only stand in each other's way; where
/// each call has to wait for a disk or a network, they hide the delay. What tells one from the other
/// is how busy the process keeps the processors.
struct WorkerLimit: Sendable {
  /// After how many nanoseconds the limit is looked at again.
  static var interval: Int64 { 5_000_000 }

  /// How many may be at work now: all at first, never fewer than there are processors for.
  private(set) var value: Int

  private let workers: Int
  private let processors: Int
  private var last: Reading?

  /// What two clocks say, in nanoseconds.
  struct Reading: Sendable {
    /// Time that has passed.
    var elapsed: Int64
    /// Time that processors have spent on the process.
    var spent: Int64
  }

  /// The two clocks.
  struct Clocks: Sendable {
    /// Time that has passed since some moment, in nanoseconds.
    var elapsed: @Sendable () -> Int64
    /// Time that processors have spent on the process, in nanoseconds.
    var spent: @Sendable () -> Int64
  }

  init(workers: Int, processors: Int) {
    self.workers = workers
    self.processors = max(1, processors)
    value = workers
  }

  /// Whether there are workers that may have to stay in reserve.
  var isAdjustable: Bool { workers > processors }

  /// Whether the limit should be looked at again.
  func isDue(at elapsed: Int64) -> Bool {
    guard let last else { return true }
    return elapsed - last.elapsed >= Self.interval
  }

  /// Looks at the clocks.
  ///
  /// - Parameter isReached: Whether as many are at work as may be; if not, the limit isn't what
  ///   keeps processors idle.
  mutating func adjust(to reading: Reading, isReached: Bool) {
    defer { last = reading }
    guard let last, reading.elapsed > last.elapsed else { return }
    let capacity = (reading.elapsed - last.elapsed) * Int64(processors)
    let spent = reading.spent - last.spent
    if spent < capacity / 3 * 2 {
      if isReached { value = min(workers, value + (value + 1) / 2) }
    } else {
      value = min(value, (value + processors) / 2)
    }
  }
}
