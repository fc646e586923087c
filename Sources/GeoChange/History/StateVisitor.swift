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

/// Part of a history: nodes in the order of the map, with their lives.
struct StatePart: Sendable {
  struct Node: Sendable {
    var depth: Int32
    var isFolder: Bool
    var nameStart: Int
    var nameLength: Int32
  }

  var nodes: [Node] = []
  var names: [UInt8] = []
  /// Lives, with nodes numbered within the part.
  var lives: [History.Life] = []
  var events: [History.Event] = []
  var contents: [ContentFingerprint] = []

  var weight: Int {
    nodes.count * MemoryLayout<Node>.stride + names.count
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
      StatePart.Node(
        depth: depth, isFolder: isFolder, nameStart: part.names.count,
        nameLength: Int32(name.count)))
    part.names += name
  }

  private func addFolder(_ visit: FolderVisit<StatePlan>) -> [SideView] {
    let parent = visit.parentPlan
    append(visit.path.lastComponent, depth: parent.depth, isFolder: true)
    var course = LifeCourse(node: Int32(part.nodes.count - 1))
    var views: [SideView] = []
    for (state, known) in visit.states.enumerated() {
      if known.isThere {
        let facts = EntryFacts(size: Int64(known.entries ?? -1), kind: .directory)
        _ = course.live(in: Int32(state), facts, isChanged: false)
        views.append(known.isWhole ? .whole : .unknown)
      } else if parent.views[state].isAuthoritative {
        _ = course.die(in: Int32(state))
        views.append(.absent)
      } else {
        views.append(.unknown)
      }
    }
    part.lives += course.finish()
    return views
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
      var course = LifeCourse(node: Int32(part.nodes.count - 1))
      var last: FileVersion?
      for state in 0..<versions.states {
        let version = versions[position, state]
        if version.isThere {
          // A version that could not be read changes nothing.
          let isRead = version.facts.status.isCompared
          let isChanged = last.map { $0.isSame(as: version) == false } ?? false
          if isRead {
            record(
              course.live(in: Int32(state), version.facts, isChanged: isChanged), state,
              version)
            last = version
          }
        } else if plan.views[state].isAuthoritative {
          record(course.die(in: Int32(state)), state)
          last = nil
        }
      }
      part.lives += course.finish()
    }
  }

  private func record(_ change: NodeChange?, _ state: Int, _ version: FileVersion? = nil) {
    guard keepsEvents, let change else { return }
    let size = version.flatMap { $0.size }
    part.contents.append(version.map { ContentFingerprint($0) } ?? .unknown)
    part.events.append(
      History.Event(
        state: Int32(state), node: Int32(part.nodes.count - 1), size: size ?? -1, change: change))
  }

  var weight: Int { part.weight }

  func takeContent() -> StatePart {
    defer { part = StatePart() }
    return part
  }
}

private struct LifeCourse {
  private let node: Int32
  private var lives: [History.Life] = []
  private var isAlive = false

  init(node: Int32) { self.node = node }

  /// Returns nil if nothing changed.
  mutating func live(in state: Int32, _ facts: EntryFacts, isChanged: Bool) -> NodeChange? {
    if !isAlive {
      isAlive = true
      lives.append(
        History.Life(node: node, start: state, end: -1, changes: 1, facts: facts))
      return .added
    }
    lives[lives.count - 1].facts = facts
    if !isChanged { return nil }
    lives[lives.count - 1].changes += 1
    return .changed
  }

  mutating func die(in state: Int32) -> NodeChange? {
    if !isAlive { return nil }
    isAlive = false
    lives[lives.count - 1].end = state
    return .removed
  }

  consuming func finish() -> [History.Life] { lives }
}
