import Foundation
import GeoCore
import GeoFormats
import GeoProjection
import Testing

/// Properties of features of several states.
@Suite struct FeaturePartsTests {
  /// All parts, with texts of the bytes that expand most.
  private var most: FeatureParts {
    var difference = NodeDifference(.left)
    difference.was = EntryFacts(size: .min, modified: .min, status: .known, kind: .character)
    difference.otherPath = [UInt8](repeating: 0xFF, count: 999) + [UInt8](repeating: 1, count: 999)
    var below = ChangesBelow()
    (below.counts.added, below.counts.removed) = (.max / 4, .max / 4)
    (below.counts.changed, below.counts.moved, below.bytes) = (.max / 4, 1, .min)
    difference.below = below
    var parts = FeatureParts(of: .fifo)
    parts.difference = difference
    let last = CivilTime.unixSeconds.upperBound
    parts.life = NodeLife(number: .max, start: last, end: last, changes: .max)
    let text = [UInt8](repeating: 0x22, count: 999)
    parts.event = NodeEvent(
      time: last * 1000 + 999, change: .removed, revision: text, author: text)
    parts.states = Array(
      repeating: FolderTotals(files: .max, bytes: .max, allocated: nil), count: 9)
    return parts
  }

  /// Debug builds check that the reserved space is enough.
  @Test(arguments: OutputFormat.allCases, [FeatureTable.nodes, .changes, .lives, .events])
  func longestMembersFit(format: OutputFormat, table: FeatureTable) {
    for quotesAll in [false, true] {
      var options = WriterOptions()
      (options.table, options.quotesAll) = (table, quotesAll)
      let writer = FeatureWriter(format: format, options: options)
      var buffer = OutputBuffer(capacity: 0)
      writer.enterFolder(path: sampleWorld[0].path)
      writer.setParts(most)
      writer.writeFolder(sampleWorld[0].feature, sampleWorld[0].shape, to: &buffer)
      let folder = buffer.count
      _ = writer.writeFiles(
        NameTable([[0xFF, 0x22]]), 0..<1,
        places: [FilePlace(seed: .max, coordinate: Coordinate(longitude: 1, latitude: 1))],
        facts: [EntryFacts()], FileBatch(depth: 1, digits: 1, minzoom: 3), to: &buffer)
      #expect(folder > 0 && buffer.count > folder)
    }
  }

  @Test func membersAreJSON() throws {
    let object = Array("{".utf8) + most.members.dropFirst() + Array("}".utf8)
    let members = try JSONSerialization.jsonObject(with: Data(object)) as? [String: Any]
    #expect(
      members?.keys.sorted() == [
        "author", "below", "change", "changes", "end", "life", "rawTo", "revision", "start",
        "states", "time", "to", "was",
      ])
    #expect(FeatureParts(of: .regular).members == [])
  }

  @Test func theFirstFeatureLosesItsSeparator() {
    for format in OutputFormat.allCases {
      let writer = FeatureWriter(format: format)
      var buffer = OutputBuffer(capacity: 0)
      var hasFeatures = false
      buffer.append("head")
      writer.removeSeparator(at: 4, unless: &hasFeatures, from: &buffer)
      #expect(!hasFeatures && buffer.text == "head")
      buffer.append(",\n{")
      for _ in 0..<2 { writer.removeSeparator(at: 4, unless: &hasFeatures, from: &buffer) }
      #expect(hasFeatures)
      #expect(buffer.text == (format == .geojson ? "head\n{" : "head,\n{"))
    }
  }
}
