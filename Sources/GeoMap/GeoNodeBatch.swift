import GeoPipeline
import GeoTree

/// Nodes that follow each other on the map.
///
/// A batch keeps plain records, and makes a ``GeoNode`` of one when it is asked for it.
public struct GeoNodeBatch: RandomAccessCollection, Sendable {
  /// What could not be read among them.
  public var faults: [ScanFault] { batch.faults }

  /// What was left out among them.
  public var excluded: ExclusionCounts { batch.excluded }

  private let batch: NodeBatch
  private let directories: [[UInt8]: SharedDirectory]

  init(_ batch: NodeBatch, directories: [[UInt8]: SharedDirectory]) {
    self.batch = batch
    self.directories = directories
  }

  /// The position of the first node.
  public var startIndex: Int { 0 }

  /// The position after the last node.
  public var endIndex: Int { batch.records.count }

  /// The node at a position.
  ///
  /// - Complexity: O(length of its path).
  public subscript(position: Int) -> GeoNode {
    let record = batch.records[position]
    let path = batch.path(of: record)
    let label = Array(path.firstComponent)
    return GeoNode(
      record, path: path, totals: batch.totals(of: record),
      outline: batch.outline(of: record).map { GeoCoordinate($0, digits: record.digits) },
      directory: directories[label] ?? .nowhere)
  }
}

/// The nodes of a world as they are found, in batches.
///
/// A reader that is slow slows the scan; one that stops, stops it. The nodes can be read once.
public struct GeoNodeBatches: AsyncSequence, Sendable {
  /// Nodes that follow each other.
  public typealias Element = GeoNodeBatch

  let stream: NodeStream
  let directories: [[UInt8]: SharedDirectory]

  /// Reads the nodes from the first on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), directories: directories)
  }

  /// Reads batches of nodes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: NodeStream.Iterator
    fileprivate let directories: [[UInt8]: SharedDirectory]

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next() async throws -> GeoNodeBatch? { try await next(isolation: nil) }

    /// The next batch; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> GeoNodeBatch? {
      guard let batch = try await base.next(isolation: actor) else { return nil }
      return GeoNodeBatch(batch, directories: directories)
    }
  }
}
