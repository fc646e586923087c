import GeoCore
import GeoProjection

/// The facts of a node, from which ``FeatureMember`` takes the values of its feature.
package struct FeatureRecord: Sendable {
  /// The node's 53-bit identifier.
  package var id: UInt64
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
  package var digits: UInt8 = 0
  package private(set) var isLanded = false
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

  package init(id: UInt64, kind: NodeKind, depth: Int, minzoom: UInt8) {
    entry = kind == .poi ? .regular : .directory
    self.id = id
    self.kind = kind
    self.depth = depth
    self.minzoom = minzoom
  }

  package init(_ place: FolderPlace) {
    self.init(id: place.id, kind: place.kind, depth: Int(place.depth), minzoom: place.minzoom)
  }

  /// `entries` counts its listing, filtered or not; nil if it was not listed.
  package init(
    place: FolderPlace, coordinate: Coordinate, entries: Int?, modified: Int64?,
    isUnreadable: Bool
  ) {
    self.init(place)
    size = entries.map { Int64($0) }
    self.modified = modified
    position = coordinate
    digits = place.digits
    isLanded = place.isLanded
    self.isUnreadable = isUnreadable
  }

  init(_ place: FilePlace, _ facts: EntryFacts, _ batch: FileBatch, hasLonLat: Bool) {
    self.init(id: place.id, kind: .poi, depth: batch.depth, minzoom: batch.minzoom)
    set(facts)
    position = place.coordinate
    digits = batch.digits
    self.hasLonLat = hasLonLat
    links = facts.links
  }

  /// The record with its position as members if it has land, or in any case.
  func located(always: Bool) -> Self {
    var record = self
    record.hasLonLat = isLanded || always
    return record
  }

  /// Sets the position, which becomes a member.
  package mutating func locate(at position: Coordinate, digits: UInt8) {
    (self.position, self.digits, hasLonLat) = (position, digits, true)
  }

  /// Sets the metadata of a file, without its links.
  package mutating func set(_ facts: EntryFacts) {
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
    put(reserving: 512 + (parts?.capacity ?? 0)) { record.put(with: parts, to: &$0) }
  }
}

package enum FeatureValue {
  /// A text that needs no escaping.
  case word(StaticString)
  case number(Int64)
  /// A finite number.
  case decimal(Double)
  /// Degrees, as an integer number of 10^-digits degrees.
  case degrees(Int64, digits: UInt8)
  case flag
  /// Raw bytes, of which ill-formed ones are repaired.
  case text([UInt8])
  case percent([UInt8])
  /// Unix time to the second, as a text.
  case time(seconds: Int64)
  /// Unix time to the millisecond, as a text.
  case instant(milliseconds: Int64)

  @inline(__always)
  package init?(_ number: Int64?) {
    guard let number else { return nil }
    self = .number(number)
  }

  @inline(__always)
  package init?(_ word: StaticString?) {
    guard let word else { return nil }
    self = .word(word)
  }

  @inline(__always)
  package init?(nonzero number: Int64?) {
    guard let number, number != 0 else { return nil }
    self = .number(number)
  }
}

extension FeatureRecord {
  /// The value of a member; nil if it is left out, for texts that a writer prepares, and for
  /// members about several states.
  ///
  /// It is inlined, so that a known member costs no more than its own line here.
  @inline(__always)
  package func value(_ member: FeatureMember) -> FeatureValue? {
    switch member {
    case .id: .number(Int64(bitPattern: id))
    case .kind: .word(kind.text)
    case .depth: .number(Int64(depth))
    case .size: FeatureValue(size)
    case .files, .bytes, .allocated: FeatureValue(totals?[member])
    case .newest: FeatureValue(newest)
    case .type: FeatureValue(type)
    case .modified: FeatureValue(modified)
    case .minzoom: minzoom == Minzoom.unknown ? nil : .number(Int64(minzoom))
    case .lon: hasLonLat ? .degrees(position.longitude, digits: digits) : nil
    case .lat: hasLonLat ? .degrees(position.latitude, digits: digits) : nil
    case .special: FeatureValue(entry.special)
    case .links: links > 1 ? .number(Int64(links)) : nil
    case .loop: isLoop ? .flag : nil
    case .unreadable: isUnreadable ? .flag : nil
    default: nil
    }
  }
}

extension FolderTotals {
  /// One of the sums; nil if it is unknown.
  @inline(__always)
  subscript(_ member: FeatureMember) -> Int64? {
    switch member {
    case .files: files
    case .bytes: bytes
    case .allocated: allocated
    default: nil
    }
  }
}

