import GeoFormats
import GeoCore
import GeoTree

struct CompareOptions: Sendable {
  let knowledge: ContentKnowledge
  let keepsAll, keepsSums: Bool
  /// Whether folders with the same object ID in both states are skipped.
  let skipsEqual: Bool
  let ignoresTimes: Bool
  let countsOnce: Bool
  /// Whether any file may be reached several times.
  let followsLinks: Bool
}

/// Compares the entries of a union of two states while it is scanned.
final class CompareVisitor: ScanVisitor {
  private let options: CompareOptions
  private var part = ComparePart()
  private var versions: FileVersions?

  init(_ options: CompareOptions) { self.options = options }

  // MARK: Folders

  func enter(
    _ visit: FolderVisit<ComparePlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<ComparePlan>? {
    var step = step(visit)
    step.folder.isListed = true
    step.folder.fileCount = visit.fileCount
    for index in 0..<folders.count {
      let name = folders.records[index].range
      part.children.append(PagedName(place: part.names.count, length: Int32(name.count)))
      part.names += folders.bytes[name]
    }
    step.childEnd = part.children.count
    part.steps.append(step)

    func view(_ state: Int, _ parent: SideView) -> SideView {
      guard state < visit.states.count else { return .unknown }
      if !visit.states[state].isThere { return parent.isAuthoritative ? .absent : .unknown }
      return visit.states[state].isWhole ? .whole : .unknown
    }
    let (decisions, numbers) = admit(folders, of: visit)
    let parent = visit.parentPlan
    let plan = ComparePlan(
      depth: parent.depth + 1, old: view(0, parent.old), new: view(1, parent.new),
      numbers: numbers)
    return FolderDecision(plan: plan, decisions: decisions, wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<ComparePlan>) { part.steps.append(step(visit)) }

  private func step(_ visit: FolderVisit<ComparePlan>) -> ComparePart.Step {
    let parent = visit.parentPlan
    var step = ComparePart.Step(depth: parent.depth)
    step.number = parent.numbers.isEmpty ? Int32(visit.index) : parent.numbers[visit.index]
    step.fileEnd = part.files.count
    step.linkedEnd = part.linked.count
    step.childEnd = part.children.count
    part.counts.folders += 1
    guard visit.states.count == 2 else { return step }
    let (old, new) = (visit.states[0], visit.states[1])
    if !old.isThere, parent.old.isAuthoritative {
      step.folder.change = .added
    } else if !new.isThere, parent.new.isAuthoritative {
      step.folder.change = .removed
    }
    let shown = new.isThere ? new : old
    step.folder.entries = shown.entries ?? -1
    step.folder.modified = shown.facts?.modified
    step.folder.isUnreadable = shown.failure != nil
    step.folder.isLoop = shown.outcome == .loop
    // The sizes in a folder that only one state could list can't be compared. A folder that both
    // states have, listed by neither and without an error, counts as empty.
    if old.isThere && old.failure != nil || new.isThere && new.failure != nil
      || old.isThere && new.isThere && (old.outcome == .listed) != (new.outcome == .listed)
      || !old.isThere && !parent.old.isAuthoritative || !new.isThere && !parent.new.isAuthoritative
    {
      step.own.bytes = nil
      step.folder.isUncompared = true
    }
    return step
  }

  private func admit(
    _ folders: NameTable, of visit: FolderVisit<ComparePlan>
  ) -> (decisions: [TraversalDecision], numbers: [Int32]) {
    var decisions = visit.decisions(ofAll: folders.count)
    part.excluded.add(visit.leftOut)
    if options.skipsEqual {
      for (index, content) in visit.contents.enumerated() where decisions[index] != .hidden {
        guard let content else { continue }
        decisions[index] = .hidden
        part.skipped.append(content)
      }
    }
    guard decisions.contains(.hidden) else { return (decisions, []) }
    return (decisions, decisions.indices.filter { decisions[$0] != .hidden }.map { Int32($0) })
  }

  // MARK: Files

  func receive(_ versions: FileVersions) { self.versions = versions }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: ComparePlan,
    facts: [EntryFacts]
  ) {
    guard let versions, versions.states == 2, versions.count == range.count else { return }
    self.versions = nil
    // Moved out, so that the loop writes to a local variable.
    var part = ComparePart()
    swap(&part, &self.part)
    defer { swap(&part, &self.part) }
    if part.steps.isEmpty { part.steps.append(ComparePart.Step(depth: -1)) }
    let last = part.steps.count - 1
    var own = part.steps[last].own
    var sums = part.steps[last].sums
    var growth = part.steps[last].growth
    part.excluded.add(facts)
    let (knowledge, keepsSums) = (options.knowledge, options.keepsSums)
    let isPassing = !options.keepsAll && !keepsSums
    for (position, index) in range.enumerated() {
      if facts[position].status == .hidden { continue }
      let (old, new) = (versions[position, 0], versions[position, 1])
      part.counts.files += 1
      part.rooms.old.see(old)
      part.rooms.new.see(new)
      let isLinked = (isLinked(old), isLinked(new))
      let mayRepeat = isLinked.0 || isLinked.1
      if isPassing, !mayRepeat, old.allocated == new.allocated, old.isClearlySame(as: new) {
        // The fast path of nearly all files: they change neither counts nor bytes.
        if let key = FileKey(new, knowledge) { part.unmoved.append(key.digest) }
        continue
      }
      let change = compare(old, new, plan)
      let isCompared = Self.addBytes(old, new, plan, to: &own, &growth)
      own.counts.add(change)
      if keepsSums, old.isThere { sums.old.add(old) }
      if keepsSums, new.isThere { sums.new.add(new) }
      if mayRepeat {
        part.linked.append(
          LinkedName(
            old: isLinked.0 ? LinkedName.Version(old) : nil,
            new: isLinked.1 ? LinkedName.Version(new) : nil, file: -1,
            stays: old.isThere && new.isThere, isCompared: isCompared))
      }
      let shown = new.isThere && (new.facts.status != .vanished || !old.isThere) ? new : old
      if change == .none {
        if isSame(old, new) == true {
          if let key = FileKey(old, knowledge) { part.unmoved.append(key.digest) }
          if options.ignoresTimes, let key = FileKey(new, knowledge) {
            part.unmoved.append(key.digest)
          }
        }
        if !options.keepsAll || shown.facts.status == .vanished { continue }
      }
      let name = names.records[index].range
      let nameStart = part.names.count
      part.names += names.bytes[name]
      if change == .added || change == .removed, let key = FileKey(shown, knowledge) {
        part.candidates.append(
          MoveCandidate(
            side: change == .added ? .new : .old, number: Int32(part.files.count), key: key))
      }
      if mayRepeat, change != .none {
        part.linked[part.linked.count - 1].file = Int32(part.files.count)
      }
      let before = old.isThere ? old : shown
      part.files.append(
        ComparedFile(
          name: PagedName(place: nameStart, length: Int32(name.count)), change: change,
          facts: shown.facts, was: before.facts, room: shown.allocated,
          roomBefore: before.allocated))
    }
    part.steps[last].own = own
    part.steps[last].sums = sums
    part.steps[last].growth = growth
    part.steps[last].fileEnd = part.files.count
    part.steps[last].linkedEnd = part.linked.count
  }

  /// Whether a file of a state may be visited again.
  @inline(__always)
  private func isLinked(_ version: FileVersion) -> Bool {
    options.countsOnce && version.isThere && version.allocated >= 0
      && version.facts.status.hasSize && (options.followsLinks || version.facts.links > 1)
  }

  private func isSame(_ old: FileVersion, _ new: FileVersion) -> Bool? {
    old.isSame(as: new, ignoringTimes: options.ignoresTimes)
  }

  private func compare(
    _ old: FileVersion, _ new: FileVersion, _ plan: ComparePlan
  ) -> NodeChange {
    switch (old.isThere, new.isThere) {
    case (true, true): isSame(old, new) == false ? .changed : .none
    case (false, true):
      plan.old.isAuthoritative && new.facts.status.isCompared ? .added : .none
    case (true, false):
      plan.new.isAuthoritative && old.facts.status.isCompared ? .removed : .none
    case (false, false): .none
    }
  }

  /// Returns whether the difference of the sizes is known.
  private static func addBytes(
    _ old: FileVersion, _ new: FileVersion, _ plan: ComparePlan, to own: inout ChangesBelow,
    _ growth: inout (apparent: Growth, allocated: Growth)
  ) -> Bool {
    guard old.isThere || plan.old.isAuthoritative, new.isThere || plan.new.isAuthoritative,
      let before = old.isThere ? old.size : 0, let after = new.isThere ? new.size : 0
    else {
      // Files with the same object have the same size, even if it is unknown.
      if old.object == nil || old.object != new.object { own.bytes = nil }
      return false
    }
    let change = Int128(after) - Int128(before)
    own.bytes = own.bytes?.adding(saturating: Int64(clamping: change))
    growth.apparent.add(change)
    func room(_ version: FileVersion) -> Int128 {
      version.isThere ? Int128(max(0, version.allocated)) : 0
    }
    growth.allocated.add(room(new) - room(old))
    return true
  }

  var weight: Int { part.weight }

  func takeContent() -> ComparePart {
    defer { part = ComparePart() }
    return part
  }
}

extension LinkedName.Version {
  init(_ version: FileVersion) {
    self.init(
      identity: version.identity, size: version.facts.size, allocated: version.allocated)
  }
}
