import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import Synchronization

/// A map of a comparison as a sequence of chunks: first chunks without bytes that report progress,
/// then those of the map, in output order.
package struct ChangeStream: AsyncSequence, Sendable {
  package typealias Element = MapChunk

  let request: ChangeMapRequest
  let batches: ComparisonBatches
  private let outcome = Outcome()

  /// Whether anything differs; nil until the comparison is complete.
  package var isDifferent: Bool? { outcome.isDifferent.withLock { $0 } }

  fileprivate final class Outcome: Sendable {
    let isDifferent = Mutex<Bool?>(nil)
  }

  init(_ request: ChangeMapRequest, _ batches: ComparisonBatches) {
    self.request = request
    self.batches = batches
  }

  /// The map can be read once.
  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  package struct Iterator: AsyncIteratorProtocol {
    private let request: ChangeMapRequest
    private let engine: GeoProjectionEngine
    private let isPartial: Bool
    private var comparison: ComparisonBatches.Iterator?
    private var map: ChangeMap?
    private var hasFeatures = false
    private var summary = MapSummary()
    private var faults = FirstFaults()
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

    package mutating func next() async throws -> MapChunk? { try await next(isolation: nil) }

    /// - Throws: `CancellationError` if the task was cancelled; `MapError` of the scratch file.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      if let progress = try await comparison?.next(isolation: actor) {
        faults.add(progress.faults)
        return MapChunk(
          counted: MapSummary(folders: progress.folders, files: progress.files),
          faults: progress.faults, place: progress.place)
      }
      if let tree = try comparison?.finish() {
        comparison = nil
        let isDifferent = !tree.isEmpty
        outcome.isDifferent.withLock { $0 = isDifferent }
        let map = ChangeMap(tree, engine, request, faults: faults)
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
      // Each GeoJSON feature begins with a separator, which is dropped for the first.
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
      // A failed read must not look like a missing node.
      if let failure = map.failure { throw .noScratch(failure) }
      self.map = nil
      return MapChunk(buffer, skipping: 0, summary: MapSummary())
    }
  }
}
