import GeoCore
import GeoTree

/// Something that a list contradicts itself about.
struct EntryDispute {
  /// Where in the list the entry is that says otherwise than others before it.
  let position: UInt64
  /// Where the first is; nil if the others say that the entry is a folder.
  let first: UInt64?
}

/// Gives the entries of a list that are no folders, folder by folder in the order of the map.
protocol EntrySupply: AnyObject {
  /// Takes the entries of a folder; those of folders before it are passed over.
  ///
  /// - Parameters:
  ///   - rank: The folder's place in the order; the number of folders to pass over all that are left.
  ///   - names: Gets the names, in their order.
  ///   - facts: Gets what the list says of each.
  ///   - report: Told what the list contradicts itself about, in these folders, with the entry's name.
  func takeEntries(
    of rank: Int, into names: inout NameTable, _ facts: inout [ListedFacts],
    report: (EntryDispute, [UInt8]) throws -> Void) throws
}

/// Makes one entry of all that a list says of one path.
///
/// What is said twice counts once. Where the list contradicts itself, what can't be decided is left
/// open, whatever the order in which it was said.
final class FolderEntries<Cursor: EntryCursor>: EntrySupply {
  private var groups: EntryGroups<Cursor>

  /// - Parameter cursor: Reads the entries from the first one on.
  init(_ cursor: Cursor, _ table: FolderTable, _ order: FolderOrder) throws(ListError) {
    groups = try EntryGroups(cursor, table, order)
  }

  func takeEntries(
    of rank: Int, into names: inout NameTable, _ facts: inout [ListedFacts],
    report: (EntryDispute, [UInt8]) throws -> Void
  ) throws {
    while try groups.take(before: rank, report: report) {}
    while try groups.take(in: rank, report: report) {
      names.append(groups.name.span, kind: groups.facts.kind)
      facts.append(groups.facts)
    }
  }
}

/// The entries of a list that are no folders, each path once.
private struct EntryGroups<Cursor: EntryCursor> {
  private var cursor: Cursor
  private let table: FolderTable
  private let order: FolderOrder
  /// The folder at hand, and the first of those in it whose name is not before the entry's.
  private var folder = -1
  private var child = 0
  /// Whether there is an entry that was not taken yet.
  private var hasMore: Bool

  /// The name of the entry that was taken last.
  private(set) var name: [UInt8] = []
  /// What is known of it.
  private(set) var facts = ListedFacts()

  init(_ cursor: Cursor, _ table: FolderTable, _ order: FolderOrder) throws(ListError) {
    var cursor = cursor
    hasMore = try cursor.advance()
    self.cursor = cursor
    self.table = table
    self.order = order
  }

  /// Takes the next entry of the folders that stand before one; false if there is none.
  mutating func take(
    before rank: Int, report: (EntryDispute, [UInt8]) throws -> Void
  ) throws -> Bool {
    if !hasMore || cursor.rank >= rank { return false }
    _ = try take(in: Int(cursor.rank), report: report)
    return true
  }

  /// Takes the next entry of a folder.
  ///
  /// - Returns: Whether there is one.
  mutating func take(
    in rank: Int, report: (EntryDispute, [UInt8]) throws -> Void
  ) throws -> Bool {
    if rank != folder {
      folder = rank
      child = rank + 1
    }
    while hasMore, cursor.rank == rank {
      cursor.copyName(to: &name)
      facts = cursor.facts
      let first = cursor.position
      let isFolder = isFolderName()
      if isFolder, !facts.flags.contains(.unsure) {
        try report(EntryDispute(position: first, first: nil), name)
      }
      hasMore = try cursor.advance()
      while hasMore, cursor.rank == rank, cursor.isNamed(name) {
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
