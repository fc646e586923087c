import GeoCore
import GeoTree

extension ListWorker {
  /// Reads the list for the first time: finds all folders and what it says of them, and what is
  /// wrong with it.
  ///
  /// - Returns: Whether all that is no folder stands in the order of the map already, and no path
  ///   twice.
  func readFolders() throws -> Bool {
    var parser = Parser(input, source)
    var resolver = PathResolver(prefix)
    var check = OrderCheck()
    var entry = ListedEntry()
    var number = 0
    while true {
      let step = try parser.next(into: &entry, faults: &listFaults)
      if !listFaults.isEmpty { try reportListFaults() }
      if step == .end { break }
      if step == .fault { continue }
      number += 1
      try pause(after: number, at: entry.position)
      switch resolver.resolve(&entry, in: &table, makes: true) {
      case .nowhere(let fault): try report(entry.position, text(of: fault, in: entry.path))
      case .lost: throw ListError.tooLarge(list: input.name)
      case .folder(let folder):
        if entry.facts.kind == .directory || entry.facts.flags.contains(.unsure) {
          try note(folder, entry)
        } else {
          let reason = folder == 0 ? "it is what is mapped" : "a slash ends its path"
          try report(
            entry.position, "\(shown(entry.path)) is no folder by its type, but \(reason)")
        }
      case .entry(let parent, let name):
        if entry.facts.kind == .directory {
          let bytes = entry.path.span.extracting(name)
          guard let folder = table.make(bytes, in: parent) else {
            throw ListError.tooLarge(list: input.name)
          }
          try note(folder, entry)
        } else {
          check.add(entry.path.span.extracting(name), in: parent, table)
        }
      }
    }
    return check.isOrdered
  }

  private func reportListFaults() throws {
    let found = listFaults
    listFaults.removeAll()
    for fault in found { try report(fault.position, fault.reason) }
  }

  /// Keeps what the list says of a folder.
  private func note(_ folder: Int, _ entry: ListedEntry) throws {
    if entry.facts.flags.contains(.unsure) { return }
    var flags = FolderTable.Flags.listed
    if entry.facts.flags.contains(.dated) { flags.insert(.dated) }
    if entry.facts.flags.contains(.unreadable) { flags.insert(.unreadable) }
    if entry.facts.flags.contains(.unlisted) { flags.insert(.unlisted) }
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

  private func text(of fault: PathFault, in path: [UInt8]) -> String {
    switch fault {
    case .empty: "it is empty"
    case .outside: "\(shown(path)) is not below \(shown(root.prefix))"
    case .parent: "\(shown(path)) leads upwards by '..'"
    case .longName: "a name in it is longer than \(NameRecord.longestName) bytes"
    case .zero: "\(shown(path)) holds a zero byte"
    }
  }
}

/// Looks whether entries come in the order of the map, no two with the same path.
private struct OrderCheck {
  private(set) var isOrdered = true
  private var folder = -1
  private var name: [UInt8] = []
  /// The folders below the root that lead to the entry at hand. Their numbers ascend, as each was
  /// made before those in it.
  private var folders: [Int] = []
  /// Those that lead to the next entry and not to the one at hand, the deepest first.
  private var next: [Int] = []

  mutating func add(_ name: Span<UInt8>, in folder: Int, _ table: FolderTable) {
    if !isOrdered { return }
    if folder == self.folder {
      isOrdered = Self.orders(self.name.span, before: name)
    } else {
      let common = climb(from: folder, table)
      if self.folder >= 0 { isOrdered = nextFollows(common, table) }
      folders.removeSubrange(common...)
      folders.append(contentsOf: next.reversed())
      self.folder = folder
    }
    self.name.removeAll(keepingCapacity: true)
    for index in 0..<name.count { self.name.append(name[index]) }
  }

  /// Goes up from a folder to one that leads to the entry at hand.
  ///
  /// - Returns: How many folders both have in common.
  /// - Complexity: O(d log n) for d folders that are left behind; in a list that is in order each is
  ///   left once.
  private mutating func climb(from folder: Int, _ table: FolderTable) -> Int {
    next.removeAll(keepingCapacity: true)
    var folder = folder
    while folder > 0 {
      var low = 0
      var high = folders.count
      while low < high {
        let middle = (low + high) / 2
        if folders[middle] < folder { low = middle + 1 } else { high = middle }
      }
      if low < folders.count, folders[low] == folder { return low + 1 }
      next.append(folder)
      folder = Int(table.parents[folder])
    }
    return 0
  }

  /// Whether the next folder comes later than the last one, which is another.
  private func nextFollows(_ common: Int, _ table: FolderTable) -> Bool {
    // A folder's files come before the folders in it.
    if common == folders.count { return true }
    guard let other = next.last else { return false }
    let names = table.arena.span
    return names.orders(table.name(of: folders[common]), before: table.name(of: other))
  }

  private static func orders(_ a: Span<UInt8>, before b: Span<UInt8>) -> Bool {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index]
    }
    return a.count < b.count
  }
}

extension ListWorker {
  /// A folder whose sub-folders are being shown.
  private struct Frame {
    let plan: Visitor.Plan
    let decisions: [TraversalDecision]
    /// Bytes of its path.
    let pathCount: Int
    /// The rank of the next of its sub-folders, and where they end.
    var child: Int
    let end: Int
    /// How many of them were passed, and how many of those are not hidden.
    var index = 0
    var shown = 0
  }

