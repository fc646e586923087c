import GeoCore
import GeoProjection

/// What a feature says of its node after its path and name: the one list of members, in their one order.
///
/// GeoJSON puts the members in this order, tables have a column for each. Formats that are read by number
/// (FlatGeobuf, Parquet, the rows of a page) have the same members in an order of their own.
package struct FeatureRecord {
  /// The node's 53-bit identifier.
  package var id: UInt64
  /// Its rank.
  package var kind: NodeKind
  /// 0 for a root.
  package var depth: Int
  /// The first zoom at which it is visible; ``Minzoom/unknown`` if that is not known.
  package var minzoom: UInt8
  /// Bytes of a file, entries of a folder's listing; nil if that is not known.
  package var size: Int64?
  /// The totals of a folder; nil if they were not asked for.
  package var totals: FolderTotals?
  /// Unix time of the last change of anything in a folder, at any depth; nil if that is not known.
  package var newest: Int64?
  /// The type that most of a folder's bytes have; nil if that is not known.
  package var type: StaticString?
  /// Unix time of the last change in whole seconds; nil if that is not known.
  package var modified: Int64?
  /// Where it is, or its label, in integers of 10^-`digits` degrees.
  package var position = Coordinate(longitude: 0, latitude: 0)
  /// Decimals of its position.
  package var digits: UInt8 = 0
  /// Whether GeoJSON has the position as members, too.
  package var hasLonLat = false
  /// What it says besides; nil in most maps.
  package var parts: FeatureParts?
  /// What the entry is: `special` if it is neither a folder nor a regular file.
  package var entry = EntryKind.regular
  /// How many names the file has; fewer than two are not written.
  package var links: UInt32 = 0
  /// Whether it is one of its own ancestors, reached by a link.
  package var isLoop = false
  /// Whether its listing or its metadata could not be read.
  package var isUnreadable = false

  /// Of a node of which nothing more is known.
  package init(id: UInt64, kind: NodeKind, depth: Int, minzoom: UInt8) {
    self.id = id
    self.kind = kind
    self.depth = depth
    self.minzoom = minzoom
  }

  /// Of a folder.
  init(_ folder: FolderFeature, _ parts: FeatureParts?, hasLonLat: Bool) {
    let place = folder.place
    self.init(id: place.id, kind: place.kind, depth: Int(place.depth), minzoom: place.minzoom)
    size = folder.entries.map { Int64($0) }
    totals = folder.totals
    modified = folder.modified
    position = folder.coordinate
    digits = place.digits
    self.hasLonLat = place.isLanded || hasLonLat
    self.parts = parts
    entry = .directory
    isLoop = folder.isLoop
    isUnreadable = folder.isUnreadable
  }

  /// Of a file.
  init(
    _ place: FilePlace, _ facts: EntryFacts, _ batch: FileBatch, _ parts: FeatureParts?,
    hasLonLat: Bool
  ) {
    self.init(id: place.id, kind: .poi, depth: batch.depth, minzoom: batch.minzoom)
    if facts.status.hasSize { size = facts.size }
    if facts.status == .known { modified = facts.modified }
    position = place.coordinate
    digits = batch.digits
    self.hasLonLat = hasLonLat
    self.parts = parts
    entry = facts.kind
    links = facts.links
    isUnreadable = facts.status == .unreadable
  }

  /// An upper bound of the bytes that its members take.
  var room: Int { 512 + (parts?.room ?? 0) }

  /// Puts all members of GeoJSON, a comma before each.
  func put(to cursor: inout OutputCursor) {
    Self.put(kind, depth: depth, to: &cursor)
    cursor.put(member: "size", size)
    if let totals {
      cursor.put(member: "files", totals.files)
      cursor.put(member: "bytes", totals.bytes)
      cursor.put(member: "allocated", totals.allocated)
    }
    cursor.put(member: "newest", newest)
    if let type { cursor.put(member: "type", word: type) }
    cursor.put(member: "modified", modified)
    Self.put(minzoom: minzoom, to: &cursor)
    putRest(to: &cursor)
  }

  /// Puts what follows `minzoom`, which most files have nothing of.
  func putRest(to cursor: inout OutputCursor) {
    if hasLonLat {
      let scale = DegreesScale(digits: digits)
      cursor.put(",\"lon\":")
      cursor.put(degrees: position.longitude, scale)
      cursor.put(",\"lat\":")
      cursor.put(degrees: position.latitude, scale)
    }
    parts?.put(to: &cursor)
    if let special = entry.special { cursor.put(member: "special", word: special) }
    if links > 1 { cursor.put(member: "links", Int64(links)) }
    if isLoop { cursor.put(",\"loop\":true") }
    if isUnreadable { cursor.put(",\"unreadable\":true") }
  }

  /// Puts the kind and the depth.
  static func put(_ kind: NodeKind, depth: Int, to cursor: inout OutputCursor) {
    cursor.put(member: "kind", word: kind.text)
    cursor.put(member: "depth", Int64(depth))
  }

  /// Puts what is known of a file.
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

  /// Puts the member `minzoom`, if it is known.
  static func put(minzoom: UInt8, to cursor: inout OutputCursor) {
    if minzoom != Minzoom.unknown { cursor.put(member: "minzoom", Int64(minzoom)) }
  }
}

