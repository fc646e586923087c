/// The nodes of a map as they are found, in batches, in the order of the map.
///
/// A slow reader slows the scan; a reader that stops ends it.
package struct NodeStream: AsyncSequence, Sendable {
  package typealias Element = NodeBatch

  let batches: MapBatches<NodeBatch>

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: batches.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: MapBatches<NodeBatch>.Iterator

    package mutating func next() async throws -> NodeBatch? { try await next(isolation: nil) }

    /// - Throws: `CancellationError` if the task was cancelled.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> NodeBatch? {
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
