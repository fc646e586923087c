import GeoCore

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
