import GeoPipeline
import GeoTree

/// A batch of consecutive nodes of the map.
///
/// A batch holds compact records, and makes a ``GeoNode`` from one on access.
public struct GeoNodeBatch: RandomAccessCollection, Sendable {
  /// The entries that could not be read.
  public var faults: [ScanFault] { batch.faults }

  /// The number of entries left out, by reason.
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

/// The nodes of a world in batches, while the scan finds them.
///
/// A slow reader slows the scan, and a reader that stops ends it. The sequence can be read once.
public struct GeoNodeBatches: AsyncSequence, Sendable {
  /// A batch of nodes.
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
