import GeoCore
import GeoProjection

/// The facts of a node, from which ``FeatureMember`` takes the values of its feature.
package struct FeatureRecord: Sendable {
  /// The node's 53-bit identifier.
  package var id: UInt64
  /// Its rank.
  package var kind: NodeKind
  /// 0 for a root.
  package var depth: Int
  /// The first zoom at which it is visible; ``Minzoom/unknown`` if unknown.
  package var minzoom: UInt8
  /// Bytes of a file, entries of a folder's listing; nil if unknown.
  package var size: Int64?
  /// The totals of a folder; nil if not requested.
  package var totals: FolderTotals?
  /// Unix time of the last change of anything in a folder, at any depth; nil if unknown.
  package var newest: Int64?
  /// The file type with the most bytes in a folder; nil if unknown.
  package var type: StaticString?
  /// Unix time of the last change in whole seconds; nil if unknown.
  package var modified: Int64?
  /// The position of the node, or of its label, in integers of 10^-`digits` degrees.
  package var position = Coordinate(longitude: 0, latitude: 0)
  /// The number of decimals of its position.
  package var digits: UInt8 = 0
  /// Whether GeoJSON has the position as members, too.
  package var hasLonLat = false
  /// The kind of the entry, written as `special` if it is neither a folder nor a regular file.
  package var entry: EntryKind
  /// The number of names of the file; written if it is at least two.
  package var links: UInt32 = 0
  /// Whether it is a link to one of its own ancestors.
  package var isLoop = false
  /// Whether its listing or its metadata could not be read.
  package var isUnreadable = false

  /// Creates a record without metadata.
  package init(id: UInt64, kind: NodeKind, depth: Int, minzoom: UInt8) {
    entry = kind == .poi ? .regular : .directory
    self.id = id
    self.kind = kind
    self.depth = depth
    self.minzoom = minzoom
  }

  /// Creates a record of a folder without metadata.
  package init(_ place: FolderPlace) {
    self.init(id: place.id, kind: place.kind, depth: Int(place.depth), minzoom: place.minzoom)
  }

  init(_ folder: FolderFeature, hasLonLat: Bool) {
    let place = folder.place
    self.init(place)
    size = folder.entries.map { Int64($0) }
    totals = folder.totals
    modified = folder.modified
    position = folder.coordinate
    digits = place.digits
    self.hasLonLat = place.isLanded || hasLonLat
    isLoop = folder.isLoop
    isUnreadable = folder.isUnreadable
  }

  init(_ place: FilePlace, _ facts: EntryFacts, _ batch: FileBatch, hasLonLat: Bool) {
    self.init(id: place.id, kind: .poi, depth: batch.depth, minzoom: batch.minzoom)
    take(facts)
    position = place.coordinate
    digits = batch.digits
    self.hasLonLat = hasLonLat
    links = facts.links
  }

  /// Sets the position, which becomes a member.
  package mutating func locate(at position: Coordinate, digits: UInt8) {
    (self.position, self.digits, hasLonLat) = (position, digits, true)
  }

  /// Sets the metadata of a file, without its links.
  package mutating func take(_ facts: EntryFacts) {
    if facts.status.hasSize { size = facts.size }
    if facts.status == .known { modified = facts.modified }
    entry = facts.kind
    isUnreadable = facts.status == .unreadable
  }

  /// Puts all members of GeoJSON, with a comma before each.
  func put(with parts: FeatureParts?, to cursor: inout OutputCursor) {
    FeatureMember.eachOfNode { cursor.put($0, value($0)) }
    putRest(with: parts, to: &cursor)
  }

  /// Puts the members after `minzoom`, which most files lack.
  func putRest(with parts: FeatureParts?, to cursor: inout OutputCursor) {
    FeatureMember.eachOfPosition { cursor.put($0, value($0)) }
    parts?.put(to: &cursor)
    FeatureMember.eachRare { cursor.put($0, value($0)) }
  }

  /// Puts the known size and time of a file.
  @inline(__always)
  static func put(_ facts: EntryFacts, to cursor: inout OutputCursor) {
    if facts.status == .known {
      cursor.put(",\"size\":")
      cursor.put(size: facts.size, ",\"modified\":", time: facts.modified)
    } else if facts.status == .sized {
      cursor.put(",\"size\":")
      cursor.put(facts.size)
    }
  }
}

extension OutputBuffer {
  /// Adds the members of a feature, with a comma before each.
  package mutating func append(_ record: FeatureRecord, with parts: FeatureParts?) {
    var cursor = self.cursor(reserving: 512 + (parts?.room ?? 0))
    record.put(with: parts, to: &cursor)
    commit(cursor)
  }
}

/// The facts of a node in several states, which most features lack.
package struct FeatureParts: Sendable {
  /// The node's kind now.
  package var entry: EntryKind
  /// The node's difference between two states.
  package var difference: NodeDifference?
  /// The life that the feature is about.
  package var life: NodeLife?
  /// The event that the feature is about.
  package var event: NodeEvent?
  /// The totals of a folder in each state.
  package var states: [FolderTotals] = []

  /// Creates empty parts.
  package init(of entry: EntryKind) { self.entry = entry }

  /// Creates parts with a difference; nil without one.
  package init?(of entry: EntryKind, _ difference: NodeDifference?) {
    guard let difference else { return nil }
    self.entry = entry
    self.difference = difference
  }

  /// An upper bound of the bytes that its members take.
  var room: Int {
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

  /// The members of GeoJSON as bytes, with a comma before each.
  package var members: [UInt8] {
    var buffer = OutputBuffer(capacity: room)
    var cursor = buffer.cursor(reserving: room)
    put(to: &cursor)
    buffer.commit(cursor)
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
