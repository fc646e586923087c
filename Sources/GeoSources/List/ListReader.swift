import GeoCore
import GeoSystem
import GeoTree

/// Reads the folders of a list in map order.
///
/// The first reading finds the folders; see ``FolderTable``. If the files are in map order, the
/// second reading supplies each folder's files when the folder is listed; otherwise it sorts them
/// first.
final class ListReader<Parser: ListParser>: FolderReader {
  private let list: ListSource
  private let input: ListInput?
  private let options: FileSystemScanner.Options
  private var listener: (any ReaderListener)?
  private var root: ScanRoot?
  private var table = FolderTable()
  private var order = FolderOrder()
  private var supply: (any EntrySupply)?
  private var rank = 0
  private var facts: [ListedFacts] = []
  private(set) var failure: (any Error)?

  /// The input is nil if the list was already read.
  init(_ list: ListSource, _ input: ListInput?, _ options: FileSystemScanner.Options) {
    (self.list, self.input, self.options) = (list, input, options)
    input?.listener = options.preparationListener
  }

  // MARK: Before the first folder

  func begin(_ root: ScanRoot, reportingTo listener: any ReaderListener) {
    self.listener = listener
    self.root = root
    guard let input else {
      failure = ListError.unreadable(list: TerminalText.escaped(list.file ?? []), .stale)
      return
    }
    do {
      let prefix = ListPrefix(root.directory)
      let isOrdered = try readFolders(input, prefix)
      order = FolderOrder(table)
      if isOrdered {
        let cursor = ListCursor(
          Parser(input, list), prefix: prefix, table: table, ranks: order.ranks, list: input.name)
        order.forgetRanks()
        supply = try FolderEntries(cursor, table, order)
      } else {
        let cursor = MergeCursor(try sortEntries(input, prefix))
        table.forgetSlots()
        order.forgetRanks()
        supply = try FolderEntries(cursor, table, order)
      }
    } catch {
      failure = error
    }
  }

  /// Reads the list for the first time, and reports its faults. Returns whether the files are in
  /// map order without duplicates.
  private func readFolders(_ input: ListInput, _ prefix: ListPrefix) throws -> Bool {
    var resolver = PathResolver(prefix)
    var check = OrderCheck()
    try readEntries(input, reportsFaults: true) { entry in
      switch resolver.resolve(&entry, in: &table, makes: true) {
      case .nowhere(let fault):
        // Listings may have the folders above the root.
        if list.format.isListing, fault == .outside, entry.facts.kind == .directory,
          prefix.isBelow(entry.path)
        {
          return
        }
        try report(entry.position, text(of: fault, in: entry.path))
      case .lost: throw ListError.tooLarge(list: input.name)
      case .folder(let folder):
        if entry.facts.kind == .directory || entry.facts.flags.contains(.unsure) {
          try record(folder, entry)
        } else {
          let reason = folder == 0 ? "it is what is mapped" : "a slash ends its path"
          try report(
            entry.position, "\(shown(entry.path)) is not a folder by its type, but \(reason)")
        }
      case .entry(let parent, let name):
        if entry.facts.kind == .directory {
          let bytes = entry.path.span.extracting(name)
          guard let folder = table.make(bytes, in: parent) else {
            throw ListError.tooLarge(list: input.name)
          }
          try record(folder, entry)
        } else {
          check.add(entry.path.span.extracting(name), in: parent, table)
        }
      }
    }
    return check.isOrdered
  }

  private func sortEntries(
    _ input: ListInput, _ prefix: ListPrefix
  ) throws -> SortedRuns<EntryRecord> {
    var resolver = PathResolver(prefix)
    var sorter = RunSorter<EntryRecord>(memory: list.memory)
    try readEntries(input, reportsFaults: false) { entry in
      if entry.facts.kind == .directory { return }
      switch resolver.resolve(&entry, in: &table, makes: false) {
      case .folder, .nowhere: return
      case .lost: throw ListError.changed(list: input.name)
      case .entry(let folder, let range):
        let (name, facts) = (entry.path.span.extracting(range), entry.facts)
        do throws(Errno) {
          try sorter.add(bytes: EntryRecord.start(facts.flags) + name.count) { bytes in
            EntryRecord.append(
              rank: order.ranks[folder], name: name, facts, position: entry.position, to: &bytes)
          }
        } catch {
          throw ListError.noScratch(error)
        }
      }
    }
    return try rethrowing(sorter.finish(), as: ListError.noScratch)
  }

  @inline(__always)
  private func readEntries(
    _ input: ListInput, reportsFaults: Bool, _ body: (inout ListedEntry) throws -> Void
  ) throws {
    var parser = Parser(input, list)
    var entry = ListedEntry()
    var faults: [ListFault] = []
    var number = 0
    while true {
      let step = try parser.next(into: &entry, faults: &faults)
      if reportsFaults { for fault in faults { try report(fault.position, fault.reason) } }
      faults.removeAll()
      if step == .end { break }
      if step == .fault { continue }
      number += 1
      if number & 0xFFF == 0, listener?.isCancelled ?? true { throw CancellationError() }
      if number & 0xF_FFFF == 0 { listener?.reach(place(entry.position)) }
      try body(&entry)
    }
  }

