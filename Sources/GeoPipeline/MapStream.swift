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

  let request: MapRequest
  let header: MapHeader
  let batches: MapBatches<FeatureOutput.Content>
  let pool: ChunkPool

  /// Reads the map from the beginning, once only.
  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  package struct Iterator: AsyncIteratorProtocol {
    private enum Stage { case header, features, assembled, end }

    private let map: MapStream
    private let writer: FeatureWriter
    private var batches: MapBatches<FeatureOutput.Content>.Iterator
    private var stage = Stage.header
    private var hasFeatures = false
    private var summary = MapSummary()
    /// Makes the file from the features, for formats that need all of them first.
    private let assembler: FileAssembler?

    fileprivate init(_ map: MapStream) {
      let (format, options) = (map.request.format, map.request.writerOptions)
      self.map = map
      writer = FeatureWriter(format: format, options: options)
      batches = map.batches.makeAsyncIterator()
      // Zero for each reason for which entries can be left out.
      summary.excluded = ExclusionCounts(asking: map.request.exclusionReasons)
      assembler = FileAssembler.make(
        for: format, map.header, options,
        threads: map.request.scan.threads ?? FileSystem.processors)
    }

    package mutating func next() async throws -> MapChunk? {
      try await next(isolation: nil)
    }

    /// - Throws: `CancellationError` if the task was cancelled.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      switch stage {
      case .header:
        stage = .features
        return MapChunk(written { writer.writeHeader(map.header, to: &$0) }, summary: summary)
      case .features:
        switch try await batches.next(isolation: actor) {
        case .scanned(let batch): return try chunk(of: batch)
        case .counted(let progress):
          return MapChunk(
            counted: MapSummary(folders: progress.folders, files: progress.files),
            faults: progress.faults, place: progress.place)
        case nil: stage = assembler == nil ? .end : .assembled
        }
        if let layers = map.request.layers { summary.unmatched = try layers.unmatchedValues() }
        guard let assembler else {
          return MapChunk(written { writer.writeFooter(summary, to: &$0) })
        }
        try rethrowing(assembler.finish(), as: MapError.noScratch)
        return MapChunk()
      case .assembled:
        guard let assembler else { return nil }
        let storage = map.pool.take()
        let isMore = try rethrowing(assembler.write(to: &storage.buffer), as: MapError.noScratch)
        if isMore { return MapChunk(storage, pool: map.pool) }
        map.pool.give(storage)
        stage = .end
        return nil
      case .end:
        return nil
      }
    }

    private func written(_ write: (inout OutputBuffer) -> Void) -> ChunkStorage {
      let storage = ChunkStorage(capacity: 512)
      write(&storage.buffer)
      return storage
    }

    private mutating func chunk(
      of batch: ScanBatch<FeatureOutput.Content>
    ) throws(MapError) -> MapChunk {
      let content = batch.content
      let count = content.storage.buffer.count
      var skipped = 0
      if let assembler {
        try content.storage.buffer.withBytes { (records) throws(MapError) in
          try rethrowing(assembler.add(records), as: MapError.noScratch)
        }
        // The assembler writes its records later.
        skipped = count
      } else if !hasFeatures, count > 0 {
        // Each feature in a collection begins with a separator, which the first one doesn't need;
        // its line end stays, as the header has none.
        skipped = writer.separator.isEmpty ? 0 : 1
        hasFeatures = true
      }
      summary += content.summary
      return MapChunk(
        content.storage, skipping: skipped, summary: content.summary, faults: batch.faults,
        place: batch.place, pool: map.pool)
    }
  }
}
