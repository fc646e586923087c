import Foundation
import GeoCore
import GeoProjection
import Testing

@testable import GeoFormats

/// The list of members, and the orders of the writers.
@Suite struct FeatureMemberTests {
  /// A record in which every member has a value.
  private var full: FeatureRecord {
    var record = FeatureRecord(id: 7, kind: .district, depth: 3, minzoom: 4)
    record.size = 1
    record.totals = FolderTotals(files: 2, bytes: 3, allocated: 4)
    (record.newest, record.type, record.modified) = (5, "code", 6)
    record.locate(at: Coordinate(longitude: 1, latitude: 2), digits: 6)
    (record.entry, record.links) = (.fifo, 2)
    (record.isLoop, record.isUnreadable) = (true, true)
    return record
  }

  private var parts: FeatureParts {
    var difference = NodeDifference(.changed)
    difference.was = EntryFacts(size: 1, modified: 2, status: .known, kind: .socket)
    difference.otherPath = [0xFF]
    var below = ChangesBelow()
    (below.counts.added, below.counts.removed) = (1, 2)
    (below.counts.changed, below.counts.moved, below.bytes) = (3, 4, 5)
    difference.below = below
    var parts = FeatureParts(of: .fifo)
    parts.difference = difference
    parts.life = NodeLife(number: 1, start: 2, end: 3, changes: 4)
    parts.event = NodeEvent(time: 1, change: .changed, revision: [0x61], author: [0x62])
    return parts
  }

  /// A member that is not in the order of text would be missing in all maps.
  @Test func textHasEveryMember() throws {
    var buffer = OutputBuffer(capacity: 0)
    buffer.append(full, with: parts)
    let object = Array("{".utf8) + buffer.bytes.dropFirst() + Array("}".utf8)
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(object)) as? [String: Any])
    var names = Set<String>()
    for (name, value) in found {
      guard let members = value as? [String: Any] else {
        names.insert(name)
        continue
      }
      names.formUnion(members.keys.map { "\(name)_\($0)" })
    }
    // The id comes before the geometry.
    let expected = FeatureMember.allCases.filter {
      $0 != .id && (full.value($0) ?? parts.value($0)) != nil
    }
    #expect(names == Set(expected.map(\.plainName.description)))
    #expect(expected.count > 30)
  }

  @Test func tilesHaveAllTheirMembers() {
    var list: [FeatureMember] = []
    full.eachOfTile { (member, _) in list.append(member) }
    parts.difference?.eachOfTile(nowOf: .fifo) { (member, _) in list.append(member) }
    let left: [FeatureMember] = [.id, .lon, .lat, .links, .loop]
    let expected = FeatureMember.allCases.filter {
      !left.contains($0) && (full.value($0) ?? parts.difference?.value($0, nowOf: .fifo)) != nil
    }
    #expect(Set(list) == Set(expected))
    #expect(list.count == expected.count)
  }

  @Test func namesAreUnique() {
    let names = FeatureMember.allCases.map(\.plainName.description)
    #expect(Set(names).count == names.count)
  }

  @Test func columnsFollowTheOptions() {
    var options = WriterOptions()
    #expect(
      FeatureMember.columns(options) == [
        .id, .path, .name, .kind, .depth, .size, .modified, .minzoom, .lon, .lat, .special,
        .unreadable, .rawPath,
      ])
    (options.totals, options.links, options.loops) = (true, true, true)
    #expect(FeatureMember.columns(options).count == 18)
  }
}
