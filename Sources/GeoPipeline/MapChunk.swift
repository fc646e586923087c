import GeoFormats
import GeoProjection
import GeoTree
import Synchronization

/// A chunk of a map's bytes, to be written as they are.
package final class MapChunk: Sendable {
  package let summary: MapSummary
  /// Read errors, in the order of the map.
  package let faults: [ScanFault]
  /// The path of the folder in which it ends.
  package let place: [UInt8]
  /// Progress of the first pass, if it is still running; such a chunk has no bytes.
  package let counted: MapSummary?

  private let storage: ChunkStorage
  private let skipped: Int
  private let pool: ChunkPool?

  init(
    _ storage: ChunkStorage = ChunkStorage(capacity: 1), skipping skipped: Int = 0,
    summary: MapSummary = MapSummary(), faults: [ScanFault] = [], place: [UInt8] = [],
    counted: MapSummary? = nil, pool: ChunkPool? = nil
  ) {
    self.storage = storage
    self.skipped = skipped
    self.summary = summary
    self.faults = faults
    self.place = place
    self.counted = counted
    self.pool = pool
  }

  package convenience init(
    _ bytes: consuming OutputBuffer, skipping skipped: Int, summary: MapSummary
  ) {
    self.init(ChunkStorage(bytes), skipping: skipped, summary: summary)
  }

  /// A chunk without bytes that reports the progress of a first pass.
  package convenience init(counted: MapSummary, faults: [ScanFault], place: [UInt8]) {
    self.init(faults: faults, place: place, counted: counted)
  }

  deinit { pool?.give(storage) }

  package var count: Int { storage.buffer.count - skipped }

  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.buffer.withBytes { (bytes) throws(Failure) in
      try body(bytes.extracting(skipped..<bytes.count))
    }
  }
}

/// A buffer that one thread fills; afterwards it is only read.
final class ChunkStorage: @unchecked Sendable {
  // Sendable: the thread that fills it gives it away before it is read.
  var buffer: OutputBuffer

  init(capacity: Int) { buffer = OutputBuffer(capacity: max(1, capacity)) }

  init(_ buffer: consuming OutputBuffer) { self.buffer = buffer }
}

/// Buffers for reuse.
final class ChunkPool: Sendable {
  /// The bytes that a scan delivers at once, with room for the run of files at the end, unless that
  /// is long.
  private static let capacity = 192 * 1024
  /// A buffer that grew larger than this for one huge run of files is not kept.
  private static let largest = 1024 * 1024

  private let idle = Mutex<[ChunkStorage]>([])

  func take() -> ChunkStorage {
    idle.withLock { $0.popLast() } ?? ChunkStorage(capacity: Self.capacity)
  }

  func give(_ storage: ChunkStorage) {
    guard (Self.capacity...Self.largest).contains(storage.buffer.capacity) else { return }
    storage.buffer.removeAll()
    idle.withLock { if $0.count < 16 { $0.append(storage) } }
  }
}

/// The places of a folder's sub-folders and files, known before its sub-folders are read.
package final class FolderPlan: Sendable {
  let city: City
  /// The depth of the folder's entries.
  let depth: Int
  let folders: [FolderPlace]
  /// The numbers of `folders` in the totals of a first pass; empty without one.
  let numbers: [Int]
  /// Their numbers in the sums of layers; empty without layers.
  let sums: [Int]
  /// What only an output with cells needs; nil for others.
  let cells: Cells?

  struct Cells {
    let tints: [UInt8]
    /// The ground of the files.
    var towns: [TownGround] = []
  }

  init(
    city: City, depth: Int, folders: [FolderPlace], numbers: [Int] = [], sums: [Int] = [],
    cells: Cells? = nil
  ) {
    self.city = city
    self.depth = depth
    self.folders = folders
    self.numbers = numbers
    self.sums = sums
    self.cells = cells
  }
}
