import GeoCore
import GeoSystem

extension EntryRecord: RunRecord {
  /// The rank of the folder, before the first four bytes of the name.
  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    let word = bytes.loadWord(at: offset)
    let name = bytes.extracting(name(bytes, at: offset))
    return word << 32 | name.bigEndianPrefix >> 32
  }

  @inline(__always)
  static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    name(bytes, at: offset).upperBound
  }

  /// Names of one folder by their bytes; what is said of one name twice stays in the order of the list.
  @inline(__always)
  static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int {
    let a = bytes.extracting(name(bytes, at: offset))
    let b = others.extracting(name(others, at: other))
    let common = min(a.count, b.count)
    // The first four bytes are in the keys.
    var index = min(4, common)
    while index < common {
      if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
      index += 1
    }
    return a.count - b.count
  }
}

/// Sorts the entries of a list that are no folders, in as much memory as it is given.
struct EntrySorter {
  private var sorter: RunSorter<EntryRecord>

  /// A sorter.
  ///
  /// - Parameter memory: Bytes of memory for entries.
  init(memory: Int) { sorter = RunSorter(memory: memory) }

  /// Adds an entry, which stands after those that were added before in the list.
  mutating func add(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64
  ) throws(ListError) {
    do throws(Errno) {
      try sorter.add(bytes: EntryRecord.header + name.count) { bytes in
        EntryRecord.append(rank: rank, name: name, facts, position: position, to: &bytes)
      }
    } catch {
      throw .noScratch(error)
    }
  }

  /// Ends the sorting.
  consuming func finish() throws(ListError) -> SortedRuns<EntryRecord> {
    do throws(Errno) {
      return try sorter.finish()
    } catch {
      throw .noScratch(error)
    }
  }
}

/// An entry that is no folder, as it is kept in memory and in scratch files.
///
/// Little-endian: the rank of its folder (4 bytes), the length of its name (2), its kind and flags,
/// its size, its time, its position in the list (8 each), and the name.
enum EntryRecord {
  static var header: Int { 32 }

  static func append(
    rank: UInt32, name: Span<UInt8>, _ facts: ListedFacts, position: UInt64,
    to bytes: inout [UInt8]
  ) {
    append(
      UInt64(rank) | UInt64(name.count) << 32 | UInt64(facts.kind.rawValue) << 48
        | UInt64(facts.flags.rawValue) << 56, to: &bytes)
    append(UInt64(bitPattern: facts.size), to: &bytes)
    append(UInt64(bitPattern: facts.modified), to: &bytes)
    append(position, to: &bytes)
    for index in 0..<name.count { bytes.append(name[index]) }
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  @inline(__always)
  static func name(_ bytes: Span<UInt8>, at offset: Int) -> Range<Int> {
    let length = Int(bytes.loadWord(at: offset) >> 32 & 0xFFFF)
    return (offset + header)..<(offset + header + length)
  }

  @inline(__always)
  static func facts(_ bytes: Span<UInt8>, at offset: Int) -> ListedFacts {
    let word = bytes.loadWord(at: offset)
    return ListedFacts(
      size: Int64(bitPattern: bytes.loadWord(at: offset + 8)),
      modified: Int64(bitPattern: bytes.loadWord(at: offset + 16)),
      kind: EntryKind(rawValue: UInt8(truncatingIfNeeded: word >> 48)) ?? .unknown,
      flags: ListedFacts.Flags(rawValue: UInt8(truncatingIfNeeded: word >> 56)))
  }

  @inline(__always)
  static func position(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    bytes.loadWord(at: offset + 24)
  }
}

/// Makes one entry of all that a list says of one path.
///
/// What is said twice counts once. Where the list contradicts itself, what can't be decided is left
/// open, whatever the order in which it was said.
struct EntryGroups<Cursor: EntryCursor> {
  /// An entry that the list contradicts itself about.
  struct Dispute {
    /// Where in the list the entry is that says otherwise than others before it.
    let position: UInt64
    /// Where the first is; nil if the others say that the entry is a folder.
    let first: UInt64?
  }

  private var cursor: Cursor
  private let table: FolderTable
  private let order: FolderOrder
  /// The folder at hand, and the first of those in it whose name is not before the entry's.
  private var folder = -1
  private var child = 0

  /// Whether there is an entry that was not taken yet.
  private(set) var hasMore: Bool
  /// The name of the entry that was taken last.
  private(set) var name: [UInt8] = []
  /// What is known of it.
  private(set) var facts = ListedFacts()
  /// Whether the list contradicts itself about it.
  private(set) var isDisputed = false

  init(_ cursor: Cursor, table: FolderTable, order: FolderOrder) throws(ListError) {
    var cursor = cursor
    hasMore = try cursor.advance()
    self.cursor = cursor
    self.table = table
    self.order = order
  }

  /// The rank of the folder that the next entry is in, if there is one.
  var rank: Int { Int(cursor.rank) }

  /// Leaves out the entries of folders that stand before one.
  mutating func skip(to rank: Int) throws(ListError) {
    while hasMore, cursor.rank < rank { hasMore = try cursor.advance() }
  }

  /// Takes the next entry of a folder.
  ///
  /// - Parameter disputes: Gets what the list contradicts itself about.
  /// - Returns: Whether there is one.
  mutating func take(
    in rank: Int, disputes: inout [Dispute]
  ) throws(ListError) -> Bool {
    if rank != folder {
      folder = rank
      child = rank + 1
    }
    while hasMore, cursor.rank == rank {
      cursor.copyName(to: &name)
      facts = cursor.facts
      isDisputed = false
      let first = cursor.position
      let isFolder = isFolderName()
      if isFolder, !facts.flags.contains(.unsure) {
        disputes.append(Dispute(position: first, first: nil))
      }
      hasMore = try cursor.advance()
      while hasMore, cursor.rank == rank, cursor.isNamed(name) {
        if isFolder {
          if !cursor.facts.flags.contains(.unsure) {
            disputes.append(Dispute(position: cursor.position, first: nil))
          }
        } else if cursor.facts != facts {
          disputes.append(Dispute(position: cursor.position, first: first))
          isDisputed = true
          if cursor.facts.kind != facts.kind { facts.kind = .unknown }
        }
        hasMore = try cursor.advance()
      }
      if !isFolder { return true }
    }
    return false
  }

  /// Whether the folder at hand has a folder of the entry's name.
  private mutating func isFolderName() -> Bool {
    let end = Int(order.ends[folder])
    while child < end {
      let range = table.name(of: Int(order.folders[child]))
      switch compare(table.arena.span.extracting(range), name.span) {
      case ..<0: child = Int(order.ends[child])
      case 0: return true
      default: return false
      }
    }
    return false
  }

  private func compare(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index] ? -1 : 1
    }
    return a.count - b.count
  }
}
