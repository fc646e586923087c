import GeoTree

/// The nodes of a map as they are found, in batches, in the order of the map.
///
/// A reader that is slow slows the scan; one that stops, stops it.
public struct NodeStream: AsyncSequence, Sendable {
  /// Nodes that follow each other.
  public typealias Element = NodeBatch

  let batches: SurveyBatches<NodeBatch>
  let misfit: Misfit

  /// Reads the nodes from the first on; they can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: batches.makeAsyncIterator(), misfit: misfit)
  }

  /// Reads batches of nodes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SurveyBatches<NodeBatch>.Iterator
    fileprivate let misfit: Misfit

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; ``MapError/misfit(path:directory:)`` if
    ///   a deed turned out not to fit.
    public mutating func next() async throws -> NodeBatch? { try await next(isolation: nil) }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> NodeBatch? {
      let next = try await base.next(isolation: actor)
      if let path = misfit.path { throw MapError.misfit(path: path, directory: nil) }
      switch next {
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
