import GeoCore
import GeoProjection

/// The difference of a node between two states.
package struct NodeDifference: Sendable {
  /// The kind of change.
  package var change: NodeChange
  /// The former metadata of a changed file.
  package var was: EntryFacts?
  /// The other path of a file that moved.
  package var otherPath: [UInt8]?
  /// The differences below a folder.
  package var below: ChangesBelow?

  /// Creates a difference of the given kind.
  package init(_ change: NodeChange) { self.change = change }

  /// The former kind of a file that was special, or that was regular and no longer is; nil for
  /// others.
  package static func special(of facts: EntryFacts, nowOf kind: EntryKind) -> StaticString? {
    facts.kind.special ?? (facts.kind == .regular && kind != .regular ? "regular" : nil)
  }

  /// Puts the members of GeoJSON, with a comma before each.
  ///
  /// - Parameter kind: The node's kind now.
  func put(nowOf kind: EntryKind, to cursor: inout OutputCursor) {
    if let text = change.text { cursor.put(member: "change", word: text) }
    if let was {
      cursor.putObject("was") { cursor in
        if was.status.hasSize { cursor.put(member: "size", was.size) }
        if was.status == .known { cursor.put(member: "modified", was.modified) }
        if let special = Self.special(of: was, nowOf: kind) {
          cursor.put(member: "special", word: special)
        }
      }
    }
    if let otherPath {
      let isOld = change == .left
      if !cursor.put(member: isOld ? "to" : "from", text: otherPath.span) {
        cursor.put(member: isOld ? "rawTo" : "rawFrom", percent: otherPath.span)
      }
    }
    guard let below else { return }
    cursor.putObject("below") { cursor in
      for (name, count) in below.counts.members where count != 0 {
        cursor.put(member: name, Int64(count))
      }
      if let bytes = below.bytes, bytes != 0 { cursor.put(member: "bytes", bytes) }
    }
  }
}

/// The kind of a node's change between two states.
public enum NodeChange: UInt8, Sendable {
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
  public var text: StaticString? {
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
public struct ChangeCounts: Sendable, Hashable {
  /// Nodes that exist in the new state only.
  public var added = 0
  /// Nodes that exist in the old state only.
  public var removed = 0
  /// Nodes that exist in both states and have changed.
  public var changed = 0
  /// Nodes that moved, counted at their new place.
  public var moved = 0

  /// Creates counts of zero.
  public init() {}

  /// The sum of all counts.
  public var total: Int { added + removed + changed + moved }

  /// The counts in the order of the formats, with their names.
  package var members: [(name: StaticString, count: Int)] {
    [("added", added), ("removed", removed), ("changed", changed), ("moved", moved)]
  }

  /// Counts a change.
  public mutating func add(_ change: NodeChange) {
    switch change {
    case .none, .left: break
    case .added: added += 1
    case .removed: removed += 1
    case .changed: changed += 1
    case .moved: moved += 1
    }
  }

  /// Adds two counts.
  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }

  /// Adds the counts of another part.
  public static func += (total: inout Self, part: Self) {
    total.added += part.added
    total.removed += part.removed
    total.changed += part.changed
    total.moved += part.moved
  }
}

/// The differences below a folder, at any depth.
package struct ChangesBelow: Sendable, Hashable {
  /// The counts of files that differ.
  package var counts = ChangeCounts()
  /// The bytes of all files in the new state, less those in the old one; nil if a size is unknown.
  package var bytes: Int64? = 0

  /// Creates empty differences.
  package init() {}

  /// Whether nothing differs.
  package var isEmpty: Bool { counts.total == 0 && (bytes ?? 0) == 0 }

  /// Adds the differences of another part.
  package static func += (total: inout Self, part: Self) {
    total.counts += part.counts
    guard let bytes = total.bytes, let more = part.bytes else {
      total.bytes = nil
      return
    }
    let (sum, overflow) = bytes.addingReportingOverflow(more)
    total.bytes = overflow ? nil : sum
  }
}

/// A state of a map of several states.
package struct MapState: Sendable, Hashable {
  /// Its label or revision, as given.
  package var name: [UInt8]
  /// Its time in Unix seconds; nil if unknown.
  package var time: Int64?

  /// Creates a state.
  package init(name: [UInt8], time: Int64? = nil) {
    self.name = name
    self.time = time
  }
}