  private func record(_ folder: Int, _ entry: ListedEntry) throws {
    if entry.facts.flags.contains(.unsure) { return }
    let flags = entry.facts.flags.intersection([.dated, .unreadable, .unlisted]).union(.listed)
    let known = table.flags[folder]
    if !known.contains(.listed) {
      table.flags[folder] = flags
      table.modified[folder] = entry.facts.modified
    } else if known.subtracting(.disputed) != flags
      || table.modified[folder] != entry.facts.modified
    {
      table.flags[folder].insert(.disputed)
      try report(
        entry.position, "\(shown(entry.path)) was listed before, with another time of change")
    }
  }

  // MARK: Reports

  private func report(_ position: UInt64, _ reason: String) throws {
    listener?.report(ScanFault(rawPath: place(position), reason: .listed(reason)))
    if listener?.isCancelled ?? true { throw CancellationError() }
  }

  private func report(_ dispute: EntryDispute, of name: [UInt8]) throws {
    let reason =
      dispute.first.map { "is listed again, otherwise than at \(unit) \($0)" }
      ?? "is not a folder by its type, but elsewhere the list has it as one"
    try report(dispute.position, "\(shown(name)) \(reason)")
  }

  private func text(of fault: PathFault, in path: [UInt8]) -> String {
    switch fault {
    case .empty: "it is empty"
    case .outside: "\(shown(path)) is not below \(shown(root?.directory ?? []))"
    case .parent: "\(shown(path)) leads upwards by '..'"
    case .longName: "a name in it is longer than \(NameRecord.longestName) bytes"
    case .zero: "\(shown(path)) holds a zero byte"
    }
  }

  private func place(_ position: UInt64) -> [UInt8] {
    (input?.path ?? []) + Array(", \(unit) \(position)".utf8)
  }

  private var unit: String {
    if list.isOneValue { return "byte" }
    return list.format.separator(zero: list.isZeroSeparated) == 0 ? "entry" : "line"
  }

  private func shown(_ path: [UInt8]) -> String { TerminalText.quoted(path: path[...]) }

  private static var unreadable: String { "could not be read when the list was made" }

  // MARK: Reading folders

  private func go(to folder: FolderReference) -> Bool {
    switch folder {
    case .path(_, _, let handle): rank = Int(handle ?? 0)
    case .child(_, _, _, _, let handle?): rank = Int(handle)
    case .child: return false
    case .kept(let kept): rank = unsafe unsafeDowncast(kept, to: ListFolder.self).rank
    }
    return rank < order.count
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    guard go(to: folder) else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    let folder = Int(order.folders[rank])
    let flags = table.flags[folder]
    listing.isDisputed = flags.contains(.disputed)
    if flags.contains(.unreadable) { listing.failure = .listed(Self.unreadable) }
    if options.readsMetadata, flags.contains(.dated), !listing.isDisputed {
      listing.facts = FolderFacts(modified: table.modified[folder])
    }
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    inspect(folder, into: &listing)
    guard rank < order.count, failure == nil else { return }
    facts.removeAll(keepingCapacity: true)
    do {
      try supply?.takeEntries(of: rank, into: &listing.files, &facts) { try report($0, of: $1) }
    } catch {
      failure = error
      return
    }
    let end = Int(order.ends[rank])
    let flags = table.flags[Int(order.folders[rank])]
    let isEmpty = facts.isEmpty && end == rank + 1
    if isEmpty, !flags.isDisjoint(with: [.unlisted, .unreadable]) { return }
    listing.outcome = .listed
    var child = rank + 1
    while child < end {
      let name = table.name(of: Int(order.folders[child]))
      listing.folders.append(table.arena.span.extracting(name), kind: .directory)
      listing.handles.append(UInt64(child))
      child = Int(order.ends[child])
    }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    let current = rank
    if !go(to: folder) || rank != current { throw .noEntry }
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    storage.removeAll(keepingCapacity: true)
    let needsLinks = options.countsLinks || options.asksForStorage
    for (position, index) in range.enumerated() {
      let listed = self.facts[index]
      if options.asksForStorage { storage.append(listed.fileStorage) }
      if facts[position].status == .hidden { continue }
      facts[position] = listed.entryFacts(withMetadata: options.readsMetadata)
      if !needsLinks { facts[position].links = 0 }
      // Contradictions were already reported.
      if facts[position].status == .unreadable, !listed.flags.contains(.disputed) {
        failures.append(
          FileSystem.Failure(index: index, reason: .inputOutput, words: Self.unreadable))
      }
    }
  }

  func keep() -> any KeptFolder { ListFolder(rank) }

  func leave() {}

  func readFile(_ path: [UInt8], following: Bool, limit: Int) -> [UInt8]? { nil }

  /// Reports contradictions in folders that were not listed.
  func end() {
    if failure != nil { return }
    var names = NameTable()
    do {
      try supply?.takeEntries(of: order.count, into: &names, &facts) { try report($0, of: $1) }
    } catch {
      failure = error
    }
  }
}

private final class ListFolder: KeptFolder {
  let rank: Int

  init(_ rank: Int) { self.rank = rank }
}
