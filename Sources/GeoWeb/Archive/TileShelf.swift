import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem

/// Where one thread puts the tiles that it makes: their bytes and the records of them, in a scratch file.
///
/// In memory it keeps what is not written yet, and for each zoom of each piece of work where its records
/// are.
final class TileShelf {
  /// Records of one zoom that follow each other, and where they lie.
  struct Run: Sendable {
    var offset: Int64
    var count: Int
  }

  /// The runs of a piece of work, by their zooms.
  typealias Piece = [[Run]]

  let scratch: ScratchFile
  private var bytes: [UInt8] = []
  private var packer = GzipPacker(effort: .steady)
  private var pending: [[TileRecord]] = []
  private var piece: Piece = []
  private var rows: [UInt8] = []

  /// Tiles without a point that were kept last, as they were before they were packed, in a ring.
  private var recent: [(tile: [UInt8], record: TileRecord)] = []
  private var nextRecent = 0

  /// How many of them there are: neighbours that show the same come one after the other, but for the tiles
  /// around and within them.
  private static let mostRecent = 16
  /// How many records of a zoom are kept until they are written.
  private static let mostPending = 512
  /// How many bytes are written at once.
  private static let block = 1 << 18

  /// - Parameter deepest: The deepest zoom.
  init(deepest: Int) throws(Errno) {
    scratch = try ScratchFile()
    pending = Array(repeating: [], count: deepest + 1)
    piece = Array(repeating: [], count: deepest + 1)
  }

  /// Packs a tile and keeps it, for all tiles within it, too, for which it stands.
  func add(_ tile: TileDescent.Tile) throws(Errno) {
    var record = packed(tile.content)
    let zoom = tile.content.tile.zoom
    record.isNew = tile.isNew
    try keep(record, zoom)
    record.isNew = false
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
    if pending[zoom].count >= Self.mostPending { try flushRecords(of: zoom) }
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
    note(tile, record)
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

  /// How many bytes a tile would take, which is not kept.
  func length(of content: TileContent) -> Int { packer.pack(VectorTile.encode(content)).count }

  private func note(_ tile: [UInt8], _ record: TileRecord) {
    if recent.count < Self.mostRecent {
      recent.append((tile, record))
    } else {
      recent[nextRecent] = (tile, record)
      nextRecent = (nextRecent + 1) % Self.mostRecent
    }
  }

  /// Ends a piece of work.
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

/// A tile that lies in a scratch file, or some that follow each other and are equal.
struct TileRecord: BitwiseCopyable, Sendable, Equatable {
  /// Bytes of a record in a scratch file.
  static let stride = 33

  /// Its number on the curve, or the first one's.
  var tile: UInt64
  /// How many there are.
  var run: UInt32
  /// Where its bytes begin.
  var offset: Int64
  /// How many there are.
  var length: UInt32
  /// Their hash.
  var hash: UInt64
  /// Whether another tile may be equal: one that shows a point is not, for nowhere else does the point
  /// lie at the same place of a tile.
  var mayRepeat: Bool
  /// Whether a node comes into sight at its zoom.
  var isNew = false

  /// Adds it to bytes of a scratch file.
  func append(to bytes: inout [UInt8]) {
    bytes.append(little: tile)
    bytes.append(little: offset)
    bytes.append(little: length)
    bytes.append(little: hash)
    bytes.append(little: run)
    bytes.append((mayRepeat ? 1 : 0) | (isNew ? 2 : 0))
  }

  /// The record that begins at an index of such bytes.
  init(_ bytes: Span<UInt8>, at index: Int) {
    tile = bytes.loadWord(at: index)
    offset = Int64(bitPattern: bytes.loadWord(at: index + 8))
    length = bytes.loadHalfWord(at: index + 16)
    hash = bytes.loadWord(at: index + 20)
    run = bytes.loadHalfWord(at: index + 28)
    mayRepeat = bytes[index + 32] & 1 != 0
    isNew = bytes[index + 32] & 2 != 0
  }

  init(tile: UInt64, offset: Int64, length: UInt32, hash: UInt64, mayRepeat: Bool) {
    self.tile = tile
    run = 1
    self.offset = offset
    self.length = length
    self.hash = hash
    self.mayRepeat = mayRepeat
  }
}

/// Tiles in scratch files, in the order of their numbers.
struct TileCollection: Sendable {
  fileprivate let pieces: [(shelf: Int, piece: TileShelf.Piece)]
  fileprivate let shelves: [ScratchFile]
  /// Which of them belong to an archive.
  let range: TileDescent.Range

  init(
    pieces: [(shelf: Int, piece: TileShelf.Piece)], shelves: [ScratchFile],
    range: TileDescent.Range
  ) {
    self.pieces = pieces
    self.shelves = shelves
    self.range = range
  }

  /// The tiles of them that an archive of a smaller range has.
  func cut(to range: TileDescent.Range) -> TileCollection {
    TileCollection(pieces: pieces, shelves: shelves, range: range)
  }

  /// Tells of each tile, in the order of their numbers.
  ///
  /// - Parameter body: Gets the record of a tile, and which of the scratch files has its bytes.
  func forEach<Output: Error>(
    _ body: (TileRecord, Int) throws(ArchiveFailure<Output>) -> Void
  ) throws(ArchiveFailure<Output>) {
    var rows: [UInt8] = []
    for zoom in 0...range.deepest {
      for (shelf, piece) in pieces {
        for run in piece[zoom] {
          rows.removeAll(keepingCapacity: true)
          do throws(Errno) {
            try read(run.count * TileRecord.stride, at: run.offset, of: shelf, into: &rows)
          } catch {
            throw .scratch(error)
          }
          for index in 0..<run.count {
            let record = TileRecord(rows.span, at: index * TileRecord.stride)
            if zoom <= range.complete || record.isNew { try body(record, shelf) }
          }
        }
      }
    }
  }

  /// Adds bytes of a scratch file to others.
  func read(
    _ count: Int, at offset: Int64, of shelf: Int, into bytes: inout [UInt8]
  ) throws(Errno) {
    var (rest, place) = (count, offset)
    while rest > 0 {
      let got = try shelves[shelf].read(upTo: rest, at: place, appendingTo: &bytes)
      if got == 0 { throw .inputOutput }
      rest -= got
      place += Int64(got)
    }
  }
}

/// Why an archive isn't whole.
package enum ArchiveFailure<Output: Error>: Error {
  /// A scratch file could not be written or read.
  case scratch(Errno)
  /// Whoever takes the bytes has thrown this.
  case output(Output)
}
