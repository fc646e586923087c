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

  let format: OutputFormat
  let options: WriterOptions
  let frame: MapFrame
  /// Nothing yet, for each reason that there can be.
  let excluded: ExclusionCounts
  let batches: SurveyBatches<FeatureOutput.Content>
  let pool: ChunkPool
  let misfit: Misfit
  /// The paths of the folders that the scan begins with.
  let places: [[UInt8]]

  /// Reads the map from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      writer: FeatureWriter(format: format, options: options), frame: frame, excluded: excluded,
      pool: pool, misfit: misfit,
      places: places, batches: batches.makeAsyncIterator())
  }

  /// Reads chunks.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Stage { case header, features, end }

    fileprivate let writer: FeatureWriter
    fileprivate let frame: MapFrame
    fileprivate let pool: ChunkPool
    fileprivate let misfit: Misfit
    fileprivate let places: [[UInt8]]
    fileprivate var batches: SurveyBatches<FeatureOutput.Content>.Iterator
    private var stage = Stage.header
    private var hasFeatures = false
    private var summary = MapSummary()
    private var account: PartAccount
    /// Bytes of the separator that leads each feature but the first.
    private let separatorLength: Int

    fileprivate init(
      writer: FeatureWriter, frame: MapFrame, excluded: ExclusionCounts, pool: ChunkPool,
      misfit: Misfit, places: [[UInt8]], batches: SurveyBatches<FeatureOutput.Content>.Iterator
    ) {
      self.writer = writer
      self.frame = frame
      summary.excluded = excluded
      self.pool = pool
      self.misfit = misfit
      self.places = places
      // A map's header is without the line end that leads each feature, a part's has it.
      separatorLength =
        switch frame {
        case .whole: writer.separator.isEmpty ? 0 : 1
        case .part: writer.separator.count
        }
      account = PartAccount(separatorLength: separatorLength)
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
    /// - Throws: `CancellationError` if the task was cancelled; ``MapError/misfit(path:directory:)`` if
    ///   a deed turned out not to fit.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> MapChunk? {
      switch stage {
      case .header:
        stage = .features
        return MapChunk(chunkOfHeader(), summary: summary)
      case .features:
        let batch = try await batches.next(isolation: actor)
        if let path = misfit.path { throw MapError.misfit(path: path, directory: nil) }
        switch batch {
        case .scanned(let batch): return chunk(of: batch)
        case .counted(let progress):
          return MapChunk(chunk { _ in }, progress)
        case nil: stage = .end
        }
        if case .part = frame, let path = account.firstMissing(of: places) {
          throw MapError.misfit(path: path, directory: nil)
        }
        return MapChunk(chunkOfFooter())
      case .end:
        return nil
      }
    }

    private mutating func chunkOfHeader() -> ChunkStorage {
      switch frame {
      case .whole(let header): return chunk { writer.writeHeader(header, to: &$0.buffer) }
      case .part(let header):
        let text = header.text
        account.begin(text)
        return chunk { $0.buffer.append(text.span) }
      }
    }

    private mutating func chunkOfFooter() -> ChunkStorage {
      switch frame {
      case .whole: return chunk { writer.writeFooter(summary, to: &$0.buffer) }
      case .part:
        let text = account.end(summary, ending: Array(writer.separator.suffix(1)))
        return chunk { $0.buffer.append(text.span) }
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
      let skipped = !hasFeatures && content.storage.buffer.count > 0 ? separatorLength : 0
      hasFeatures = hasFeatures || content.storage.buffer.count > 0
      summary += content.summary
      let chunk = MapChunk(
        content.storage, skipping: skipped, summary: content.summary, faults: batch.faults,
        place: batch.place, pool: pool)
      if case .part = frame { account.take(chunk, marks: content.marks) }
      return chunk
    }
  }
}
