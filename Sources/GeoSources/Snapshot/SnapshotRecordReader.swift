import GeoCore
import GeoTree

enum StorageUse {
  case none
  /// Only the nanoseconds of files' times.
  case nanoseconds
  /// The nanoseconds of files' times, and their room on disk.
  case rooms
  case all

  /// How many bytes of a block to unpack, as far as its beginning shows.
  fileprivate func wanted(of bytes: Span<UInt8>, _ mapLength: Int) -> Int {
    switch self {
    case .none: mapLength
    case .nanoseconds: BlockColumns.end(of: .nanoseconds, in: bytes) ?? .max
    case .rooms: BlockColumns.end(of: .rooms, in: bytes) ?? .max
    case .all: .max
    }
  }
}

/// Reads records, in sequence or in any order. The last block stays in memory, so records that
/// follow each other in a block unpack it once.
struct SnapshotRecordReader {
  let snapshot: Snapshot
  private let storage: StorageUse
  private var inflater = Inflater()
  private var packed: [UInt8] = []
  var pages = IndexPages()

  // The current block.
  private var raw: [UInt8] = []
  /// In the file; the same if no block is open.
  private var offset: UInt64 = 0
  private var next: UInt64 = 0
  private var record = 0
  private var columns = BlockColumns()

  init(_ snapshot: Snapshot, asksForStorage: Bool, nanosecondsAlone: Bool = false) {
    self.init(snapshot, asksForStorage ? nanosecondsAlone ? .nanoseconds : .all : .none)
  }

  init(_ snapshot: Snapshot, _ storage: StorageUse) {
    self.snapshot = snapshot
    self.storage = storage
  }

  /// How many bytes to read at once. The length of a block is unknown, but most are as long as the
  /// last.
  private var guess = 16 * 1024

  private mutating func open(_ offset: UInt64) throws(ByteDamage) {
    self.offset = 0
    next = 0
    guard offset >= snapshot.firstBlock, offset <= snapshot.indexOffset,
      snapshot.indexOffset - offset >= UInt64(SnapshotNumbers.blockHeader)
    else { throw .malformed }
    let left = Int(min(UInt64(Int.max / 2), snapshot.indexOffset - offset))
    let first = min(left, guess)
    try snapshot.read(first, at: offset, into: &packed)
    let head = try BlockHead(packed.span)
    guard head.size <= left else { throw .changed }
    if head.size > first { try snapshot.read(head.size, at: offset, into: &packed) }
    guess = head.size / 8 * 9
    try head.check(packed.span)
    let (length, mapLength) = (Int(head.length), Int(head.mapLength))
    do throws(Inflater.Failure) {
      try inflater.inflate(
        packed, from: SnapshotNumbers.blockHeader, limit: length, into: &raw
      ) { [storage] bytes in storage.wanted(of: bytes, mapLength) }
    } catch {
      throw .malformed
    }
    let raw = raw
    let known = min(length, storage.wanted(of: raw.span, mapLength))
    try columns.start(raw.span, length: length, known: known)
    self.offset = offset
    next = offset + UInt64(head.size)
    record = 0
  }

  private mutating func seek(_ place: RecordPlace) throws(ByteDamage) {
    if offset != place.offset || offset == 0 || record > Int(place.record) {
      try open(place.offset)
    }
    var passed = SnapshotListing()
    while record < Int(place.record) { _ = try take(into: &passed, keeps: false) }
  }

  /// With its continuations in the blocks that follow. Returns the number of sub-folders.
  mutating func read(
    _ place: RecordPlace, into listing: inout SnapshotListing
  ) throws(ByteDamage) -> Int {
    listing.removeAll()
    try seek(place)
    let (flags, counts) = try take(into: &listing)
    if flags.contains(.continued) { throw .malformed }
    while listing.folders.count < counts.folders || listing.files.count < counts.files {
      guard next < snapshot.indexOffset else { throw .malformed }
      try open(next)
      let (flags, part) = try take(into: &listing)
      guard flags.contains(.continued), part.folders + part.files > 0 else { throw .malformed }
    }
    guard listing.folders.count == counts.folders, listing.files.count == counts.files
    else { throw .malformed }
    return counts.folders
  }

  mutating func readFiles(
    from start: RecordPlace, to end: RecordPlace, _ take: (FileVersion) -> Void
  ) throws(ByteDamage) {
    var listing = SnapshotListing()
    try seek(start)
    while true {
      if columns.isAtEnd {
        if next >= snapshot.indexOffset { return }
        if next > end.offset || next == end.offset && end.record == 0 { return }
        try open(next)
        continue
      }
      if offset > end.offset || offset == end.offset && record >= Int(end.record) { return }
      listing.removeAll()
      _ = try self.take(into: &listing)
      pass(on: listing, take)
    }
  }

  private func pass(on listing: SnapshotListing, _ take: (FileVersion) -> Void) {
    let hasStorage = listing.fileStorage.count == listing.facts.count
    let hasNanoseconds = snapshot.header.knowledge.contains(.nanoseconds) && hasStorage
    for (index, facts) in listing.facts.enumerated() where facts.status != .hidden {
      var version = FileVersion()
      version.isThere = true
      version.facts = facts
      if hasNanoseconds { version.nanoseconds = listing.fileStorage[index].nanoseconds }
      if hasStorage { version.allocated = listing.fileStorage[index].allocated }
      take(version)
    }
  }

  private mutating func take(
    into listing: inout SnapshotListing, keeps: Bool = true
  ) throws(ByteDamage) -> (RecordFlags, (folders: Int, files: Int)) {
    // The position in the block is unknown after an error.
    let block = offset
    offset = 0
    let raw = raw
    let result = try columns.take(
      raw.span, snapshot.header.knowledge, storage: storage, isFirst: record == 0, keeps: keeps,
      &listing)
    offset = block
    record += 1
    return result
  }
}
