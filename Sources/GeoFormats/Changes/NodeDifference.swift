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

  /// Adds its members to a feature, a comma before each.
  ///
  /// - Parameter kind: What the node is now.
  package func writeMembers(kind: EntryKind, to buffer: inout OutputBuffer) {
    if let text = change.text {
      buffer.append(",\"change\":\"")
      buffer.append(text)
      buffer.append("\"")
    }
    if let was { Self.write(was, nowOf: kind, to: &buffer) }
    if let otherPath {
      buffer.append(change == .left ? ",\"to\":\"" : ",\"from\":\"")
      let isText = buffer.append(json: otherPath.span)
      buffer.append("\"")
      if !isText {
        buffer.append(change == .left ? ",\"rawTo\":\"" : ",\"rawFrom\":\"")
        buffer.append(percent: otherPath.span)
        buffer.append("\"")
      }
    }
    if let below, !below.isEmpty { Self.write(below, to: &buffer) }
  }

  /// Its members as bytes, a comma before each; none if there is nothing to say.
  ///
  /// - Parameter kind: What the node is now.
  package func members(kind: EntryKind) -> [UInt8] {
    if change == .none, below?.isEmpty ?? true { return [] }
    var buffer = OutputBuffer(capacity: 256)
    writeMembers(kind: kind, to: &buffer)
    return buffer.bytes
  }

  /// What a file was if it was no regular one, or is none any more.
  package static func special(of facts: EntryFacts, nowOf kind: EntryKind) -> StaticString? {
    facts.kind.special ?? (facts.kind == .regular && kind != .regular ? "regular" : nil)
  }

  private static func write(
    _ facts: EntryFacts, nowOf kind: EntryKind, to buffer: inout OutputBuffer
  ) {
    var separator: StaticString = ",\"was\":{"
    if facts.status == .known || facts.status == .sized {
      buffer.append(separator)
      buffer.append("\"size\":")
      buffer.append(facts.size)
      separator = ","
    }
    if facts.status == .known {
      buffer.append(",\"modified\":")
      buffer.append(facts.modified)
    }
    if let special = special(of: facts, nowOf: kind) {
      buffer.append(separator)
      buffer.append("\"special\":\"")
      buffer.append(special)
      buffer.append("\"")
      separator = ","
    }
    // Of which nothing is known, nothing is said.
    if separator.utf8CodeUnitCount == 1 { buffer.append("}") }
  }

  private static func write(_ below: ChangesBelow, to buffer: inout OutputBuffer) {
    var separator: StaticString = ",\"below\":{"
    func put(_ name: StaticString, _ number: Int64) {
      if number == 0 { return }
      buffer.append(separator)
      buffer.append(name)
      buffer.append(number)
      separator = ","
    }
    put("\"added\":", Int64(below.counts.added))
    put("\"removed\":", Int64(below.counts.removed))
    put("\"changed\":", Int64(below.counts.changed))
    put("\"moved\":", Int64(below.counts.moved))
    put("\"bytes\":", below.bytes ?? 0)
    buffer.append("}")
  }
}

/// A record for each node of a comparison (RFC 4180).
package enum ChangeTable {
  /// Adds the record of the columns' names.
  package static func writeHeader(to buffer: inout OutputBuffer) {
    buffer.append(
      "path,kind,depth,change,size,modified,was_size,was_modified,from,to,minzoom,lon,lat,id")
    buffer.appendLastColumnNames()
  }

  /// What a record says of its node.
  package struct Row {
    package var path: [UInt8]
    package var kind: NodeKind
    package var depth: Int
    package var size: Int64?
    package var modified: Int64?
    package var minzoom: UInt8
    package var coordinate: Coordinate
    package var digits: UInt8
    package var id: UInt64
    /// What it is, if it is neither a folder nor a regular file.
    package var special: StaticString?

    package init(
      path: [UInt8], kind: NodeKind, depth: Int, size: Int64?, modified: Int64?, minzoom: UInt8,
      coordinate: Coordinate, digits: UInt8, id: UInt64
    ) {
      self.path = path
      self.kind = kind
      self.depth = depth
      self.size = size
      self.modified = modified
      self.minzoom = minzoom
      self.coordinate = coordinate
      self.digits = digits
      self.id = id
    }
  }

  /// Adds a record.
  package static func write(
    _ row: Row, _ difference: NodeDifference, to buffer: inout OutputBuffer
  ) {
    func end() { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(csv: row.path.span)
    end()
    buffer.append(row.kind.text)
    end()
    buffer.append(Int64(row.depth))
    end()
    if let text = difference.change.text { buffer.append(text) }
    end()
    if let size = row.size { buffer.append(size) }
    end()
    if let modified = row.modified { buffer.append(modified) }
    end()
    let was = difference.was
    if let was, was.status == .known || was.status == .sized { buffer.append(was.size) }
    end()
    if let was, was.status == .known { buffer.append(was.modified) }
    end()
    if let path = difference.otherPath, difference.change == .moved {
      buffer.append(csv: path.span)
    }
    end()
    if let path = difference.otherPath, difference.change == .left { buffer.append(csv: path.span) }
    end()
    buffer.append(UInt64(row.minzoom))
    end()
    buffer.append(degrees: row.coordinate.longitude, digits: row.digits)
    end()
    buffer.append(degrees: row.coordinate.latitude, digits: row.digits)
    end()
    buffer.append(row.id)
    buffer.append(lastColumnsOf: row.path, special: row.special)
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