  /// Shows all to the visitor.
  ///
  /// - Parameter makeCursor: Reads what is no folder, from the beginning.
  func show<Cursor: EntryCursor>(
    order: FolderOrder, plan: Visitor.Plan, cursor makeCursor: () -> Cursor
  ) throws {
    var order = order
    try count(makeCursor(), in: &order)
    var groups = try EntryGroups(makeCursor(), table: table, order: order)

    path = root.label
    var stack: [Frame] = []
    if let frame = try visit(0, order, &groups, plan, index: 0, isEntered: root.isEntered) {
      stack.append(frame)
    }
    while var frame = stack.popLast() {
      path.removeSubrange(frame.pathCount...)
      if frame.child == frame.end { continue }
      let rank = frame.child
      let decision = frame.decisions[frame.index]
      frame.child = Int(order.ends[rank])
      frame.index += 1
      let index = frame.shown
      if decision != .hidden { frame.shown += 1 }
      let plan = frame.plan
      stack.append(frame)
      if decision == .hidden { continue }

      path.append(component: table.arena[table.name(of: Int(order.folders[rank]))])
      if let frame = try visit(
        rank, order, &groups, plan, index: index, isEntered: decision == .entered)
      {
        stack.append(frame)
      }
      try deliverIfEnough()
    }
  }

  /// Shows a folder and its files.
  ///
  /// - Returns: What is to be shown below it, if anything.
  private func visit<Cursor: EntryCursor>(
    _ rank: Int, _ order: FolderOrder, _ groups: inout EntryGroups<Cursor>,
    _ parentPlan: Visitor.Plan, index: Int, isEntered: Bool
  ) throws -> Frame? {
    if feed.isCancelled { throw CancellationError() }
    let folder = Int(order.folders[rank])
    let flags = table.flags[folder]
    let end = Int(order.ends[rank])
    let fileCount = Int(order.fileCounts[rank])
    let isEmpty = fileCount == 0 && end == rank + 1
    if flags.contains(.unreadable) {
      faults.append(ScanFault(path: path, reason: .listed(Self.unreadable)))
    }
    let known =
      root.readsMetadata && flags.contains(.dated) && !flags.contains(.disputed)
      ? FolderFacts(modified: table.modified[folder]) : nil
    let isUnreadable = flags.contains(.unreadable) || flags.contains(.disputed)
    let isListed = !isEmpty || flags.isDisjoint(with: [.unlisted, .unreadable])
    guard isEntered, isListed else {
      visitor.pass(
        FolderVisit(
          path: path, parentPlan: parentPlan, index: index, facts: known,
          isUnreadable: isUnreadable))
      return nil
    }

    names.removeAll()
    var child = rank + 1
    while child < end {
      let name = table.name(of: Int(order.folders[child]))
      names.append(table.arena.span.extracting(name), kind: .directory)
      child = Int(order.ends[child])
    }
    let visit = FolderVisit(
      path: path, parentPlan: parentPlan, index: index, facts: known,
      isUnreadable: isUnreadable, fileCount: fileCount)
    guard let decision = visitor.enter(visit, files: NameTable(), folders: names) else {
      return nil
    }
    faults += decision.faults
    if decision.wantsFiles, fileCount > 0 {
      try visitFiles(rank, fileCount, &groups, plan: decision.plan)
    }
    if !decision.decisions.contains(where: { $0 != .hidden }) { return nil }
    return Frame(
      plan: decision.plan, decisions: decision.decisions, pathCount: path.count,
      child: rank + 1, end: end)
  }

  private static var unreadable: String { "could not be read when the list was made" }

  /// Shows the files of a folder.
  private func visitFiles<Cursor: EntryCursor>(
    _ rank: Int, _ count: Int, _ groups: inout EntryGroups<Cursor>, plan: Visitor.Plan
  ) throws {
    try groups.skip(to: rank)
    // What they are about was reported when the entries were counted.
    var disputes: [EntryGroups<Cursor>.Dispute] = []
    var listed: [ListedFacts] = []
    var rest = count
    while rest > 0 {
      names.removeAll()
      facts.removeAll(keepingCapacity: true)
      listed.removeAll(keepingCapacity: true)
      while names.count < min(rest, Self.segment) {
        guard try groups.take(in: rank, disputes: &disputes) else {
          throw ListError.changed(list: input.name)
        }
        let kind = groups.facts.kind
        names.append(groups.name.span, kind: kind)
        facts.append(EntryFacts(status: groups.isDisputed ? .unreadable : .unasked, kind: kind))
        listed.append(groups.facts)
      }
      disputes.removeAll(keepingCapacity: true)
      rest -= names.count
      visitor.select(names, 0..<names.count, of: path, plan: plan, facts: &facts)
      for index in facts.indices where facts[index].status == .unasked {
        facts[index] = listed[index].entryFacts(withMetadata: root.readsMetadata)
        if facts[index].status == .unreadable {
          faults.append(
            ScanFault(
              path: path.appending(component: names.name(at: index)),
              reason: .listed(Self.unreadable)))
        }
      }
      visitor.visit(names, 0..<names.count, of: path, plan: plan, facts: facts)
      try deliverIfEnough()
    }
  }
}