extension OutputBuffer {
  /// Adds the members of a feature, a comma before each.
  package mutating func append(_ record: FeatureRecord) {
    var cursor = self.cursor(reserving: record.room)
    record.put(to: &cursor)
    commit(cursor)
  }
}

/// What a feature says of several states: the optional parts of a ``FeatureRecord``.
package struct FeatureParts: Sendable {
  /// What the node is now.
  package var entry: EntryKind
  /// How it differs between two states.
  package var difference: NodeDifference?
  /// Which of its lives the feature is about.
  package var life: NodeLife?
  /// What happened to it.
  package var event: NodeEvent?
  /// The totals of a folder in each state.
  package var states: [FolderTotals] = []

  /// Nothing yet.
  package init(of entry: EntryKind) { self.entry = entry }

  /// How a node differs; nil if there is nothing to say.
  package init?(of entry: EntryKind, _ difference: NodeDifference?) {
    guard let difference else { return nil }
    self.entry = entry
    self.difference = difference
  }

  /// An upper bound of the bytes that they take.
  var room: Int {
    let texts =
      (difference?.otherPath?.count ?? 0)
      + (event.map { $0.revision.count + ($0.author?.count ?? 0) } ?? 0)
    return 1024 + 96 * states.count + texts * (JSONText.expansion + PercentText.expansion)
  }

  /// Puts their members of GeoJSON, a comma before each.
  func put(to cursor: inout OutputCursor) {
    difference?.put(nowOf: entry, to: &cursor)
    if let life {
      cursor.put(member: "life", life.number)
      cursor.put(member: "start", seconds: life.start)
      if let end = life.end { cursor.put(member: "end", seconds: end) }
      cursor.put(member: "changes", life.changes)
    }
    if let event {
      cursor.put(member: "time", milliseconds: event.time)
      if let text = event.change.text { cursor.put(member: "change", word: text) }
      if !event.revision.isEmpty {
        _ = cursor.put(member: "revision", text: event.revision.span)
      }
      if let author = event.author { _ = cursor.put(member: "author", text: author.span) }
    }
    for (index, state) in states.enumerated() {
      cursor.put(index == 0 ? ",\"states\":[{\"files\":" : ",{\"files\":")
      cursor.put(state.files)
      cursor.put(member: "bytes", state.bytes)
      cursor.put("}")
    }
    if !states.isEmpty { cursor.put("]") }
  }

  /// Their members as bytes, a comma before each.
  package var members: [UInt8] {
    var buffer = OutputBuffer(capacity: room)
    var cursor = buffer.cursor(reserving: room)
    put(to: &cursor)
    buffer.commit(cursor)
    return buffer.bytes
  }
}

/// A time from the first state that has a node to the first that has not.
package struct NodeLife: Sendable {
  /// 1 for the node's first.
  package var number: Int64
  /// Unix time of the first state that has it.
  package var start: Int64
  /// Unix time of the first that has not; nil while it lives.
  package var end: Int64?
  /// In how many states it was changed, its birth included.
  package var changes: Int64

  package init(number: Int64, start: Int64, end: Int64?, changes: Int64) {
    self.number = number
    self.start = start
    self.end = end
    self.changes = changes
  }
}

/// What happened to a file.
package struct NodeEvent: Sendable {
  /// Unix time in milliseconds.
  package var time: Int64
  package var change: NodeChange
  /// What names the revision; empty if it is none.
  package var revision: [UInt8]
  /// Who made it; nil if that is not known.
  package var author: [UInt8]?

  package init(time: Int64, change: NodeChange, revision: [UInt8], author: [UInt8]?) {
    self.time = time
    self.change = change
    self.revision = revision
    self.author = author
  }
}
