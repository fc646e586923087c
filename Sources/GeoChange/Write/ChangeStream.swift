import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem
import Synchronization

/// A map of a comparison as it is being made: first chunks without bytes, that say how far the
/// comparison is, then those of the map, in the order in which they are to be written.
public struct ChangeStream: AsyncSequence, Sendable {
  /// Part of the map.
  public typealias Element = MapChunk

  let request: ChangeMapRequest
  let batches: ComparisonBatches
  private let outcome = Outcome()

  /// Whether anything differs; nil before the end of the comparison.
  public var isDifferent: Bool? { outcome.isDifferent.withLock { $0 } }

  fileprivate final class Outcome: Sendable {
    let isDifferent = Mutex<Bool?>(nil)
  }

  init(_ request: ChangeMapRequest, _ batches: ComparisonBatches) {
    self.request = request
    self.batches = batches
  }

  /// Reads the map from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads chunks.
  public struct Iterator: AsyncIteratorProtocol {
    private let request: ChangeMapRequest
    private let engine: GeoProjectionEngine
    private let isPartial: Bool
    private var comparison: ComparisonBatches.Iterator?
    private var map: ChangeMap?
    private var hasFeatures = false
    private var summary = MapSummary()
    private let outcome: Outcome

    fileprivate init(_ stream: ChangeStream) {
      request = stream.request
      outcome = stream.outcome
      engine = stream.batches.engine
      isPartial =
        request.filter.isActive || request.comparison.selection.isActive
        || stream.batches.isPartial
      comparison = stream.batches.makeAsyncIterator()
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if there is no scratch file.
    public mutating func next() async throws -> MapChunk? { try await next(isolation: nil) }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `MapError` if there is no scratch file.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      if let progress = try await comparison?.next(isolation: actor) {
        return MapChunk(
          counted: MapSummary(folders: progress.folders, files: progress.files),
          faults: progress.faults, place: progress.place)
      }
      if let tree = try comparison?.finish() {
        comparison = nil
        let isDifferent = !tree.isEmpty
        outcome.isDifferent.withLock { $0 = isDifferent }
        let map = ChangeMap(tree, engine, request)
        summary.excluded = ExclusionCounts(asking: request.comparison.selection.reasons)
        summary.excluded += tree.excluded
        summary.changes = ChangeCounts()
        self.map = map
        var buffer = OutputBuffer(capacity: 1024)
        map.writeHeader(isPartial: isPartial, to: &buffer)
        return MapChunk(buffer, skipping: 0, summary: MapSummary())
      }
      let chunk = try chunkOfFeatures() ?? chunkOfFooter()
      if let failure = map?.failure { throw MapError.noScratch(failure) }
      return chunk
    }

    private mutating func chunkOfFeatures() -> MapChunk? {
      var buffer = OutputBuffer(capacity: 160 * 1024)
      guard let written = map?.write(to: &buffer) else { return nil }
      summary += written
      // In a collection each feature is led by a separator, which the first doesn't need.
      let isFirst = !hasFeatures && buffer.count > 0
      if isFirst { hasFeatures = true }
      return MapChunk(
        buffer, skipping: isFirst && request.format == .geojson ? 1 : 0,
        summary: written)
    }

    private mutating func chunkOfFooter() throws(MapError) -> MapChunk? {
      guard let map else { return nil }
      var buffer = OutputBuffer(capacity: 1024)
      map.writeFooter(summary, to: &buffer)
      // What was lost is not to be taken for what isn't there.
      if let failure = map.failure { throw .noScratch(failure) }
      self.map = nil
      return MapChunk(buffer, skipping: 0, summary: MapSummary())
    }
  }
}

extension ChangeMapRequest {
  /// Begins to write.
  ///
  /// - Throws: `MapError`.
  public func open() async throws(MapError) -> ChangeStream {
    ChangeStream(self, try await comparison.start())
  }
}
