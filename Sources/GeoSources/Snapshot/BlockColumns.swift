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

  var isAtEnd: Bool { records.isAtEnd }

  /// Nil if the bytes don't begin with valid column lengths.
  static func end(of column: Column, in bytes: Span<UInt8>) -> Int? {
    (try? bounds(in: bytes))?[column.rawValue + 1]
  }

  private static func bounds(in bytes: Span<UInt8>) throws(ByteDamage) -> [Int] {
    var reader = ByteReader(0..<bytes.count)
    var lengths: [Int] = []
    for _ in Column.allCases {
      let length = try reader.takeVarint(in: bytes)
      guard length <= SnapshotNumbers.longestBlock else { throw .malformed }
      lengths.append(Int(length))
    }
    return lengths.reduce(into: [reader.position]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// At least `known` of the bytes of the block must be unpacked.
  mutating func start(
    _ bytes: Span<UInt8>, length: Int, known: Int
  ) throws(ByteDamage) {
    guard bytes.count >= known else { throw .malformed }
    let bounds = try Self.bounds(in: bytes)
    guard bounds.last == length, bounds[Column.links.rawValue + 1] <= known else {
      throw .malformed
    }
    func range(_ column: Column) -> Range<Int> {
      // Columns that were not unpacked count as empty.
      let (start, end) = (bounds[column.rawValue], bounds[column.rawValue + 1])
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

  /// Takes a record, or the part of it in this block: only the first may continue a folder. Names
  /// are passed over unless they are kept. Returns how many entries the folder has; for a
  /// continuation, how many are in this block.
  mutating func take(
    _ bytes: Span<UInt8>, _ knowledge: FactKnowledge, storage use: StorageUse, isFirst: Bool,
    keeps: Bool, _ listing: inout SnapshotListing
  ) throws(ByteDamage) -> (RecordFlags, (folders: Int, files: Int)) {
    let flags = RecordFlags(rawValue: try records.takeLittle(UInt8.self, in: bytes))
    guard RecordFlags.all.isSuperset(of: flags) else { throw .malformed }
    var totals: (folders: UInt64, files: UInt64)?
    if flags.contains(.continued) {
      guard isFirst, flags == .continued else { throw .malformed }
    } else {
      listing.isListed = flags.contains(.listed)
      listing.isLoop = flags.contains(.loop)
      if flags.contains(.unreadable) {
        listing.failure = try Self.takeReason(&records, in: bytes)
      }
      totals = (try records.takeVarint(in: bytes), try records.takeVarint(in: bytes))
      if flags.contains(.timed) {
        folderTime &+= try folderTimes.takeDifference(in: bytes)
        listing.modified = folderTime
        if use == .all, !knowledge.isDisjoint(with: .storage) {
          listing.storage = try takeFolderStorage(in: bytes)
        }
      }
    }
    // Each name has at least two bytes of lengths.
    let folders = try records.takeVarint(in: bytes)
    let files = try records.takeVarint(in: bytes)
    guard folders <= UInt64(nameLengths.remaining), files <= UInt64(nameLengths.remaining),
      !(totals.map { $0.folders < folders || $0.files < files } ?? false)
    else { throw .malformed }
    try takeFolders(Int(folders), bytes, keeps: keeps, &listing)
    try takeFiles(Int(files), bytes, knowledge, storage: use, keeps: keeps, &listing)
    guard let totals else { return (flags, (Int(folders), Int(files))) }
    guard totals.folders <= UInt64(UInt32.max), totals.files < UInt64(Int.max) else {
      throw .malformed
    }
    return (flags, (Int(totals.folders), Int(totals.files)))
  }

  private mutating func takeFolderStorage(
    in bytes: Span<UInt8>
  ) throws(ByteDamage) -> FileStorage {
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
  ) throws(ByteDamage) -> UInt32 {
    let number = try reader.takeVarint(in: bytes)
    guard number < 1_000_000_000 else { throw .malformed }
    return UInt32(number)
  }

  static func takeReason(
    _ reader: inout ByteReader, in bytes: Span<UInt8>
  ) throws(ByteDamage) -> ScanFault.Reason {
    let number = try reader.takeVarint(in: bytes)
    if number == 0 {
      let words = String(decoding: try reader.takeText(in: bytes), as: UTF8.self)
      return .listed(
        words == SnapshotNumbers.unknownReason
          ? "it was not read when the snapshot was taken" : words)
    }
    guard let error = Int32(exactly: number) else { throw .malformed }
    return .unreadable(Errno(rawValue: error))
  }
}

// Entries are decoded column by column: each step reads one column for many entries.
extension BlockColumns {
  private mutating func takeFolders(
    _ count: Int, _ bytes: Span<UInt8>, keeps: Bool, _ listing: inout SnapshotListing
  ) throws(ByteDamage) {
    var left = count
    while left > 0 {
      let (number, run) = try states.takeRun(upTo: left, in: bytes)
      left -= run
      guard let state = EntryState(number: number),
        state.kind == .directory || state.kind == .symlink
      else { throw .malformed }
      let first = listing.folders.count
      try takeNames(run, state.kind, bytes, keeps: keeps, &listing.folders)
      switch state.status {
      case .known: break
      case .leftOut(let reason):
        for index in first..<(first + run) {
          listing.foldersLeftOut.append(LeftOutEntry(index: index, reason: reason))
        }
      default: throw .malformed
      }
    }
  }

  private mutating func takeFiles(
    _ count: Int, _ bytes: Span<UInt8>, _ knowledge: FactKnowledge, storage use: StorageUse,
    keeps: Bool, _ listing: inout SnapshotListing
  ) throws(ByteDamage) {
    var left = count
    while left > 0 {
      let (number, run) = try states.takeRun(upTo: left, in: bytes)
      left -= run
      guard let state = EntryState(number: number), state.kind != .directory else {
        throw .malformed
      }
      let first = listing.facts.count
      try takeNames(run, state.kind, bytes, keeps: keeps, &listing.files)
      listing.add(run, state, storage: use != .none)
      switch state.status {
      case .known, .undated:
        try takeSizes(of: first, bytes, &listing)
        if state.status == .known { try takeTimes(of: first, bytes, &listing) }
        try takeLinks(of: first, bytes, knowledge, &listing)
        if use != .none, !knowledge.isDisjoint(with: .storage) {
          try takeStorage(of: first, use, bytes, listing.facts, &listing.fileStorage)
        }
      case .sized: try takeSizes(of: first, bytes, &listing)
      case .unasked, .elsewhere, .vanished: break
      case .unreadable:
        for index in first..<(first + run) {
          let reason = try Self.takeReason(&reasons, in: bytes)
          listing.failures.append(SnapshotListing.Failure(index: index, reason: reason))
        }
      case .leftOut: listing.leavesOutFiles = true
      }
    }
  }

  private mutating func takeNames(
    _ count: Int, _ kind: EntryKind, _ bytes: Span<UInt8>, keeps: Bool, _ names: inout NameTable
  ) throws(ByteDamage) {
    // Local copies can be kept in registers.
    var (lengths, rests, length) = (nameLengths, letters, nameLength)
    var name: [UInt8] = []
    swap(&name, &self.name)
    defer {
      (nameLengths, letters, nameLength) = (lengths, rests, length)
      swap(&name, &self.name)
    }
    for index in 0..<count {
      let shared = try lengths.takeVarint(in: bytes)
      let count = try lengths.takeVarint(in: bytes)
      guard shared <= UInt64(length), count <= UInt64(rests.remaining),
        shared + count <= UInt64(NameRecord.longestName)
      else { throw .malformed }
      let rest = bytes.extracting(try rests.take(Int(count)))
      // For a name after another in its table, the shared prefix needs no second check.
      let isNext = keeps && index > 0
      if isNext {
        let other = name.span.extracting(Int(shared)..<length)
        guard EntryName.canBePart(rest), Self.isLater(rest, than: other) else { throw .malformed }
      }
      length = Int(shared + count)
      if length > name.count {
        name.append(contentsOf: repeatElement(0, count: length - name.count))
      }
      var letters = name.mutableSpan
      letters.overwrite(from: Int(shared), with: rest)
      if !keeps { continue }
      let whole = name.span.extracting(0..<length)
      if isNext, length > 2 {
        names.append(whole, kind: kind)
      } else {
        try Self.add(whole, kind, to: &names)
      }
    }
  }

  /// Whether a name comes after another one with the same bytes before these.
  @inline(__always)
  private static func isLater(_ rest: Span<UInt8>, than other: Span<UInt8>) -> Bool {
    if rest.isEmpty { return false }
    if other.isEmpty || rest[0] > other[0] { return true }
    return rest[0] == other[0] && other.orders(before: rest)
  }

  /// Throws unless the name is valid and after the one before.
  private static func add(
    _ name: Span<UInt8>, _ kind: EntryKind, to names: inout NameTable
  ) throws(ByteDamage) {
    guard EntryName.isValid(name), names.append(inOrder: name, kind: kind) else {
      throw .malformed
    }
  }

  // MARK: Facts

  private mutating func takeTimes(
    of first: Int, _ bytes: Span<UInt8>, _ listing: inout SnapshotListing
  ) throws(ByteDamage) {
    var facts = listing.facts.mutableSpan
    var (times, time) = (self.times, self.time)
    for index in first..<facts.count {
      time &+= try times.takeDifference(in: bytes)
      facts[index].modified = time
    }
    (self.times, self.time) = (times, time)
  }

  private mutating func takeLinks(
    of first: Int, _ bytes: Span<UInt8>, _ knowledge: FactKnowledge,
    _ listing: inout SnapshotListing
  ) throws(ByteDamage) {
    if !knowledge.contains(.links) { return }
    var facts = listing.facts.mutableSpan
    var next = first
    while next < facts.count {
      let (number, run) = try links.takeRun(upTo: facts.count - next, in: bytes)
      for index in next..<(next + run) { facts[index].links = UInt32(truncatingIfNeeded: number) }
      next += run
    }
  }

  private mutating func takeSizes(
    of first: Int, _ bytes: Span<UInt8>, _ listing: inout SnapshotListing
  ) throws(ByteDamage) {
    var facts = listing.facts.mutableSpan
    var sizes = sizes
    for index in first..<facts.count {
      let size = try sizes.takeDifference(in: bytes)
      guard size >= 0 else { throw .malformed }
      facts[index].size = size
    }
    self.sizes = sizes
  }

  private mutating func takeStorage(
    of first: Int, _ use: StorageUse, _ bytes: Span<UInt8>, _ facts: [EntryFacts],
    _ storage: inout [FileStorage]
  ) throws(ByteDamage) {
    let facts = facts.span
    var storage = storage.mutableSpan
    var nanoseconds = nanoseconds
    for index in first..<storage.count {
      storage[index].nanoseconds = try Self.takeNanoseconds(&nanoseconds, in: bytes)
    }
    self.nanoseconds = nanoseconds
    guard use == .all || use == .rooms else { return }
    for index in first..<storage.count {
      let expected = EntryState.defaultRoom(size: facts[index].size)
      storage[index].allocated = expected &+ (try rooms.takeDifference(in: bytes))
      if use == .rooms { continue }
      inode &+= UInt64(bitPattern: try inodes.takeDifference(in: bytes))
      storage[index].identity = FileSystem.Identity(
        device: try devices.take(in: bytes), inode: inode)
      storage[index].links = facts[index].links
      storage[index].owner = UInt32(truncatingIfNeeded: try owners.take(in: bytes))
      storage[index].group = UInt32(truncatingIfNeeded: try groups.take(in: bytes))
    }
  }
}
