import GeoCore
import GeoTree

extension ListWorker {
  /// A folder whose sub-folders are being shown.
  private struct Frame {
    let plan: Visitor.Plan
    let admissions: [Admission]
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
      let admission = frame.admissions[frame.index]
      frame.child = Int(order.ends[rank])
      frame.index += 1
      let index = frame.shown
      if admission != .hidden { frame.shown += 1 }
      let plan = frame.plan
      stack.append(frame)
      if admission == .hidden { continue }

      path.append(component: table.arena[table.name(of: Int(order.folders[rank]))])
      if let frame = try visit(
        rank, order, &groups, plan, index: index, isEntered: admission == .entered)
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
    if !decision.admissions.contains(where: { $0 != .hidden }) { return nil }
    return Frame(
      plan: decision.plan, admissions: decision.admissions, pathCount: path.count,
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