extension FeatureParts {
  /// The value of a member about several states; nil if it is left out.
  @inline(__always)
  package func value(_ member: FeatureMember) -> FeatureValue? {
    switch member {
    case .time: event.map { .instant(milliseconds: $0.time) }
    case .change: FeatureValue((event?.change ?? difference?.change)?.text)
    case .life: FeatureValue(life?.number)
    case .start: life.map { .time(seconds: $0.start) }
    case .end: life?.end.map { .time(seconds: $0) }
    case .changes: FeatureValue(life?.changes)
    case .revision: event.flatMap { $0.revision.isEmpty ? nil : .text($0.revision) }
    case .author: event?.author.map { .text($0) }
    default: difference?.value(member, nowOf: entry)
    }
  }
}

extension NodeDifference {
  /// The value of a member about two states; nil if it is left out.
  @inline(__always)
  package func value(_ member: FeatureMember, nowOf kind: EntryKind) -> FeatureValue? {
    switch member {
    case .change: FeatureValue(change.text)
    case .wasSize: FeatureValue(was.flatMap { $0.status.hasSize ? $0.size : nil })
    case .wasModified: FeatureValue(was.flatMap { $0.status == .known ? $0.modified : nil })
    case .wasSpecial: FeatureValue(was.flatMap { Self.special(of: $0, nowOf: kind) })
    case .from: change == .left ? nil : otherPath.map { .text($0) }
    case .rawFrom: change == .left ? nil : rawOtherPath
    case .to: change == .left ? otherPath.map { .text($0) } : nil
    case .rawTo: change == .left ? rawOtherPath : nil
    case .belowAdded: FeatureValue(nonzero: below.map { Int64($0.counts.added) })
    case .belowRemoved: FeatureValue(nonzero: below.map { Int64($0.counts.removed) })
    case .belowChanged: FeatureValue(nonzero: below.map { Int64($0.counts.changed) })
    case .belowMoved: FeatureValue(nonzero: below.map { Int64($0.counts.moved) })
    case .belowBytes: FeatureValue(nonzero: below?.bytes)
    default: nil
    }
  }

  /// The other path percent-encoded, if it is not UTF-8.
  fileprivate var rawOtherPath: FeatureValue? {
    otherPath.flatMap { $0.span.isValidUTF8 ? nil : .percent($0) }
  }
}

// For writers in other modules, which would make two calls for each member.
extension FeatureRecord {
  /// Calls `put` with the members that a node has in a tile, and their values.
  package func eachOfTile(_ put: (FeatureMember, FeatureValue) -> Void) {
    FeatureMember.eachOfTile { member in
      if let value = value(member) { put(member, value) }
    }
    eachOfTotals(put)
  }

  package func eachOfTotals(_ put: (FeatureMember, FeatureValue) -> Void) {
    if totals == nil { return }
    FeatureMember.eachOfTotals { member in
      if let value = value(member) { put(member, value) }
    }
  }
}

extension NodeDifference {
  /// Calls `put` with all members about two states.
  package func eachOfTile(nowOf kind: EntryKind, _ put: (FeatureMember, FeatureValue) -> Void) {
    func add(_ member: FeatureMember) {
      if let value = value(member, nowOf: kind) { put(member, value) }
    }
    add(.change)
    FeatureMember.eachOfWas(add)
    FeatureMember.eachOtherPath(add)
    FeatureMember.eachBelow(add)
  }
}

extension OutputCursor {
  /// Puts a member of GeoJSON with a comma before it, if it has a value.
  @inline(__always)
  mutating func put(_ member: FeatureMember, _ value: FeatureValue?) {
    guard let value else { return }
    let name = member.name
    switch value {
    case .word(let word): put(member: name, word: word)
    case .number(let number): put(member: name, number)
    case .decimal(let number):
      put(member: name)
      put(decimal: number)
    case .degrees(let degrees, let digits):
      put(member: name)
      put(degrees: degrees, DegreesScale(digits: digits))
    case .flag:
      put(member: name)
      put("true")
    case .text(let text): _ = put(member: name, text: text.span)
    case .percent(let bytes): put(member: name, percent: bytes.span)
    case .time(let seconds): put(member: name, seconds: seconds)
    case .instant(let milliseconds): put(member: name, milliseconds: milliseconds)
    }
  }
}
