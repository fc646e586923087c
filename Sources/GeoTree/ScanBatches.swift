/// What a scan finds, in batches, in the order of the tree.
///
/// A reader that is slow slows the scan: what is read ahead is bounded. A reader that stops, because
/// its task is cancelled or because it lets go of the sequence, stops the scan, which closes all
/// that it had opened. The batches can be read once.
public struct ScanBatches<Content: Sendable>: AsyncSequence, Sendable {
  /// A batch.
  public typealias Element = ScanBatch<Content>

  private let source: Source

  /// Batches that come through an exchange.
  ///
  /// - Parameters:
  ///   - tell: Told of each batch that is read.
  ///   - failure: Asked at the end for what kept them from being all.
  init(
    _ exchange: Exchange<Content>, telling tell: FileSystemScanner.Listener? = nil,
    failure: @escaping @Sendable () -> (any Error)? = { nil }
  ) {
    source = Source(
      next: {
        try await withTaskCancellationHandler {
          switch await exchange.next() {
          case .batch(let batch):
            tell?(batch.lookedAt, batch.place)
            return batch
          case .end:
            if let error = failure() { throw error }
            return nil
          case .cancelled: throw CancellationError()
          }
        } onCancel: {
          exchange.cancel()
        }
      },
      abandon: { exchange.cancel() })
  }

  /// No batches at all.
  package init() { source = Source(next: { nil }, abandon: {}) }

  /// Reads on where the last reader stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Reads batches.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: Source

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all is closed by then.
    public mutating func next() async throws -> ScanBatch<Content>? {
      try await source.next()
    }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; all is closed by then.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ScanBatch<Content>? {
      try await source.next()
    }
  }

  /// Ends the scan when nobody can read it any more.
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
