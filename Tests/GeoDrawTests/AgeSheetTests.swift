import TestSupport
import Testing

@testable import GeoDraw

/// Sheets whose land has colours of age.
@Suite struct AgeSheetTests {
  /// Folders of which each changed at another time, the last ones within a few days.
  private func sheet(_ ages: [Int]) async throws -> Poster {
    let world = try DrawnWorld()
    for (index, age) in ages.enumerated() {
      try world.folder.makeFile("world/land \(index)/file", "text")
      try world.folder.setModified("world/land \(index)/file", 1_700_000_000 - age * 86_400)
    }
    return try await world.poster { ($0.shading, $0.date) = (.age, 1_700_000_000) }
  }

  @Test func eachClassHasSomeOfTheLands() async throws {
    let svg = String(
      decoding: try await sheet([1, 2, 3, 4, 6, 8, 9, 11, 13, 20]).svg, as: UTF8.self)
    // A land and a swatch of the legend at least.
    for words in ["within three days<", "within a week<", "within 13 days<", "longer ago<"] {
      #expect(svg.contains(words), "\(words)")
    }
    #expect(svg.contains("changed last: land 0, 13 November 2023"))
    #expect(!svg.contains("within a year"))
  }

  @Test func landsOfOneAgeShareAClass() async throws {
    let svg = String(decoding: try await sheet([5, 5, 5]).svg, as: UTF8.self)
    #expect(!svg.contains("longer ago") && svg.contains(">all about equally old<"))
  }
}
