import TestSupport
import Testing

@testable import GeoDraw

/// Sheets of two states.
@Suite struct ChangePosterTests {
  private func text(_ poster: Poster) -> String { String(decoding: poster.svg, as: UTF8.self) }

  @Test func namesChangesAndTheirSizes() async throws {
    let svg = text(try await ComparedWorld.usualSheet.value)
    for words in [
      "WHAT CHANGED IN", "270 kB", "285 kB", "+15.0 kB", "before", "after", "difference",
      ">grown<", ">+140 kB · ×15<", ">10.0 kB → 150 kB<", ">shrunk<", ">−120 kB · ×0.25<", ">gone<",
      ">−30.0 kB · gone<", ">fresh<", ">+25.0 kB · new<", ">large.bin<", ">new · 60.0 kB<",
      ">grown/a<", "LARGEST NEW FILES",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    #expect(!svg.contains("woods"))
    #expect(!svg.contains("<image"))
  }

  @Test func areasOfRingsFollowBytes() async throws {
    let svg = text(try await ComparedWorld.usualSheet.value)
    // The circles that rings are made of have a fill opacity of their own.
    let radii = svg.split(separator: "\n").filter {
      $0.hasPrefix("<circle") && $0.contains("fill-opacity=\".68\"")
    }.compactMap { line -> Double? in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      return parts.count > 5 ? Double(parts[5]) : nil
    }
    // After those of the legend: shrunk and grown, the larger size each.
    let found = radii.filter { $0 > 10 }.sorted(by: >)
    try #require(found.count == 2)
    #expect(abs(found[0] * found[0] / (found[1] * found[1]) - 160_000.0 / 150_000) < 0.02)
  }

  @Test func bytesAreTheSameWithAnyNumberOfThreads() async throws {
    let pair = try ComparedWorld.usual()
    let first = try await pair.poster(threads: 1).svg
    for threads in [2, 8] { #expect(try await pair.poster(threads: threads).svg == first) }
    #expect(try await pair.poster { $0.isDark = true }.svg != first)
  }

  @Test func isWellFormedAndLoadsNothing() async throws {
    let pair = try ComparedWorld()
    try pair.file("old", "a&<b>\"'/<script>/]]>", 5000)
    try pair.file("new", "a&<b>\"'/x\u{1}y", 900)
    try pair.file("new", "<i>.bin", 9000)
    let document = try SheetReader(try await pair.poster().svg)
    #expect(document.elements.isDisjoint(with: SheetReader.forbiddenElements))
    #expect(document.missing.isEmpty, "\(document.missing)")
    #expect(document.handlers.isEmpty)
  }

  @Test(arguments: ["80x80", "100x60"])
  func statesWithoutDifferencesAndSmallSheetsAreDrawn(size: String) async throws {
    let pair = try ComparedWorld()
    for state in ["old", "new"] { try pair.file(state, "a/file", 10) }
    let sheet = SheetSize(parsing: Array(size.utf8)) ?? .a3
    _ = try SheetReader(try await pair.poster { $0.size = sheet }.svg)
  }
}
