import GeoCore
import GeoProjection

/// What is written of a node besides what a map of one state says: how it differs.
public struct NodeDifference: Sendable {
  /// In what way.
  public var change: NodeChange
  /// What was known of a changed file before.
  public var was: EntryFacts?
  /// The other place of a file that moved.
  public var otherPath: [UInt8]?
  /// What differs below a folder.
  public var below: ChangesBelow?

  /// A difference of the given kind.
  public init(_ change: NodeChange) { self.change = change }

  /// What a file was if it was no regular one, or is none any more.
  package static func special(of facts: EntryFacts, nowOf kind: EntryKind) -> StaticString? {
    facts.kind.special ?? (facts.kind == .regular && kind != .regular ? "regular" : nil)
  }

  /// Puts its members of GeoJSON, a comma before each.
  ///
  /// - Parameter kind: What the node is now.
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

/// How a node of two states differs between them.
public enum NodeChange: UInt8, Sendable {
  /// It doesn't, or wasn't compared.
  case none
  /// Only the new state has it.
  case added
  /// Only the old one has it.
  case removed
  /// Both have it, and it is another.
  case changed
  /// It is the new place of a file.
  case moved
  /// It is the old place of a file that moved.
  case left

  /// How the formats call it; nil if there is nothing to say.
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

/// How many nodes that are no folders differ.
public struct ChangeCounts: Sendable, Hashable {
  /// Those that only the new state has.
  public var added = 0
  /// Those that only the old one has.
  public var removed = 0
  /// Those that are others.
  public var changed = 0
  /// Those that are at another place, counted at the new one.
  public var moved = 0

  /// None.
  public init() {}

  /// How many there are.
  public var total: Int { added + removed + changed + moved }

  /// The counts in the order of the formats, and how these call them.
  package var members: [(name: StaticString, count: Int)] {
    [("added", added), ("removed", removed), ("changed", changed), ("moved", moved)]
  }

  /// Counts one.
  public mutating func add(_ change: NodeChange) {
    switch change {
    case .none, .left: break
    case .added: added += 1
    case .removed: removed += 1
    case .changed: changed += 1
    case .moved: moved += 1
    }
  }

  /// The counts of two parts.
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

/// What differs below a folder, at any depth.
public struct ChangesBelow: Sendable, Hashable {
  /// How many files.
  public var counts = ChangeCounts()
  /// The bytes of all that is below it in the new state, less those in the old one; nil if a size is
  /// not known.
  public var bytes: Int64? = 0

  /// Nothing.
  public init() {}

  /// Whether there is nothing to say.
  public var isEmpty: Bool { counts.total == 0 && (bytes ?? 0) == 0 }

  /// Adds what differs in another part.
  public static func += (total: inout Self, part: Self) {
    total.counts += part.counts
    guard let bytes = total.bytes, let more = part.bytes else {
      total.bytes = nil
      return
    }
    let (sum, overflow) = bytes.addingReportingOverflow(more)
    total.bytes = overflow ? nil : sum
  }
}

/// One of the states that a map is of.
public struct MapState: Sendable, Hashable {
  /// Its label or revision, as it was given.
  public var name: [UInt8]
  /// When it was, in Unix seconds; nil if that is not known.
  public var time: Int64?

  /// A state of the given name and time.
  public init(name: [UInt8], time: Int64? = nil) {
    self.name = name
    self.time = time
  }
}
