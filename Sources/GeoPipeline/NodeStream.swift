import GeoScan

/// The nodes of a map as they are found, in batches, in the order of the map.
///
/// A reader that is slow slows the scan; one that stops, stops it.
public struct NodeStream: AsyncSequence, Sendable {
  /// Nodes that follow each other.
  public typealias Element = NodeBatch

  let batches: SurveyBatches<NodeBatch>

  /// Reads the nodes from the first on; they can be read once.
  public func makeAsyncIterator() -> Iterator { Iterator(base: batches.makeAsyncIterator()) }

  /// Reads batches of nodes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SurveyBatches<NodeBatch>.Iterator

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next() async throws -> NodeBatch? { try await next(isolation: nil) }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> NodeBatch? {
      switch try await base.next(isolation: actor) {
      case .scanned(let batch):
        var nodes = batch.content
        nodes.faults = batch.faults
        return nodes
      case .counted(let progress):
        var nodes = NodeBatch()
        nodes.faults = progress.faults
        return nodes
      case nil: return nil
      }
    }
  }
}
