import GeoCompress
import GeoPath
import GeoProjection
import GeoSystem
import GeoTile

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
  private var packer = GzipPacker()
  private var pending: [[TileRecord]] = []
  private var piece: Piece = []
  private var rows: [UInt8] = []

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

  /// Packs a tile and keeps it.
  func add(_ content: TileContent) throws(Errno) {
    let packed = packer.pack(VectorTile.encode(content))
    let zoom = content.tile.zoom
    pending[zoom].append(
      TileRecord(
        tile: HilbertCurve.number(of: content.tile), offset: scratch.count + Int64(bytes.count),
        length: UInt32(clamping: packed.count), hash: XXH64.hash(packed.span, seed: 0),
        mayRepeat: !content.hasPoints))
    bytes += packed
    if bytes.count >= Self.block { try flush() }
    if pending[zoom].count >= Self.mostPending { try flushRecords(of: zoom) }
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
