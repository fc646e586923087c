import GeoCore
import GeoSystem
import GeoTree

/// Reads a list on a thread of its own, and shows its folders and files to a visitor in the order
/// of the map.
///
/// The first reading finds the folders; see ``FolderTable``. The entries that are no folders are
/// then put in order, counted, and shown. Neither a recursion nor a list of all files is needed.
final class ListWorker<Parser: ListParser, Visitor: ScanVisitor> {
  /// How much is made before it is delivered, in bytes.
  static var batchWeight: Int { 96 * 1024 }
  /// How many files are visited at once.
  static var segment: Int { 1024 }

  let input: ListInput
  let source: ListSource
  let root: ListRoot
  let prefix: ListPrefix
  let visitor: Visitor
  let feed: BatchFeed<Visitor.Content>
  var table = FolderTable()
  /// What is wrong with the list and was not delivered yet.
  var faults: [ScanFault] = []
  /// The folder that is being shown.
  var path: [UInt8] = []

  // Memory that is used again and again.
  var listFaults: [ListFault] = []
  var names = NameTable()
  var facts: [EntryFacts] = []

  init(
    _ input: ListInput, _ source: ListSource, root: ListRoot, visitor: Visitor,
    feed: BatchFeed<Visitor.Content>
  ) {
    self.input = input
    self.source = source
    self.root = root
    prefix = ListPrefix(root.prefix)
    self.visitor = visitor
    self.feed = feed
  }

  /// Does all there is to do.
  func run(plan: Visitor.Plan) throws {
    let isOrdered = try readFolders()
    var order = FolderOrder(table)
    if isOrdered {
      let ranks = order.ranks
      order.forgetRanks()
      try show(order: order, plan: plan) {
        ListCursor(
          Parser(input, source), prefix: prefix, table: table, ranks: ranks, list: input.name)
      }
    } else {
      let entries = try sortEntries(order)
      order.forgetRanks()
      table.forgetSlots()
      try show(order: order, plan: plan) { MergeCursor(entries) }
    }
    if visitor.weight > 0 || !faults.isEmpty { try deliver() }
  }

  /// Hands over what was made and found, if it is enough.
  func deliverIfEnough() throws {
    if visitor.weight + faults.count * 64 >= Self.batchWeight { try deliver() }
  }

  private func deliver() throws {
    let weight = visitor.weight + faults.count * 64
    let batch = ScanBatch(content: visitor.takeContent(), faults: faults, place: path)
    faults = []
    if !feed.deliver(batch, weight: weight) { throw CancellationError() }
  }

  /// Says now and then how far the list was read, and stops if nobody reads any more.
  ///
  /// - Parameters:
  ///   - number: How many entries were read.
  ///   - position: Where in the list that is.
  func pause(after number: Int, at position: UInt64) throws {
    if number & 0xFFF != 0 { return }
    if feed.isCancelled { throw CancellationError() }
    if number & 0xF_FFFF != 0 { return }
    path = place(position)
    try deliver()
  }

  private func place(_ position: UInt64) -> [UInt8] {
    input.path + Array(", \(unit) \(position)".utf8)
  }

  /// Keeps in mind what is wrong with an entry of the list.
  func report(_ position: UInt64, _ reason: String) throws {
    faults.append(
      ScanFault(path: place(position), reason: .listed(reason)))
    try deliverIfEnough()
  }

  /// What positions in the list count.
  var unit: String {
    if source.format.isExport { return "byte" }
    return source.format.separator(zero: source.isZeroSeparated) == 0 ? "entry" : "line"
  }

  /// A path as it is shown in a message.
  func shown(_ path: [UInt8]) -> String {
    let most = 1000
    return "'\(TerminalText.escaped(Array(path.prefix(most))))\(path.count > most ? "..." : "")'"
  }
}

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
