import GeoCore

/// The facts of a node in several states, which most features lack.
package struct FeatureParts: Sendable {
  package var entry: EntryKind
  package var difference: NodeDifference?
  package var life: NodeLife?
  package var event: NodeEvent?
  package var states: [FolderTotals] = []

  package init(of entry: EntryKind) { self.entry = entry }

  /// Creates parts with a difference; nil without one.
  package init?(of entry: EntryKind, _ difference: NodeDifference?) {
    guard let difference else { return nil }
    self.entry = entry
    self.difference = difference
  }

  /// An upper bound of the bytes that its members take.
  var capacity: Int {
    let texts =
      (difference?.otherPath?.count ?? 0)
      + (event.map { $0.revision.count + ($0.author?.count ?? 0) } ?? 0)
    return 1024 + 96 * states.count + texts * (JSONText.expansion + PercentText.expansion)
  }

  /// Puts the members of GeoJSON, with a comma before each.
  func put(to cursor: inout OutputCursor) {
    cursor.put(.time, value(.time))
    cursor.put(.change, value(.change))
    if difference?.was != nil {
      cursor.putObject("was") { cursor in
        FeatureMember.eachOfWas { cursor.put($0, value($0)) }
      }
    }
    if difference?.otherPath != nil { FeatureMember.eachOtherPath { cursor.put($0, value($0)) } }
    if difference?.below != nil {
      cursor.putObject("below") { cursor in
        FeatureMember.eachBelow { cursor.put($0, value($0)) }
      }
    }
    if life != nil { FeatureMember.eachOfLife { cursor.put($0, value($0)) } }
    if event != nil { FeatureMember.eachOfRevision { cursor.put($0, value($0)) } }
    for (index, state) in states.enumerated() {
      cursor.put(index == 0 ? ",\"states\":[{\"files\":" : ",{\"files\":")
      cursor.put(state.files)
      cursor.put(member: "bytes", state.bytes)
      cursor.put("}")
    }
    if !states.isEmpty { cursor.put("]") }
  }

  package var members: [UInt8] {
    var buffer = OutputBuffer(capacity: capacity)
    buffer.put(reserving: capacity) { put(to: &$0) }
    return buffer.bytes
  }
}

/// A time from the first state with a node to the first without it.
package struct NodeLife: Sendable {
  /// 1 for the node's first life.
  package var number: Int64
  /// Unix time of the first state with the node.
  package var start: Int64
  /// Unix time of the first state without it; nil while it exists.
  package var end: Int64?
  /// The number of states in which it changed, including its creation.
  package var changes: Int64

  package init(number: Int64, start: Int64, end: Int64?, changes: Int64) {
    self.number = number
    self.start = start
    self.end = end
    self.changes = changes
  }
}

/// An event in the history of a file.
package struct NodeEvent: Sendable {
  /// Unix time in milliseconds.
  package var time: Int64
  package var change: NodeChange
  /// The name of the revision; empty without one.
  package var revision: [UInt8]
  /// The author of the revision; nil if unknown.
  package var author: [UInt8]?

  package init(time: Int64, change: NodeChange, revision: [UInt8], author: [UInt8]?) {
    self.time = time
    self.change = change
    self.revision = revision
    self.author = author
  }
}

/// The difference of a node between two states.
package struct NodeDifference: Sendable {
  package var change: NodeChange
  /// The former metadata of a changed file.
  package var was: EntryFacts?
  /// The other path of a file that moved.
  package var otherPath: [UInt8]?
  package var below: ChangesBelow?

  package init(_ change: NodeChange) { self.change = change }

  /// The former kind of a file that was special, or that was regular and no longer is; nil for
  /// others.
  package static func special(of facts: EntryFacts, nowOf kind: EntryKind) -> StaticString? {
    facts.kind.special ?? (facts.kind == .regular && kind != .regular ? "regular" : nil)
  }
}

/// The kind of a node's change between two states.
package enum NodeChange: UInt8, Sendable {
  /// It is unchanged, or was not compared.
  case none
  /// It exists in the new state only.
  case added
  /// It exists in the old state only.
  case removed
  /// It exists in both states and has changed.
  case changed
  /// It is the new place of a file that moved.
  case moved
  /// It is the old place of a file that moved.
  case left

  /// The name in the formats; nil for `none`.
  package var text: StaticString? {
    switch self {
    case .none: nil
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .moved: "moved"
    case .left: "left"
    }
  }
}

/// Counts of changed nodes that are not folders.
package struct ChangeCounts: Sendable, Hashable {
  package var added = 0
  package var removed = 0
  package var changed = 0
  /// Nodes that moved, counted at their new place.
  package var moved = 0

  package init() {}

  package var total: Int { added + removed + changed + moved }

  /// The counts in the order of the formats, with their names.
  package var members: [(name: StaticString, count: Int)] {
    [("added", added), ("removed", removed), ("changed", changed), ("moved", moved)]
  }

  package mutating func add(_ change: NodeChange) {
    switch change {
    case .none, .left: break
    case .added: added += 1
    case .removed: removed += 1
    case .changed: changed += 1
    case .moved: moved += 1
    }
  }

  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }

  package static func += (total: inout Self, part: Self) {
    total.added += part.added
    total.removed += part.removed
    total.changed += part.changed
    total.moved += part.moved
  }
}

/// The differences below a folder, at any depth.
package struct ChangesBelow: Sendable, Hashable {
  package var counts = ChangeCounts()
  /// The bytes of all files in the new state, less those in the old one, within 64 bits; nil if a
  /// size is unknown.
  package var bytes: Int64? = 0

  package init() {}

  package var isEmpty: Bool { counts.total == 0 && (bytes ?? 0) == 0 }

  package static func += (total: inout Self, part: Self) {
    total.counts += part.counts
    guard let bytes = total.bytes, let more = part.bytes else {
      total.bytes = nil
      return
    }
    let (sum, overflow) = bytes.addingReportingOverflow(more)
    total.bytes = overflow ? (more > 0 ? .max : .min) : sum
  }
}

/// A state of a map of several states.
package struct MapState: Sendable, Hashable {
  /// Its label or revision, as given.
  package var name: [UInt8]
  /// Its time in Unix seconds; nil if unknown.
  package var time: Int64?

  package init(name: [UInt8], time: Int64? = nil) {
    self.name = name
    self.time = time
  }
}
