import GeoCore
import GeoTree
import GeoSystem

extension ListWorker {
  /// Reads the list for the second time: sorts what is no folder.
  func sortEntries(_ order: FolderOrder) throws -> SortedRuns<EntryRecord> {
    var parser = Parser(input, source)
    var resolver = PathResolver(prefix)
    var sorter = EntrySorter(memory: source.memory)
    var entry = ListedEntry()
    var number = 0
    while true {
      let step = try parser.next(into: &entry, faults: &listFaults)
      // They were reported when the list was read first.
      listFaults.removeAll()
      if step == .end { break }
      if step == .fault { continue }
      number += 1
      try pause(after: number, at: entry.position)
      if entry.facts.kind == .directory { continue }
      switch resolver.resolve(&entry, in: &table, makes: false) {
      case .folder, .nowhere: continue
      case .lost: throw ListError.changed(list: input.name)
      case .entry(let folder, let name):
        try sorter.add(
          rank: order.ranks[folder], name: entry.path.span.extracting(name), entry.facts,
          position: entry.position)
      }
    }
    return try sorter.finish()
  }

  /// Counts the entries of each folder, and reports what the list contradicts itself about.
  func count<Cursor: EntryCursor>(_ cursor: Cursor, in order: inout FolderOrder) throws {
    var groups = try EntryGroups(cursor, table: table, order: order)
    var disputes: [EntryGroups<Cursor>.Dispute] = []
    while groups.hasMore {
      let rank = groups.rank
      var number: UInt32 = 0
      while try groups.take(in: rank, disputes: &disputes) {
        number += 1
        if number == UInt32.max { throw ListError.tooLarge(list: input.name) }
        if number & 0xFFF == 0, feed.isCancelled { throw CancellationError() }
        if !disputes.isEmpty { try report(&disputes, groups.name) }
      }
      if !disputes.isEmpty { try report(&disputes, groups.name) }
      order.fileCounts[rank] = number
    }
  }

  private func report<Cursor: EntryCursor>(
    _ disputes: inout [EntryGroups<Cursor>.Dispute], _ name: [UInt8]
  ) throws {
    for dispute in disputes {
      let reason =
        dispute.first.map { "is listed again, otherwise than at \(unit) \($0)" }
        ?? "is no folder by its type, but elsewhere the list has it as one"
      try report(dispute.position, "\(shown(name)) \(reason)")
    }
    disputes.removeAll(keepingCapacity: true)
  }
}
