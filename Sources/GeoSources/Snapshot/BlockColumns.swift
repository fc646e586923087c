import GeoCore
import GeoSystem
import GeoTree

/// The reading positions in the columns of a block.
struct BlockColumns {
  private var records = ByteReader(0..<0)
  private var folderTimes = ByteReader(0..<0)
  var states = RunReader()
  var reasons = ByteReader(0..<0)
  var nameLengths = ByteReader(0..<0)
  var letters = ByteReader(0..<0)
  var sizes = ByteReader(0..<0)
  var times = ByteReader(0..<0)
  var links = RunReader()
  private var folderStorage = ByteReader(0..<0)
  var nanoseconds = ByteReader(0..<0)
  var rooms = RunReader()
  var devices = RunReader()
  var inodes = ByteReader(0..<0)
  var owners = RunReader()
  var groups = RunReader()

  // The previous values, from which differences are computed.
  var name = [UInt8](repeating: 0, count: 256)
  var nameLength = 0
  var time: Int64 = 0
  private var folderTime: Int64 = 0
  var inode: UInt64 = 0
  private var folderInode: UInt64 = 0
  private var folderDevice: UInt64 = 0

  /// Whether all records were taken.
  var isAtEnd: Bool { records.isAtEnd }

  /// The end of a column in a block; nil if the bytes don't begin with valid column lengths.
  static func end(of column: Column, in bytes: Span<UInt8>) -> Int? {
    var reader = ByteReader(0..<bytes.count)
    var end = 0
    for other in Column.allCases {
      guard let count = try? reader.takeVarint(in: bytes), count <= SnapshotNumbers.longestBlock
      else { return nil }
      if other.rawValue <= column.rawValue { end += Int(count) }
    }
    return reader.position + end
  }

  /// Starts to read a block.
  ///
  /// - Parameters:
  ///   - length: The length of the whole block in bytes.
  ///   - known: The number of bytes that must be unpacked.
  mutating func start(
    _ bytes: Span<UInt8>, length: Int, known: Int
  ) throws(SnapshotDamage) {
    guard bytes.count >= known else { throw .malformed }
    var reader = ByteReader(0..<min(length, bytes.count))
    var lengths: [Int] = []
    for _ in Column.allCases {
      let count = try reader.takeVarint(in: bytes)
      guard count <= UInt64(length) else { throw .malformed }
      lengths.append(Int(count))
    }
    guard lengths.reduce(reader.position, +) == length else { throw .malformed }
    var start = reader.position
    func range(_ column: Column) -> Range<Int> {
      defer { start += lengths[column.rawValue] }
      // Columns that were not unpacked count as empty.
      let end = start + lengths[column.rawValue]
      return end <= bytes.count ? start..<end : 0..<0
    }
    records = ByteReader(range(.records))
    folderTimes = ByteReader(range(.folderTimes))
    states = RunReader(range(.states))
    reasons = ByteReader(range(.reasons))
    nameLengths = ByteReader(range(.nameLengths))
    letters = ByteReader(range(.letters))
    sizes = ByteReader(range(.sizes))
    times = ByteReader(range(.times))
    links = RunReader(range(.links))
    guard start <= known else { throw .malformed }
    folderStorage = ByteReader(range(.folderStorage))
    nanoseconds = ByteReader(range(.nanoseconds))
    rooms = RunReader(range(.rooms))
    devices = RunReader(range(.devices))
    inodes = ByteReader(range(.inodes))
    owners = RunReader(range(.owners))
    groups = RunReader(range(.groups))
    nameLength = 0
    (time, folderTime) = (0, 0)
    (inode, folderInode, folderDevice) = (0, 0, 0)
  }

