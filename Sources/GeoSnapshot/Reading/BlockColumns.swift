import GeoPath
import GeoScan
import GeoSystem

/// Where one has come to in the columns of a block.
struct BlockColumns {
  private var records = ByteReader(0..<0)
  private var folderTimes = ByteReader(0..<0)
  private var states = RunReader()
  private var reasons = ByteReader(0..<0)
  private var nameLengths = ByteReader(0..<0)
  private var letters = ByteReader(0..<0)
  private var sizes = ByteReader(0..<0)
  private var times = ByteReader(0..<0)
  private var links = RunReader()
  private var folderStorage = ByteReader(0..<0)
  private var nanoseconds = ByteReader(0..<0)
  private var rooms = RunReader()
  private var devices = RunReader()
  private var inodes = ByteReader(0..<0)
  private var owners = RunReader()
  private var groups = RunReader()

  // What differences are reckoned from.
  private var name = [UInt8](repeating: 0, count: 256)
  private var nameLength = 0
  private var time: Int64 = 0
  private var folderTime: Int64 = 0
  private var inode: UInt64 = 0
  private var folderInode: UInt64 = 0
  private var folderDevice: UInt64 = 0

  /// Begins a block.
  ///
  /// - Parameters:
  ///   - length: Bytes of it.
  ///   - known: How many of them are there at least.
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
      // What was not unpacked is as if it were empty.
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

  /// Takes a record, or what of one is in the block.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the first of the block, which alone may go on with a folder.
  ///   - keeps: Whether it is added to the listing.
  /// - Returns: How many entries the folder has; where it goes on, how many are in this block.
  mutating func take(
    _ bytes: Span<UInt8>, _ knowledge: SnapshotKnowledge, storage use: StorageUse, isFirst: Bool,
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
    // Each name has two bytes at least, for its lengths.
    let folders = try records.takeVarint(in: bytes)
    let files = try records.takeVarint(in: bytes)
    guard folders <= UInt64(nameLengths.remaining), files <= UInt64(nameLengths.remaining),
      !(totals.map { $0.folders < folders || $0.files < files } ?? false)
    else { throw .malformed }
    for _ in 0..<folders { try takeFolder(bytes, keeps: keeps, &listing) }
    for _ in 0..<files {
      try takeFile(bytes, knowledge, storage: use, keeps: keeps, &listing)
    }
    guard let totals else { return (flags, (Int(folders), Int(files))) }
    guard totals.folders <= UInt64(UInt32.max), totals.files < UInt64(Int.max) else {
      throw .malformed
    }
    return (flags, (Int(totals.folders), Int(totals.files)))
  }

  private mutating func takeFolder(
    _ bytes: Span<UInt8>, keeps: Bool, _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) {
    try takeName(bytes)
    guard let state = EntryState(number: try states.take(in: bytes)) else { throw .malformed }
    switch state.status {
    case .known: break
    case .leftOut(let reason):
      if keeps {
        listing.foldersLeftOut.append(
          LeftOutEntry(index: listing.folders.count, reason: reason))
      }
    default: throw .malformed
    }
    guard state.kind == .directory || state.kind == .symlink else { throw .malformed }
    if keeps { try add(to: &listing.folders, state.kind) }
  }

