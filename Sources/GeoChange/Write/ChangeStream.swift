import GeoCore
import GeoFormats
import GeoPipeline
import Synchronization

/// A map of a comparison as a sequence of chunks: first chunks without bytes that report progress,
/// then those of the map, in output order.
package struct ChangeStream: AsyncSequence, Sendable {
  let request: ChangeMapRequest
  let batches: ComparisonBatches
  private let outcome = Outcome()

  private final class Outcome: Sendable {
    let isDifferent = Mutex<Bool?>(nil)
  }

  init(_ request: ChangeMapRequest, _ batches: ComparisonBatches) {
    self.request = request
    self.batches = batches
  }

  /// Whether anything differs; nil until the comparison is complete.
  package var isDifferent: Bool? { outcome.isDifferent.withLock { $0 } }

  private var isPartial: Bool {
    request.filter.isActive || request.comparison.selection.isActive
      || request.comparison.since != nil || batches.roots.contains { $0.source.isPartial }
  }

  /// The map can be read once.
  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  package struct Iterator: AsyncIteratorProtocol {
    private let stream: ChangeStream
    private var comparison: ComparisonBatches.Iterator?
    private var map: ChangeMap?
    private var hasFeatures = false
    private var summary = MapSummary()
    private var faults = FirstFaults()

    fileprivate init(_ stream: ChangeStream) {
      self.stream = stream
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
        stream.outcome.isDifferent.withLock { $0 = !tree.isEmpty }
        summary.excluded = ExclusionCounts(asking: stream.request.comparison.selection.reasons)
        summary.excluded += tree.excluded
        summary.changes = ChangeCounts()
        let map = ChangeMap(tree, stream.batches.engine, stream.request, faults: faults)
        self.map = map
        return chunk { map.writer.writeHeader(map.header(isPartial: stream.isPartial), to: &$0) }
      }
      guard let map else { return nil }
      let chunk = chunkOfFeatures() ?? chunk { map.writer.writeFooter(summary, to: &$0) }
      // A failed read must not look like a missing node.
      if let failure = map.tree.failure { throw MapError.noScratch(failure) }
      return chunk
    }

    private func chunk(_ write: (inout OutputBuffer) -> Void) -> MapChunk {
      var buffer = OutputBuffer(capacity: 1024)
      write(&buffer)
      return MapChunk(buffer, skipping: 0, summary: MapSummary())
    }

    /// Nil at the end of the features, after which the footer is the last chunk.
    private mutating func chunkOfFeatures() -> MapChunk? {
      var buffer = OutputBuffer(capacity: 160 * 1024)
      guard let written = map?.write(to: &buffer) else {
        map = nil
        return nil
      }
      summary += written
      // Each GeoJSON feature begins with a separator, which is dropped for the first.
      let isFirst = !hasFeatures && buffer.count > 0
      if isFirst { hasFeatures = true }
      return MapChunk(
        buffer, skipping: isFirst && stream.request.format == .geojson ? 1 : 0, summary: written)
    }
  }
}
