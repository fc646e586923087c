import GeoSystem
import Synchronization

/// Takes the batches that one thread makes, whatever it makes them from, to a reader.
public struct BatchFeed<Content: Sendable>: Sendable {
  /// Knows nothing: there is only one stretch of work.
  private final class NoPlan: Sendable {}

  /// How much may be made ahead, in bytes.
  private static var headroom: Int { 1024 * 1024 }

  private let exchange: Exchange<Content>
  private let id: Int

  /// Starts a thread.
  ///
  /// - Parameter body: What it does: it delivers batches in their order, and throws if they can't
  ///   be all, which the reader gets to know in place of the end.
  /// - Throws: ``FileSystemScanner/Failure`` if there is no thread to be had.
  package static func start(
    _ body: sending @escaping (BatchFeed) throws -> Void
  ) throws(FileSystemScanner.Failure) -> ScanBatches<Content> {
    let exchange = Exchange<Content>(
      Work(roots: [ScanRoot(label: [], directory: [])], plan: NoPlan()), workers: 1, processors: 1,
      headroom: headroom)
    let outcome = Outcome()
    let batches = ScanBatches(exchange, failure: { outcome.error.withLock { $0 } })
    do throws(Errno) {
      try WorkerThread.start {
        if let assignment = exchange.take() {
          do {
            try body(BatchFeed(exchange: exchange, id: assignment.id))
          } catch {
            outcome.error.withLock { $0 = error }
          }
          exchange.finish(assignment.id, givingBack: [])
        }
        exchange.leave()
      }
    } catch {
      throw .noThread(error)
    }
    return batches
  }

  private init(exchange: Exchange<Content>, id: Int) {
    self.exchange = exchange
    self.id = id
  }

  /// Whether the reader has lost interest.
  package var isCancelled: Bool { exchange.isCancelled }

  /// Hands a batch over; waits while too much was made ahead.
  ///
  /// - Parameter weight: Bytes of the batch.
  /// - Returns: Whether more is wanted.
  package func deliver(_ batch: ScanBatch<Content>, weight: Int) -> Bool {
    exchange.deliver(batch, weight: weight, to: id)
  }

  private final class Outcome: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }
}
