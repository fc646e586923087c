import GeoCore

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