  /// Takes a record, or the part of it in this block.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the first of the block. Only the first may continue a folder.
  ///   - keeps: Whether to add it to the listing.
  /// - Returns: How many entries the folder has; for a continuation, how many are in this block.
  mutating func take(
    _ bytes: Span<UInt8>, _ knowledge: FactKnowledge, storage use: StorageUse, isFirst: Bool,
    keeps: Bool, _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) -> (RecordFlags, (folders: Int, files: Int)) {
    let flags = RecordFlags(rawValue: try records.takeLittle(UInt8.self, in: bytes))
    guard RecordFlags.all.isSuperset(of: flags) else { throw .malformed }
    var totals: (folders: UInt64, files: UInt64)?
    if flags.contains(.continued) {
      guard isFirst, flags == .continued else { throw .malformed }
    } else {
      if keeps {
        listing.isListed = flags.contains(.listed)
        listing.isLoop = flags.contains(.loop)
      }
      if flags.contains(.unreadable) {
        let reason = try Self.takeReason(&records, in: bytes)
        if keeps { listing.failure = reason }
      }
      totals = (try records.takeVarint(in: bytes), try records.takeVarint(in: bytes))
      if flags.contains(.timed) {
        folderTime &+= try folderTimes.takeDifference(in: bytes)
        if keeps { listing.modified = folderTime }
        if use == .all, !knowledge.isDisjoint(with: .storage) {
          let storage = try takeFolderStorage(in: bytes)
          if keeps { listing.storage = storage }
        }
      }
    }
    // Each name has at least two bytes of lengths.
    let folders = try records.takeVarint(in: bytes)
    let files = try records.takeVarint(in: bytes)
    guard folders <= UInt64(nameLengths.remaining), files <= UInt64(nameLengths.remaining),
      !(totals.map { $0.folders < folders || $0.files < files } ?? false)
    else { throw .malformed }
    if keeps {
      try takeFolders(Int(folders), bytes, keeps: true, &listing)
      try takeFiles(Int(files), bytes, knowledge, storage: use, keeps: true, &listing)
    } else {
      var passed = SnapshotListing()
      try takeFolders(Int(folders), bytes, keeps: false, &passed)
      try takeFiles(Int(files), bytes, knowledge, storage: use, keeps: false, &passed)
    }
    guard let totals else { return (flags, (Int(folders), Int(files))) }
    guard totals.folders <= UInt64(UInt32.max), totals.files < UInt64(Int.max) else {
      throw .malformed
    }
    return (flags, (Int(totals.folders), Int(totals.files)))
  }

  private mutating func takeFolderStorage(
    in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> FileStorage {
    let nanoseconds = try Self.takeNanoseconds(&folderStorage, in: bytes)
    let room = try folderStorage.takeDifference(in: bytes)
    folderDevice &+= UInt64(bitPattern: try folderStorage.takeDifference(in: bytes))
    folderInode &+= UInt64(bitPattern: try folderStorage.takeDifference(in: bytes))
    return FileStorage(
      identity: FileSystem.Identity(device: folderDevice, inode: folderInode), allocated: room,
      nanoseconds: nanoseconds,
      links: UInt32(truncatingIfNeeded: try folderStorage.takeVarint(in: bytes)),
      owner: UInt32(truncatingIfNeeded: try folderStorage.takeVarint(in: bytes)),
      group: UInt32(truncatingIfNeeded: try folderStorage.takeVarint(in: bytes)))
  }

  @inline(__always)
  static func takeNanoseconds(
    _ reader: inout ByteReader, in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> UInt32 {
    let number = try reader.takeVarint(in: bytes)
    guard number < 1_000_000_000 else { throw .malformed }
    return UInt32(number)
  }

  static func takeReason(
    _ reader: inout ByteReader, in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> ScanFault.Reason {
    let number = try reader.takeVarint(in: bytes)
    if number == 0 {
      return .listed(String(decoding: try reader.takeText(in: bytes), as: UTF8.self))
    }
    guard let error = Int32(exactly: number) else { throw .malformed }
    return .unreadable(Errno(rawValue: error))
  }
}

/// Reads a column of run-length encoded numbers.
struct RunReader {
  private var reader: ByteReader
  private var number: UInt64 = 0
  private var left: UInt64 = 0

  init(_ range: Range<Int> = 0..<0) { reader = ByteReader(range) }

  @inline(__always)
  mutating func take(in bytes: Span<UInt8>) throws(SnapshotDamage) -> UInt64 {
    if left == 0 {
      number = try reader.takeVarint(in: bytes)
      left = try reader.takeVarint(in: bytes)
      if left == 0 { throw .malformed }
    }
    left -= 1
    return number
  }

  /// Takes the next number and its repetitions, `limit` at most (at least one).
  @inline(__always)
  mutating func takeRun(
    upTo limit: Int, in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> (number: UInt64, count: Int) {
    let number = try take(in: bytes)
    let more = Int(min(left, UInt64(limit - 1)))
    left -= UInt64(more)
    return (number, 1 + more)
  }

  /// Takes the next difference.
  @inline(__always)
  mutating func takeDifference(in bytes: Span<UInt8>) throws(SnapshotDamage) -> Int64 {
    let number = try take(in: bytes)
    return Int64(bitPattern: number >> 1 ^ (0 &- (number & 1)))
  }
}
