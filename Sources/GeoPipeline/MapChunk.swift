import GeoFormats
import GeoTree

/// Part of a map, as bytes that are to be written as they are.
public final class MapChunk: Sendable {
  /// What was written in it.
  public let summary: MapSummary
  /// What could not be read, in the order of the map.
  public let faults: [ScanFault]
  /// The path of the folder that it ends in.
  public let place: [UInt8]
  /// How much a first pass has met so far, if it is still under way; nothing is written of it.
  public let counted: MapSummary?

  private let storage: ChunkStorage
  /// How many bytes at the beginning are left out.
  private let skipped: Int
  private let pool: ChunkPool?

  init(
    _ storage: ChunkStorage, skipping skipped: Int = 0, summary: MapSummary = MapSummary(),
    faults: [ScanFault] = [], place: [UInt8] = [], pool: ChunkPool? = nil
  ) {
    self.storage = storage
    self.skipped = skipped
    self.summary = summary
    self.faults = faults
    self.place = place
    self.pool = pool
    counted = nil
  }

  /// Bytes of somebody who writes maps of their own kind.
  ///
  /// - Parameter skipped: How many of them at the beginning are left out.
  package init(_ bytes: consuming OutputBuffer, skipping skipped: Int, summary: MapSummary) {
    storage = ChunkStorage(bytes)
    self.skipped = skipped
    self.summary = summary
    faults = []
    place = []
    pool = nil
    counted = nil
  }

  /// No bytes, but how far a first pass is.
  package init(counted: MapSummary, faults: [ScanFault], place: [UInt8]) {
    storage = ChunkStorage(capacity: 1)
    skipped = 0
    summary = MapSummary()
    self.faults = faults
    self.place = place
    pool = nil
    self.counted = counted
  }

  /// No bytes, but how far a first pass is.
  init(_ nothing: ChunkStorage, _ progress: TotalsScan.Progress) {
    storage = nothing
    skipped = 0
    summary = MapSummary()
    faults = progress.faults
    place = progress.place
    pool = nil
    counted = MapSummary(folders: progress.folders, files: progress.files)
  }

  deinit { pool?.give(storage) }

  /// How many bytes there are.
  public var count: Int { storage.buffer.count - skipped }

  /// Lends the bytes.
  public func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.buffer.withBytes { (bytes) throws(Failure) in
      try body(bytes.extracting(skipped..<bytes.count))
    }
  }
}
