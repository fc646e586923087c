import GeoEmit
import GeoPath
import GeoScan

/// A map as it is being made: chunks of bytes, in the order in which they are to be written.
///
/// The first chunk has what stands before all features, the last one what stands behind them. A
/// reader that is slow slows the scan; one that stops, stops it.
public struct MapStream: AsyncSequence, Sendable {
  /// Part of the map.
  public typealias Element = MapChunk

  let writer: FeatureWriter
  let header: MapHeader
  /// Nothing yet, for each reason that there can be.
  let excluded: ExclusionCounts
  let batches: SurveyBatches<FeatureOutput.Content>
  let pool: ChunkPool

  /// Reads the map from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      writer: writer, header: header, excluded: excluded, pool: pool,
      batches: batches.makeAsyncIterator())
  }

  /// Reads chunks.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Stage { case header, features, end }

    fileprivate let writer: FeatureWriter
    fileprivate let header: MapHeader
    fileprivate let pool: ChunkPool
    fileprivate var batches: SurveyBatches<FeatureOutput.Content>.Iterator
    private var stage = Stage.header
    private var hasFeatures = false
    private var summary = MapSummary()

    fileprivate init(
      writer: FeatureWriter, header: MapHeader, excluded: ExclusionCounts, pool: ChunkPool,
      batches: SurveyBatches<FeatureOutput.Content>.Iterator
    ) {
      self.writer = writer
      self.header = header
      summary.excluded = excluded
      self.pool = pool
      self.batches = batches
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next() async throws -> MapChunk? {
      try await next(isolation: nil)
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      switch stage {
      case .header:
        stage = .features
        let chunk = chunk { writer.writeHeader(header, to: &$0.buffer) }
        return MapChunk(chunk, summary: summary)
      case .features:
        switch try await batches.next(isolation: actor) {
        case .scanned(let batch): return chunk(of: batch)
        case .counted(let progress):
          return MapChunk(chunk { _ in }, progress)
        case nil: stage = .end
        }
        return MapChunk(chunk { writer.writeFooter(summary, to: &$0.buffer) })
      case .end:
        return nil
      }
    }

    private func chunk(_ write: (ChunkStorage) -> Void) -> ChunkStorage {
      let storage = ChunkStorage(capacity: 512)
      write(storage)
      return storage
    }

    private mutating func chunk(of batch: ScanBatch<FeatureOutput.Content>) -> MapChunk {
      let content = batch.content
      // In a collection each feature is led by a separator, which the first doesn't need.
      let skipped = !hasFeatures && content.storage.buffer.count > 0 ? writer.separatorLength : 0
      hasFeatures = hasFeatures || content.storage.buffer.count > 0
      summary += content.summary
      return MapChunk(
        content.storage, skipping: skipped, summary: content.summary, faults: batch.faults,
        place: batch.place, pool: pool)
    }
  }
}

extension FeatureWriter {
  /// Bytes of the separator that leads each feature.
  fileprivate var separatorLength: Int { format == .geojson ? 1 : 0 }
}
