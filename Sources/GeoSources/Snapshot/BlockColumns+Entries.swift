import GeoCore
import GeoSystem
import GeoTree

// Entries are decoded column by column: each step reads one column for many entries.
extension BlockColumns {
  /// Takes the next sub-folders.
  mutating func takeFolders(
    _ count: Int, _ bytes: Span<UInt8>, keeps: Bool, _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) {
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

  /// Takes the next files with their facts.
  mutating func takeFiles(
    _ count: Int, _ bytes: Span<UInt8>, _ knowledge: FactKnowledge, storage use: StorageUse,
    keeps: Bool, _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) {
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
      case .known:
        try takeFacts(of: first, bytes, knowledge, &listing)
        if use != .none, !knowledge.isDisjoint(with: .storage) {
          try takeStorage(of: first, use, bytes, listing.facts, &listing.fileStorage)
        }
      case .sized: try takeSizes(of: first, bytes, &listing)
      case .unasked, .vanished: break
      case .unreadable:
        for index in first..<(first + run) {
          let reason = try Self.takeReason(&reasons, in: bytes)
          listing.failures.append(SnapshotListing.Failure(index: index, reason: reason))
        }
      case .leftOut(let reason):
        for index in first..<(first + run) {
          listing.filesLeftOut.append(LeftOutEntry(index: index, reason: reason))
        }
      }
    }
  }

  /// Takes the names of entries of one kind.
  private mutating func takeNames(
    _ count: Int, _ kind: EntryKind, _ bytes: Span<UInt8>, keeps: Bool, _ names: inout NameTable
  ) throws(SnapshotDamage) {
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

  /// Adds a name; throws if it is invalid or not after the name before.
  private static func add(
    _ name: Span<UInt8>, _ kind: EntryKind, to names: inout NameTable
  ) throws(SnapshotDamage) {
    guard EntryName.isValid(name), names.append(inOrder: name, kind: kind) else {
      throw .malformed
    }
  }

  // MARK: Facts

  /// Takes the facts of the files from index `first` on.
  private mutating func takeFacts(
    of first: Int, _ bytes: Span<UInt8>, _ knowledge: FactKnowledge,
    _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) {
    try takeSizes(of: first, bytes, &listing)
    var facts = listing.facts.mutableSpan
    var (times, time) = (self.times, self.time)
    for index in first..<facts.count {
      time &+= try times.takeDifference(in: bytes)
      facts[index].modified = time
    }
    (self.times, self.time) = (times, time)
    if !knowledge.contains(.links) { return }
    var next = first
    while next < facts.count {
      let (number, run) = try links.takeRun(upTo: facts.count - next, in: bytes)
      for index in next..<(next + run) { facts[index].links = UInt32(truncatingIfNeeded: number) }
      next += run
    }
  }

  private mutating func takeSizes(
    of first: Int, _ bytes: Span<UInt8>, _ listing: inout SnapshotListing
  ) throws(SnapshotDamage) {
    var facts = listing.facts.mutableSpan
    var sizes = sizes
    for index in first..<facts.count { facts[index].size = try sizes.takeDifference(in: bytes) }
    self.sizes = sizes
  }

  private mutating func takeStorage(
    of first: Int, _ use: StorageUse, _ bytes: Span<UInt8>, _ facts: [EntryFacts],
    _ storage: inout [FileStorage]
  ) throws(SnapshotDamage) {
    let facts = facts.span
    var storage = storage.mutableSpan
    var nanoseconds = nanoseconds
    for index in first..<storage.count {
      storage[index].nanoseconds = try Self.takeNanoseconds(&nanoseconds, in: bytes)
    }
    self.nanoseconds = nanoseconds
    guard use == .all else { return }
    for index in first..<storage.count {
      let usual = EntryState.usualRoom(size: facts[index].size)
      storage[index].allocated = usual &+ (try rooms.takeDifference(in: bytes))
      inode &+= UInt64(bitPattern: try inodes.takeDifference(in: bytes))
      storage[index].identity = FileSystem.Identity(
        device: try devices.take(in: bytes), inode: inode)
      storage[index].links = facts[index].links
      storage[index].owner = UInt32(truncatingIfNeeded: try owners.take(in: bytes))
      storage[index].group = UInt32(truncatingIfNeeded: try groups.take(in: bytes))
    }
  }
}
