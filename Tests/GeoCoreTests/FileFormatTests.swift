import GeoCore
import Testing

/// The list of formats.
@Suite struct FileFormatTests {
  @Test func everyFormatIsWrittenOrRead() {
    for format in FileFormat.allCases {
      #expect(!format.holds.isEmpty || !format.reads.isEmpty, "\(format)")
      #expect(format.mediaType.split(separator: "/").count == 2)
      #expect(format.traits.isEmpty || format.holds.contains(.nodes), "\(format)")
    }
    // Except for trees, a format is read only for contents that it can hold.
    for format in FileFormat.allCases where !format.reads.contains(.paths) {
      #expect(format.holds.isSuperset(of: format.reads), "\(format)")
    }
  }

  @Test func endingsAreUnambiguous() {
    for format in FileFormat.allCases {
      for ending in format.endings {
        #expect(FileFormat.named(by: ending, among: [format]) == format)
        #expect(FileFormat.ending(of: Array("a.b/x.\(ending.uppercased())".utf8)) == ending)
      }
    }
    #expect(FileFormat.ending(of: Array("x.geojson/".utf8)) == nil)
    #expect(FileFormat.ending(of: Array(".csv".utf8)) == nil)
  }
}
