import GeoCore
import GeoFormats
import GeoProjection
import GeoTree
import Synchronization

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

/// Bytes that are filled by one thread, then only read.
final class ChunkStorage: @unchecked Sendable {
  // Sendable: whoever fills it lets go of it before it is read.
  var buffer: OutputBuffer

  init(capacity: Int) { buffer = OutputBuffer(capacity: max(1, capacity)) }

  init(_ buffer: consuming OutputBuffer) { self.buffer = buffer }
}

/// Buffers that were written and can be filled again.
final class ChunkPool: Sendable {
  /// What a scan delivers at once, and the run of files that it ends with, unless that is a long one.
  private static let capacity = 192 * 1024
  /// A buffer that grew beyond this for one huge run of files is let go.
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

/// What the survey of a folder knows before its sub-folders are read: where they all are.
package final class FolderPlan: Sendable {
  /// Where the folder's files are.
  let city: City
  /// The depth of what is in the folder.
  let depth: Int
  /// The places of the sub-folders that are not hidden.
  let folders: [FolderPlace]
  /// What git's rules say in the folder; nil if nobody asks.
  let scope: IgnoreScope?
  /// Which of `folders` git ignores though they are shown.
  let ignored: [Int]
  /// The numbers of `folders` among those of a first pass; empty if there was none.
  let numbers: [Int]

  /// The ground on which the files stand, if the output tells it.
  let towns: [TownGround]
  /// What a manifest says of some of `folders`.
  let assignments: [Int: Assignment]

  init(
    city: City, depth: Int, folders: [FolderPlace], scope: IgnoreScope? = nil,
    ignored: [Int] = [], numbers: [Int] = [], towns: [TownGround] = [],
    assignments: [Int: Assignment] = [:]
  ) {
    self.city = city
    self.depth = depth
    self.folders = folders
    self.scope = scope
    self.ignored = ignored
    self.numbers = numbers
    self.towns = towns
    self.assignments = assignments
  }

  /// The plan of the folder that isn't anywhere, whose sub-folders are the roots, or the folders
  /// that a manifest is about.
  convenience init(roots: [FolderPlace], numbers: [Int], assignments: [Int: Assignment]) {
    self.init(city: .nowhere, depth: 0, folders: roots, numbers: numbers, assignments: assignments)
  }
}

/// Writes features as text.
final class FeatureOutput: MapOutput {
  /// Bytes of features that follow each other.
  struct Content: Sendable {
    let storage: ChunkStorage
    let summary: MapSummary
    /// Where the folders that a manifest speaks of begin.
    let marks: [PartTrailer.Mark]
  }

  private let writer: FeatureWriter
  private let pool: ChunkPool
  private var storage: ChunkStorage
  private var summary = MapSummary()
  private var hasLeftOut = false
  private var marks: [PartTrailer.Mark] = []

  init(writer: FeatureWriter, pool: ChunkPool) {
    self.writer = writer
    self.pool = pool
    storage = pool.take()
  }

  var takesCells: Bool { writer.takesCells }

  func enterFolder(_ path: [UInt8]) { writer.enterFolder(path: path) }

  func addFolder(_ feature: FolderFeature, ring: [Coordinate]) {
    writer.writeFolder(feature, ring: ring, to: &storage.buffer)
    summary.folders += 1
    if feature.isUnreadable { summary.unreadable += 1 }
  }

  func addFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ plan: FolderPlan
  ) {
    summary += writer.writeFiles(
      names, range, places: places, facts: facts,
      FileBatch(
        depth: plan.depth, digits: plan.city.digits, minzoom: plan.city.minzoom, towns: plan.towns),
      to: &storage.buffer)
  }

  func mark(_ path: [UInt8]) {
    marks.append(PartTrailer.Mark(path: path, offset: storage.buffer.count))
  }

  func leaveOut(_ counts: ExclusionCounts) {
    if counts.isEmpty { return }
    summary.excluded += counts
    hasLeftOut = true
  }

  var weight: Int { storage.buffer.count + (hasLeftOut ? 1 : 0) + marks.count }

  func takeContent() -> Content {
    let full = storage
    let sum = summary
    let places = marks
    marks = []
    summary = MapSummary()
    hasLeftOut = false
    if full.buffer.count * 4 < full.buffer.capacity {
      // Little was written: a copy that fits takes less memory than a buffer that could hold more.
      let copy = ChunkStorage(capacity: full.buffer.count)
      full.buffer.withBytes { copy.buffer.append($0) }
      full.buffer.removeAll()
      return Content(storage: copy, summary: sum, marks: places)
    }
    storage = pool.take()
    return Content(storage: full, summary: sum, marks: places)
  }
}
