import GeoAtlas
import GeoSystem

/// The offsets of tiles in an archive: equal tiles are stored once, in order of first appearance.
struct TileIndex {
  /// A tile that may appear again.
  private struct Known {
    let shelf: Int
    /// Of its bytes in the scratch file, and in the archive.
    let place: Int64
    let offset: UInt64
    let length: UInt32
  }

  private let tiles: TileCollection
  /// By the hash of their bytes. In the unlikely case of two with the same hash, only the first is
  /// found again.
  private var known: [UInt64: Known] = [:]
  private var last: ArchiveEntry?
  private var one: [UInt8] = []
  private var other: [UInt8] = []

  private(set) var length: UInt64 = 0
  var lengthOfDeepest: UInt64 { length - lengthAbove }
  private var lengthAbove: UInt64 = 0
  private let firstOfMaximumZoom: UInt64
  private(set) var contents: UInt64 = 0
  private(set) var count: UInt64 = 0
  private(set) var fingerprint: UInt64 = 0
  private(set) var entries: EntryList
  /// For each record, in order: whether it is the first with its bytes.
  private(set) var isFirst = BitList()

  init(_ tiles: TileCollection) throws(Errno) {
    self.tiles = tiles
    firstOfMaximumZoom = HilbertCurve.first(ofZoom: tiles.range.maximumZoom)
    entries = try EntryList()
    try tiles.forEach(failing: { $0 }) { (record, shelf) throws(Errno) in
      try add(record, shelf)
    }
    if let last { try entries.append(last) }
    try entries.finish()
  }

  private mutating func add(_ record: TileRecord, _ shelf: Int) throws(Errno) {
    count += UInt64(record.run)
    let place = try place(of: record, shelf)
    if record.tile < firstOfMaximumZoom { lengthAbove = length }
    addToFingerprint(record.tile)
    addToFingerprint(UInt64(record.run))
    addToFingerprint(place)
    if let entry = last, entry.tile + UInt64(entry.run) == record.tile, entry.offset == place,
      entry.run <= .max - record.run
    {
      last?.run += record.run
      return
    }
    if let last { try entries.append(last) }
    last = ArchiveEntry(tile: record.tile, run: record.run, offset: place, length: record.length)
  }

  private mutating func addToFingerprint(_ number: UInt64) {
    fingerprint = (fingerprint ^ number) &* 0x9E37_79B9_7F4A_7C15
    fingerprint ^= fingerprint >> 29
  }

  /// The offset of a tile in the archive, for new bytes after adding them.
  private mutating func place(of record: TileRecord, _ shelf: Int) throws(Errno) -> UInt64 {
    if record.mayRepeat, let known = known[record.hash], try isSame(record, shelf, known) {
      isFirst.append(false)
      return known.offset
    }
    isFirst.append(true)
    if record.mayRepeat, known[record.hash] == nil {
      known[record.hash] = Known(
        shelf: shelf, place: record.offset, offset: length, length: record.length)
    }
    defer { length += UInt64(record.length) }
    addToFingerprint(record.hash)
    contents += 1
    return length
  }

  private mutating func isSame(
    _ record: TileRecord, _ shelf: Int, _ known: Known
  ) throws(Errno) -> Bool {
    if record.length != known.length { return false }
    if shelf == known.shelf, record.offset == known.place { return true }
    one.removeAll(keepingCapacity: true)
    other.removeAll(keepingCapacity: true)
    try tiles.read(Int(record.length), at: record.offset, of: shelf, into: &one)
    try tiles.read(Int(record.length), at: known.place, of: known.shelf, into: &other)
    return one == other
  }
}
