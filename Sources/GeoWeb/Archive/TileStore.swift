import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem

/// The store of the tiles that one thread makes: their bytes and records, in a scratch file.
///
/// Memory holds only the buffers, and the positions of the records by piece of work and zoom.
final class TileStore {
  struct Run: Sendable {
    var offset: Int64
    var count: Int
  }

  typealias Piece = [[Run]]

  let scratch: ScratchFile
  private var bytes: [UInt8] = []
  private var packer = GzipPacker(effort: .swift)
  private var pending: [[TileRecord]] = []
  private var piece: Piece = []
  private var rows: [UInt8] = []

  /// The latest tiles without points, uncompressed, in a ring buffer.
  private var recent: [(tile: [UInt8], record: TileRecord)] = []
  private var nextRecent = 0

  /// The size of the ring. Neighbouring tiles that show the same follow each other, apart from
  /// those around and within them.
  private static let maximumRecent = 16
  private static let maximumPending = 512
  private static let block = 1 << 18

  init(maximumZoom: Int) throws(Errno) {
    scratch = try ScratchFile()
    pending = Array(repeating: [], count: maximumZoom + 1)
    piece = Array(repeating: [], count: maximumZoom + 1)
  }

  /// Compresses and stores a tile, also for all tiles within it that it represents.
  func add(_ tile: TileDescent.Tile) throws(Errno) {
    var record = packed(tile.content)
    let zoom = tile.content.tile.zoom
    try keep(record, zoom)
    if bytes.count >= Self.block { try flush() }
    var (tiles, first) = (1, record.tile - HilbertCurve.first(ofZoom: zoom))
    for zoom in stride(from: zoom + 1, through: tile.through, by: 1) {
      (tiles, first) = (4 * tiles, 4 * first)
      record.tile = HilbertCurve.first(ofZoom: zoom) + first
      var rest = tiles
      while rest > 0 {
        record.run = UInt32(clamping: rest)
        try keep(record, zoom)
        record.tile += UInt64(record.run)
        rest -= Int(record.run)
      }
    }
  }

  private func keep(_ record: TileRecord, _ zoom: Int) throws(Errno) {
    pending[zoom].append(record)
    if pending[zoom].count >= Self.maximumPending { try flushRecords(of: zoom) }
  }

  private func packed(_ content: TileContent) -> TileRecord {
    let tile = VectorTile.encode(content)
    let number = HilbertCurve.number(of: content.tile)
    if content.hasPoints { return pack(tile, number, mayRepeat: false) }
    if let known = recent.first(where: { $0.tile == tile }) {
      var record = known.record
      record.tile = number
      return record
    }
    let record = pack(tile, number, mayRepeat: true)
    if recent.count < Self.maximumRecent {
      recent.append((tile, record))
    } else {
      recent[nextRecent] = (tile, record)
      nextRecent = (nextRecent + 1) % Self.maximumRecent
    }
    return record
  }

  private func pack(_ tile: [UInt8], _ number: UInt64, mayRepeat: Bool) -> TileRecord {
    let packed = packer.pack(tile)
    defer { bytes += packed }
    return TileRecord(
      tile: number, offset: scratch.count + Int64(bytes.count),
      length: UInt32(clamping: packed.count), hash: XXH64.hash(packed.span, seed: 0),
      mayRepeat: mayRepeat)
  }

  func takePiece() throws(Errno) -> Piece {
    for zoom in pending.indices where !pending[zoom].isEmpty { try flushRecords(of: zoom) }
    try flush()
    let done = piece
    piece = Array(repeating: [], count: done.count)
    return done
  }

  private func flush() throws(Errno) {
    var full: [UInt8] = []
    swap(&full, &bytes)
    try scratch.append(full.span)
    full.removeAll(keepingCapacity: true)
    swap(&full, &bytes)
  }

  private func flushRecords(of zoom: Int) throws(Errno) {
    rows.removeAll(keepingCapacity: true)
    for record in pending[zoom] { record.append(to: &rows) }
    piece[zoom].append(
      Run(offset: scratch.count + Int64(bytes.count), count: pending[zoom].count))
    bytes += rows
    pending[zoom].removeAll(keepingCapacity: true)
  }
}

/// The record of a tile in a scratch file, or of consecutive equal tiles.
struct TileRecord: BitwiseCopyable, Sendable, Equatable {
  static let stride = 33

  /// The number of the (first) tile on the Hilbert curve.
  var tile: UInt64
  var run: UInt32 = 1
  var offset: Int64
  var length: UInt32
  var hash: UInt64
  /// Whether another tile may be equal. A tile with a point can't have an equal: no other has the
  /// point at the same place.
  var mayRepeat: Bool

  func append(to bytes: inout [UInt8]) {
    bytes.append(little: tile)
    bytes.append(little: offset)
    bytes.append(little: length)
    bytes.append(little: hash)
    bytes.append(little: run)
    bytes.append(mayRepeat ? 1 : 0)
  }
}

extension TileRecord {
  init(_ bytes: Span<UInt8>, at index: Int) {
    self.init(
      tile: bytes.loadWord(at: index), run: bytes.loadHalfWord(at: index + 28),
      offset: Int64(bitPattern: bytes.loadWord(at: index + 8)),
      length: bytes.loadHalfWord(at: index + 16), hash: bytes.loadWord(at: index + 20),
      mayRepeat: bytes[index + 32] != 0)
  }
}

/// Tiles in scratch files, sorted by number.
struct TileCollection: Sendable {
  let pieces: [(shelf: Int, piece: TileStore.Piece)]
  let shelves: [ScratchFile]
  let range: TileDescent.Range

  /// Calls a closure for each tile, sorted by number, with the index of the scratch file that has its
  /// bytes. `convert` makes the error for one that can't be read.
  func forEach<Output: Error>(
    failing convert: (Errno) -> Output, _ body: (TileRecord, Int) throws(Output) -> Void
  ) throws(Output) {
    var rows: [UInt8] = []
    for zoom in 0...range.maximumZoom {
      for (shelf, piece) in pieces {
        for run in piece[zoom] {
          rows.removeAll(keepingCapacity: true)
          try rethrowing(
            read(run.count * TileRecord.stride, at: run.offset, of: shelf, into: &rows),
            as: convert)
          for index in 0..<run.count {
            try body(TileRecord(rows.span, at: index * TileRecord.stride), shelf)
          }
        }
      }
    }
  }

  func read(
    _ count: Int, at offset: Int64, of shelf: Int, into bytes: inout [UInt8]
  ) throws(Errno) {
    try shelves[shelf].read(offset..<(offset + Int64(count)), appendingTo: &bytes)
  }
}
