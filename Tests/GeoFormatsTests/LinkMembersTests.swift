import Foundation
import GeoFormats
import GeoCore
import Testing

/// Optional members of features.
@Suite struct LinkMembersTests {
  private func text(_ facts: EntryFacts, as format: OutputFormat = .geojsonl) -> String {
    String(decoding: GeoFormatsTests.text(ofFile: [0x61], facts: facts, as: format), as: UTF8.self)
  }

  @Test func linksComeBetweenSpecialAndUnreadable() {
    var facts = EntryFacts(size: 1, modified: 1, status: .known, kind: .fifo, links: 2)
    #expect(text(facts).hasSuffix(#","minzoom":3,"special":"fifo","links":2}}"# + "\n"))
    facts.kind = .regular
    facts.links = .max
    #expect(text(facts).hasSuffix(#","minzoom":3,"links":4294967295}}"# + "\n"))
    facts.status = .unreadable
    #expect(text(facts).hasSuffix(#","minzoom":3,"links":4294967295,"unreadable":true}}"# + "\n"))
  }

  /// The formats whose features contain only the members asked for: all except Parquet.
  private static let formats = OutputFormat.allCases.filter { ![.html, .parquet].contains($0) }

  @Test(arguments: formats) func singleLinksAreLeftOut(format: OutputFormat) {
    let facts = EntryFacts(size: 1, modified: 1, status: .known)
    var one = facts
    one.links = 1
    #expect(text(one, as: format) == text(facts, as: format))
    // Tables have no columns for more members.
    var two = facts
    two.links = 2
    #expect((text(two, as: format) == text(facts, as: format)) == !format.isGeoJSON)
  }

  @Test(arguments: formats) func foldersWithEveryMember(format: OutputFormat) throws {
    var folder = sampleWorld[0]
    folder.files = []
    folder.path = [0xFF]
    folder.feature.isUnreadable = true
    folder.feature.size = .max
    folder.feature.modified = .min
    func map() -> String {
      var buffer = OutputBuffer(capacity: 0)
      _ = write([folder], as: format, tippecanoe: format.isGeoJSON, to: &buffer)
      return String(decoding: buffer.bytes, as: UTF8.self)
    }
    let usual = map()
    folder.feature.isLoop = true
    folder.feature.totals = FolderTotals(files: .max, bytes: .max, allocated: .max)
    let most = map()
    guard format.isGeoJSON else {
      // Tables have columns for totals only on request.
      #expect(most == usual)
      return
    }
    let sums = #""files":\#(Int64.max),"bytes":\#(Int64.max),"allocated":\#(Int64.max),"modified":"#
    #expect(most.contains(#""size":\#(Int64.max),"# + sums))
    #expect(most.contains(#","loop":true,"unreadable":true,"rawPath":"#))
    #expect(
      most.replacing(sums, with: #""modified":"#).replacing(#""loop":true,"#, with: "") == usual)
  }
}
