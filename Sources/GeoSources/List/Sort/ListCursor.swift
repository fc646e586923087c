/// Reads the entries of a list that is in the map's order anyway.
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
      // They were reported when the list was read first.
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
