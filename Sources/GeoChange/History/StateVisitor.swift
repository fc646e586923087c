import GeoCore
import GeoFormats
import GeoTree

/// What a history of several states knows about a folder before it reads the sub-folders.
final class StatePlan: Sendable {
  let depth: Int32
  let views: [SideView]

  init(depth: Int32, views: [SideView]) {
    self.depth = depth
    self.views = views
  }
}

struct StatePart: Sendable {
  /// Without parents.
  var nodes: [History.Node] = []
  var names: [UInt8] = []
  /// Lives, with nodes numbered within the part.
  var lives: [History.Life] = []
  var events: [History.Event] = []
  var contents: [ContentFingerprint] = []

  var weight: Int {
    nodes.count * MemoryLayout<History.Node>.stride + names.count
      + lives.count * MemoryLayout<History.Life>.stride
      + events.count * MemoryLayout<History.Event>.stride
      + contents.count * MemoryLayout<ContentFingerprint>.stride
  }
}

/// Finds the lives of nodes while the union of several states is scanned; states are in the order
/// of their times.
final class StateVisitor: ScanVisitor {
  private let keepsEvents: Bool
  private var part = StatePart()
  private var versions: FileVersions?

  init(keepsEvents: Bool) { self.keepsEvents = keepsEvents }

  func enter(
    _ visit: FolderVisit<StatePlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<StatePlan>? {
    let views = addFolder(visit)
    for entry in visit.leftOut {
      // The folder gets land, but no life.
      append(
        folders.bytes[folders.records[entry.index].range], depth: visit.parentPlan.depth + 1,
        isFolder: true)
    }
    return FolderDecision(
      plan: StatePlan(depth: visit.parentPlan.depth + 1, views: views),
      decisions: visit.decisions(ofAll: folders.count),
      wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<StatePlan>) { _ = addFolder(visit) }

  private func append(_ name: ArraySlice<UInt8>, depth: Int32, isFolder: Bool) {
    part.nodes.append(
      History.Node(
        parent: -1, nameStart: part.names.count, nameLength: Int32(name.count), isFolder: isFolder,
        depth: depth))
    part.names += name
  }

  private func addFolder(_ visit: FolderVisit<StatePlan>) -> [SideView] {
    let parent = visit.parentPlan
    append(visit.path.lastComponent, depth: parent.depth, isFolder: true)
    return visit.states.enumerated().map { (state, known) in
      if known.isThere {
        _ = live(in: state, EntryFacts(size: Int64(known.entries ?? -1), kind: .directory))
        return known.isWhole ? .whole : .unknown
      }
      if !parent.views[state].isAuthoritative { return .unknown }
      _ = live(in: state, nil)
      return .absent
    }
  }

  func receive(_ versions: FileVersions) { self.versions = versions }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: StatePlan,
    facts: [EntryFacts]
  ) {
    guard let versions, versions.count == range.count else { return }
    self.versions = nil
    for (position, index) in range.enumerated() {
      append(names.bytes[names.records[index].range], depth: plan.depth, isFolder: false)
      if facts[position].status == .hidden { continue }
      var last: FileVersion?
      for state in 0..<versions.states {
        let version = versions[position, state]
        if version.isThere {
          // A version that could not be read changes nothing.
          if !version.facts.status.isCompared { continue }
          let isChanged = last.map { $0.isSame(as: version) == false } ?? false
          record(live(in: state, version.facts, isChanged: isChanged), state, version)
          last = version
        } else if plan.views[state].isAuthoritative {
          record(live(in: state, nil), state)
          last = nil
        }
      }
    }
  }

  private func record(_ change: NodeChange?, _ state: Int, _ version: FileVersion? = nil) {
    guard keepsEvents, let change else { return }
    part.contents.append(version.map { ContentFingerprint($0) } ?? .unknown)
    part.events.append(
      History.Event(
        state: Int32(state), node: Int32(part.nodes.count - 1), size: version?.size ?? -1,
        change: change))
  }

  /// Records the last node as a state has it, with nil if the state lacks it; returns nil if nothing
  /// changed.
  private func live(
    in state: Int, _ facts: EntryFacts?, isChanged: Bool = false
  ) -> NodeChange? {
    let (node, last) = (Int32(part.nodes.count - 1), part.lives.count - 1)
    let isAlive = last >= 0 && part.lives[last].node == node && part.lives[last].end < 0
    guard let facts else {
      if isAlive { part.lives[last].end = Int32(state) }
      return isAlive ? .removed : nil
    }
    if !isAlive {
      part.lives.append(
        History.Life(node: node, start: Int32(state), end: -1, changes: 1, facts: facts))
      return .added
    }
    part.lives[last].facts = facts
    if isChanged { part.lives[last].changes += 1 }
    return isChanged ? .changed : nil
  }

  var weight: Int { part.weight }

  func takeContent() -> StatePart {
    defer { part = StatePart() }
    return part
  }
}
