import GeoCore
import GeoProjection

/// The value of a member.
package enum FeatureValue {
  /// A text that needs no escaping.
  case word(StaticString)
  case number(Int64)
  /// Degrees, as an integer number of 10^-digits degrees.
  case degrees(Int64, digits: UInt8)
  /// True.
  case flag
  /// Raw bytes, of which ill-formed ones are repaired.
  case text([UInt8])
  /// Raw bytes, percent-encoded.
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
  ///
  /// - Parameter kind: The node's kind now.
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

/// Members with their values, for writers in other modules, which would look up each by a call.
package typealias FeatureValues = [(member: FeatureMember, value: FeatureValue)]

extension FeatureRecord {
  /// Adds the members that a node has in a tile.
  package func addMembersOfTile(to list: inout FeatureValues) {
    FeatureMember.eachOfTile { member in
      if let value = value(member) { list.append((member, value)) }
    }
    addTotals(to: &list)
  }

  /// Adds the totals of a folder.
  package func addTotals(to list: inout FeatureValues) {
    if totals == nil { return }
    FeatureMember.eachOfTotals { member in
      if let value = value(member) { list.append((member, value)) }
    }
  }
}

extension NodeDifference {
  /// Adds all members about two states.
  ///
  /// - Parameter kind: The node's kind now.
  package func addMembers(nowOf kind: EntryKind, to list: inout FeatureValues) {
    func add(_ member: FeatureMember) {
      if let value = value(member, nowOf: kind) { list.append((member, value)) }
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