  private mutating func takeFile(
    _ bytes: Span<UInt8>, _ knowledge: SnapshotKnowledge, storage use: StorageUse, keeps: Bool,
    _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) {
    try takeName(bytes)
    guard let state = EntryState(number: try states.take(in: bytes)), state.kind != .directory
    else { throw .malformed }
    var facts = EntryFacts(kind: state.kind)
    var storage = FileStorage.unknown
    switch state.status {
    case .known:
      facts.status = .known
      facts.size = try sizes.takeDifference(in: bytes)
      time &+= try times.takeDifference(in: bytes)
      facts.modified = time
      if knowledge.contains(.links) {
        facts.links = UInt32(truncatingIfNeeded: try links.take(in: bytes))
      }
      if use != .none, !knowledge.isDisjoint(with: .storage) {
        storage =
          use == .all
          ? try takeStorage(in: bytes, size: facts.size, links: facts.links)
          : .unknown(nanoseconds: try Self.takeNanoseconds(&nanoseconds, in: bytes))
      }
    case .sized:
      facts.status = .sized
      facts.size = try sizes.takeDifference(in: bytes)
    case .unasked: facts.status = .unasked
    case .vanished: facts.status = .vanished
    case .unreadable:
      facts.status = .unreadable
      let reason = try Self.takeReason(&reasons, in: bytes)
      if keeps {
        listing.failures.append(
          SnapshotListing.Failure(index: listing.files.count, reason: reason))
      }
    case .leftOut(let reason):
      facts.status = .hidden
      if keeps {
        listing.filesLeftOut.append(
          LeftOutEntry(index: listing.files.count, reason: reason))
      }
    }
    if !keeps { return }
    try add(to: &listing.files, state.kind)
    listing.facts.append(facts)
    if use != .none { listing.fileStorage.append(storage) }
  }

  private mutating func takeName(_ bytes: Span<UInt8>) throws(SnapshotDamage) {
    let shared = try nameLengths.takeVarint(in: bytes)
    let rest = try nameLengths.takeVarint(in: bytes)
    guard shared <= UInt64(nameLength), rest <= UInt64(letters.remaining),
      shared + rest <= UInt64(NameRecord.longestName)
    else { throw .malformed }
    nameLength = Int(shared + rest)
    if nameLength > name.count {
      name.append(contentsOf: repeatElement(0, count: nameLength - name.count))
    }
    let letters = bytes.extracting(try letters.take(Int(rest)))
    var name = name.mutableSpan
    let start = Int(shared)
    for index in 0..<letters.count { name[start + index] = letters[index] }
  }

  /// Adds the name at hand, which has to be one and to come after the one before.
  private func add(to names: inout NameTable, _ kind: EntryKind) throws(SnapshotDamage) {
    let name = name.span.extracting(0..<nameLength)
    guard EntryName.isValid(name) else { throw .malformed }
    if let last = names.records.last,
      !names.bytes.span.extracting(last.range).orders(before: name)
    {
      throw .malformed
    }
    names.append(name, kind: kind)
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

  private mutating func takeStorage(
    in bytes: Span<UInt8>, size: Int64, links: UInt32
  ) throws(SnapshotDamage) -> FileStorage {
    let nanoseconds = try Self.takeNanoseconds(&nanoseconds, in: bytes)
    let room = EntryState.usualRoom(size: size) &+ (try rooms.takeDifference(in: bytes))
    let device = try devices.take(in: bytes)
    inode &+= UInt64(bitPattern: try inodes.takeDifference(in: bytes))
    return FileStorage(
      identity: FileSystem.Identity(device: device, inode: inode), allocated: room,
      nanoseconds: nanoseconds, links: links,
      owner: UInt32(truncatingIfNeeded: try owners.take(in: bytes)),
      group: UInt32(truncatingIfNeeded: try groups.take(in: bytes)))
  }

  private static func takeNanoseconds(
    _ reader: inout ByteReader, in bytes: Span<UInt8>
  ) throws(SnapshotDamage) -> UInt32 {
    let number = try reader.takeVarint(in: bytes)
    guard number < 1_000_000_000 else { throw .malformed }
    return UInt32(number)
  }

  private static func takeReason(
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

/// A column in which numbers mostly repeat.
struct RunReader {
  private var reader: ByteReader
  private var number: UInt64 = 0
  private var left: UInt64 = 0

  init(_ range: Range<Int> = 0..<0) { reader = ByteReader(range) }

  /// The next number.
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

  /// The next difference.
  @inline(__always)
  mutating func takeDifference(in bytes: Span<UInt8>) throws(SnapshotDamage) -> Int64 {
    let number = try take(in: bytes)
    return Int64(bitPattern: number >> 1 ^ (0 &- (number & 1)))
  }
}
