import GeoCore
import GeoSystem

/// Reads the files of a list that is already in map order.
struct ListCursor<Parser: ListParser>: EntryCursor {
  private var parser: Parser
  private var resolver: PathResolver
  private var table: FolderTable
  private let ranks: [UInt32]
  private let list: String
  private var entry = ListedEntry()
  private var name = 0..<0
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
        rank = ranks[folder]
        self.name = name
        return true
      }
    }
  }

  var facts: ListedFacts { entry.facts }

  var position: UInt64 { entry.position }

  func isNamed(_ name: [UInt8]) -> Bool { entry.path[self.name].elementsEqual(name) }

  func copyName(to name: inout [UInt8]) {
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: entry.path[self.name])
  }
}

/// Reads the files of a list in map order: by the rank of their folder, then by name, then by
/// position in the list.
protocol EntryCursor {
  /// Goes to the next entry, at first to the first.
  ///
  /// - Returns: Whether there is one.
  mutating func advance() throws(ListError) -> Bool

  /// The rank of its folder.
  var rank: UInt32 { get }
  var facts: ListedFacts { get }
  /// The position in the list.
  var position: UInt64 { get }

  /// Whether its name equals `name`.
  func isNamed(_ name: [UInt8]) -> Bool
  /// Replaces `name` by its name.
  func copyName(to name: inout [UInt8])
}

/// Merges all sorted runs of entries.
struct MergeCursor: EntryCursor {
  private var merge: RunMerge<StoredRun<EntryRecord>>

  init(_ entries: SortedRuns<EntryRecord>) { merge = entries.cursor() }

  mutating func advance() throws(ListError) -> Bool {
    do throws(Errno) {
      return try merge.advance()
    } catch {
      throw .noScratch(error)
    }
  }

  var rank: UInt32 { UInt32(truncatingIfNeeded: merge.first.key >> 32) }

  var facts: ListedFacts {
    EntryRecord.facts(merge.first.bytes.span, at: merge.first.range.lowerBound)
  }

  var position: UInt64 {
    EntryRecord.position(merge.first.bytes.span, at: merge.first.range.lowerBound)
  }

  func isNamed(_ name: [UInt8]) -> Bool {
    merge.first.bytes[nameRange].elementsEqual(name)
  }

  func copyName(to name: inout [UInt8]) {
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: merge.first.bytes[nameRange])
  }

  /// The range of the name.
  private var nameRange: Range<Int> {
    let range = merge.first.range
    return (range.lowerBound + EntryRecord.header)..<range.upperBound
  }
}
