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
