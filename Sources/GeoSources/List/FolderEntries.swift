import GeoCore
import GeoSystem
import GeoTree

struct EntryDispute {
  let position: UInt64
  /// Where the first entry is; nil if others have the path as a folder.
  let first: UInt64?
}

protocol EntrySupply {
  /// Takes the files of a folder by its rank in map order, and skips those of folders before it;
  /// the number of folders skips all. Reports each contradiction in these folders.
  mutating func takeEntries(
    of rank: Int, into names: inout NameTable, _ facts: inout [ListedFacts],
    report: (EntryDispute, [UInt8]) throws -> Void) throws
}

/// Merges all entries of a list with the same path into one.
///
/// Identical entries count once. If entries contradict each other, the facts in question are left
/// unknown, so the order of the entries doesn't matter.
struct FolderEntries<Cursor: EntryCursor>: EntrySupply {
  private var cursor: Cursor
  private let table: FolderTable
  private let order: FolderOrder
  // The current folder, and its first sub-folder whose name is not before the entry's.
  private var folder = -1
  private var child = 0
  private var hasMore: Bool
  // The last entry taken.
  private var name: [UInt8] = []
  private var facts = ListedFacts()

  init(_ cursor: Cursor, _ table: FolderTable, _ order: FolderOrder) throws(ListError) {
    var cursor = cursor
    hasMore = try cursor.advance()
    (self.cursor, self.table, self.order) = (cursor, table, order)
  }

  mutating func takeEntries(
    of rank: Int, into names: inout NameTable, _ facts: inout [ListedFacts],
    report: (EntryDispute, [UInt8]) throws -> Void
  ) throws {
    while hasMore, cursor.rank < rank { _ = try take(in: Int(cursor.rank), report: report) }
    while try take(in: rank, report: report) {
      names.append(name.span, kind: self.facts.kind)
      facts.append(self.facts)
    }
  }

  /// False after the last one.
  private mutating func take(
    in rank: Int, report: (EntryDispute, [UInt8]) throws -> Void
  ) throws -> Bool {
    if rank != folder {
      folder = rank
      child = rank + 1
    }
    while hasMore, cursor.rank == rank {
      name.removeAll(keepingCapacity: true)
      name.append(contentsOf: cursor.name)
      facts = cursor.facts
      let first = cursor.position
      let isFolder = isFolderName()
      if isFolder, !facts.flags.contains(.unsure) {
        try report(EntryDispute(position: first, first: nil), name)
      }
      hasMore = try cursor.advance()
      while hasMore, cursor.rank == rank, cursor.name.elementsEqual(name) {
        if isFolder {
          if !cursor.facts.flags.contains(.unsure) {
            try report(EntryDispute(position: cursor.position, first: nil), name)
          }
        } else if cursor.facts != facts.undisputed {
          try report(EntryDispute(position: cursor.position, first: first), name)
          facts.flags.insert(.disputed)
          if cursor.facts.kind != facts.kind { facts.kind = .unknown }
        }
        hasMore = try cursor.advance()
      }
      if !isFolder { return true }
    }
    return false
  }

  private mutating func isFolderName() -> Bool {
    let end = Int(order.ends[folder])
    while child < end {
      let range = table.name(of: Int(order.folders[child]))
      let isBefore = table.arena.span.extracting(range).orders(before: name.span)
      if !isBefore { return table.arena.span.extracting(range).equals(name.span) }
      child = Int(order.ends[child])
    }
    return false
  }
}

/// Reads the files of a list that is already in map order.
struct ListCursor<Parser: ListParser>: EntryCursor {
  private var parser: Parser
  private var resolver: PathResolver
  private var table: FolderTable
  private let ranks: [UInt32]
  private let list: String
  private var entry = ListedEntry()
  private var range = 0..<0
  private var faults: [ListFault] = []
  private(set) var rank: UInt32 = 0

  init(
    _ parser: Parser, prefix: ListPrefix, table: FolderTable, ranks: [UInt32], list: String
  ) {
    self.parser = parser
    resolver = PathResolver(prefix)
    self.table = table
    self.ranks = ranks
    self.list = list
  }

  mutating func advance() throws(ListError) -> Bool {
    while true {
      let step = try parser.next(into: &entry, faults: &faults)
      // Already reported in the first reading.
      faults.removeAll()
      if step == .end { return false }
      if step == .fault { continue }
      if entry.facts.kind == .directory { continue }
      switch resolver.resolve(&entry, in: &table, makes: false) {
      case .folder, .nowhere: continue
      case .lost: throw .changed(list: list)
      case .entry(let folder, let name):
        (rank, range) = (ranks[folder], name)
        return true
      }
    }
  }

  var facts: ListedFacts { entry.facts }

  var position: UInt64 { entry.position }

  var name: ArraySlice<UInt8> { entry.path[range] }
}

/// Reads the files of a list in map order: by the rank of their folder, then by name, then by
/// position in the list.
protocol EntryCursor {
  /// At first to the first; false after the last.
  mutating func advance() throws(ListError) -> Bool

  var rank: UInt32 { get }
  var facts: ListedFacts { get }
  var position: UInt64 { get }
  var name: ArraySlice<UInt8> { get }
}

struct MergeCursor: EntryCursor {
  private var merge: RunMerge<StoredRun<EntryRecord>>

  init(_ entries: SortedRuns<EntryRecord>) { merge = entries.cursor() }

  mutating func advance() throws(ListError) -> Bool {
    try rethrowing(merge.advance(), as: ListError.noScratch)
  }

  private var place: Int { merge.first.range.lowerBound }

  var rank: UInt32 { UInt32(truncatingIfNeeded: merge.first.key >> 32) }
  var facts: ListedFacts { EntryRecord.facts(merge.first.bytes.span, at: place) }
  var position: UInt64 { EntryRecord.position(merge.first.bytes.span, at: place) }
  var name: ArraySlice<UInt8> {
    merge.first.bytes[EntryRecord.name(merge.first.bytes.span, at: place)]
  }
}
