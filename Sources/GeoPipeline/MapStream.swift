import GeoFormats
import GeoCore
import GeoTree
import GeoSystem

/// A map as chunks of bytes, in the order in which they are written.
///
/// The first chunk has the header, the last one the footer. A slow reader slows the scan; a reader
/// that stops ends it.
package struct MapStream: AsyncSequence, Sendable {
  package typealias Element = MapChunk

  let format: OutputFormat
  let options: WriterOptions
  let threads: Int
  let header: MapHeader
  let layers: LayerSet?
  /// Zero for each reason for which entries can be left out.
  let excluded: ExclusionCounts
  let batches: MapBatches<FeatureOutput.Content>
  let pool: ChunkPool

  /// Reads the map from the beginning, once only.
  package func makeAsyncIterator() -> Iterator {
    Iterator(
      writer: FeatureWriter(format: format, options: options), header: header, excluded: excluded,
      layers: layers, pool: pool, format: format, options: options, threads: threads,
      batches: batches.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    private enum Stage { case header, features, assembled, end }

    fileprivate let writer: FeatureWriter
    fileprivate let header: MapHeader
    fileprivate let pool: ChunkPool
    fileprivate var batches: MapBatches<FeatureOutput.Content>.Iterator
    private var stage = Stage.header
    private var hasFeatures = false
    private var summary = MapSummary()
    private let layers: LayerSet?
    /// Makes the file from the features, for formats that need all of them first.
    private let assembler: FileAssembler?
    /// Bytes of the separator before each feature but the first.
    private let separatorLength: Int

    fileprivate init(
      writer: FeatureWriter, header: MapHeader, excluded: ExclusionCounts,
      layers: LayerSet?, pool: ChunkPool, format: OutputFormat, options: WriterOptions,
      threads: Int,
      batches: MapBatches<FeatureOutput.Content>.Iterator
    ) {
      self.writer = writer
      self.header = header
      summary.excluded = excluded
      self.layers = layers
      self.pool = pool
      // The header ends without the line end that precedes each feature.
      separatorLength = writer.separator.isEmpty ? 0 : 1
      assembler = FileAssembler.make(for: format, header, options, threads: threads)
      self.batches = batches
    }

    package mutating func next() async throws -> MapChunk? {
      try await next(isolation: nil)
    }

    /// - Throws: `CancellationError` if the task was cancelled.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      switch stage {
      case .header:
        stage = .features
        return MapChunk(chunk { writer.writeHeader(header, to: &$0.buffer) }, summary: summary)
      case .features:
        switch try await batches.next(isolation: actor) {
        case .scanned(let batch): return try chunk(of: batch)
        case .counted(let progress):
          return MapChunk(chunk { _ in }, progress)
        case nil: stage = assembler == nil ? .end : .assembled
        }
        if let layers { summary.unmatched = try layers.unmatchedValues() }
        guard let assembler else {
          return MapChunk(chunk { writer.writeFooter(summary, to: &$0.buffer) })
        }
        try rethrowing(assembler.finish(), as: MapError.noScratch)
        return MapChunk(chunk { _ in })
      case .assembled:
        guard let assembler else { return nil }
        let storage = pool.take()
        let isMore = try rethrowing(
          assembler.write(to: &storage.buffer), as: MapError.noScratch)
        if isMore { return MapChunk(storage, pool: pool) }
        pool.give(storage)
        stage = .end
        return nil
      case .end:
        return nil
      }
    }

    private func chunk(_ write: (ChunkStorage) -> Void) -> ChunkStorage {
      let storage = ChunkStorage(capacity: 512)
      write(storage)
      return storage
    }

    private mutating func chunk(
      of batch: ScanBatch<FeatureOutput.Content>
    ) throws(MapError) -> MapChunk {
      let content = batch.content
      if let assembler {
        try content.storage.buffer.withBytes { (records) throws(MapError) in
          try rethrowing(assembler.add(records), as: MapError.noScratch)
        }
      }
      // Each feature in a collection begins with a separator, which the first one doesn't need. The
      // assembler writes its records later.
      let skipped =
        assembler != nil
        ? content.storage.buffer.count : skippedBytes(of: content)
      summary += content.summary
      return MapChunk(
        content.storage, skipping: skipped, summary: content.summary, faults: batch.faults,
        place: batch.place, pool: pool)
    }

    private mutating func skippedBytes(of content: FeatureOutput.Content) -> Int {
      let skipped = !hasFeatures && content.storage.buffer.count > 0 ? separatorLength : 0
      hasFeatures = hasFeatures || content.storage.buffer.count > 0
      return skipped
    }
  }
}
