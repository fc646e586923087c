import GeoAtlas
import GeoSystem

/// The offsets of tiles in an archive: equal tiles are stored once, in order of first appearance.
struct TileIndex {
  /// A tile that may appear again.
  private struct Known {
    var record: TileRecord
    var shelf: Int
    var offset: UInt64
  }

  private let tiles: TileCollection
  private var known: [Known] = []
  /// A hash table with open addressing: an index into `known` plus 1, or 0.
  private var slots = [UInt32](repeating: 0, count: 1 << 12)
  private var last: ArchiveEntry?
  private var one: [UInt8] = []
  private var other: [UInt8] = []

  private(set) var length: UInt64 = 0
  /// The number of bytes of the tiles that first appear at the deepest zoom.
  var lengthOfDeepest: UInt64 { length - lengthAbove }
  private var lengthAbove: UInt64 = 0
  private let firstOfMaximumZoom: UInt64
  private(set) var contents: UInt64 = 0
  private(set) var count: UInt64 = 0
  /// A hash of the tile numbers, their offsets and their bytes.
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
    guard record.mayRepeat else {
      isFirst.append(true)
      return put(record)
    }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: record.hash) & mask
    while slots[slot] != 0 {
      let other = known[Int(slots[slot]) - 1]
      if other.record.hash == record.hash, other.record.length == record.length,
        try isSame(record, shelf, other)
      {
        isFirst.append(false)
        return other.offset
      }
      slot = (slot + 1) & mask
    }
    let place = put(record)
    isFirst.append(true)
    known.append(Known(record: record, shelf: shelf, offset: place))
    slots[slot] = UInt32(truncatingIfNeeded: known.count)
    if known.count * 2 > slots.count { grow() }
    return place
  }

  private mutating func put(_ record: TileRecord) -> UInt64 {
    defer { length += UInt64(record.length) }
    addToFingerprint(record.hash)
    contents += 1
    return length
  }

  private mutating func isSame(
    _ record: TileRecord, _ shelf: Int, _ known: Known
  ) throws(Errno) -> Bool {
    if shelf == known.shelf, record.offset == known.record.offset { return true }
    one.removeAll(keepingCapacity: true)
    other.removeAll(keepingCapacity: true)
    try tiles.read(Int(record.length), at: record.offset, of: shelf, into: &one)
    try tiles.read(Int(record.length), at: known.record.offset, of: known.shelf, into: &other)
    return one == other
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 4)
    let mask = slots.count - 1
    for (number, known) in known.enumerated() {
      var slot = Int(truncatingIfNeeded: known.record.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
  }
}
