import GeoAtlas
import GeoCore
import GeoSystem

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
