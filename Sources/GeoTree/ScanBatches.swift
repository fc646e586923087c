import GeoSystem

/// The output of a scan, in batches in tree order.
///
/// A slow reader slows the scan, because the amount read ahead is bounded. A reader that cancels
/// its task or releases the sequence stops the scan, which then closes all its folders. The batches
/// can be read once.
public struct ScanBatches<Content: Sendable>: AsyncSequence, Sendable {
  /// A batch.
  public typealias Element = ScanBatch<Content>

  private let source: Source

  /// `failure` returns, at the end, the error that ended the scan early.
  init(
    _ queue: OrderedWorkQueue<Content>, reporting report: FileSystemScanner.Listener? = nil,
    failure: @escaping @Sendable () -> (any Error)? = { nil }
  ) {
    source = Source(
      next: {
        try await withTaskCancellationHandler {
          switch await queue.next() {
          case .batch(let batch):
            report?(batch.lookedAt, batch.place)
            return batch
          case .end:
            if let error = failure() { throw error }
            return nil
          case .cancelled: throw CancellationError()
          }
        } onCancel: {
          queue.cancel()
        }
      },
      abandon: { queue.cancel() })
  }

  package init() { source = Source(next: { nil }, abandon: {}) }

  /// Continues where the last reader stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Reads batches.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all folders are closed by then.
    public mutating func next() async throws -> ScanBatch<Content>? {
      try await source.next()
    }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all folders are closed by then.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ScanBatch<Content>? {
      try await source.next()
    }
  }

  /// Cancels the scan when the last reference to it is released.
  fileprivate final class Source: Sendable {
    let next: @Sendable () async throws -> ScanBatch<Content>?
    private let abandon: @Sendable () -> Void

    init(
      next: @escaping @Sendable () async throws -> ScanBatch<Content>?,
      abandon: @escaping @Sendable () -> Void
    ) {
      self.next = next
      self.abandon = abandon
    }

    deinit { abandon() }
  }
}
