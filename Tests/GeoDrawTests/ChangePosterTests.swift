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
      ">1. grown<", ">+140 kB · ×15<", ">10.0 kB → 150 kB<", ">2. shrunk<", ">−120 kB · ×0.25<",
      ">3. gone<", ">−30.0 kB · gone<", ">fresh<", ">+25.0 kB · new<", ">new · 60.0 kB<",
      ">mostly a<", ">LARGEST NEW FILES<", ">4 files<", ">5 files<", ">+1 file<",
      ">files: 2 added, 1 removed, 2 changed<",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    #expect(!svg.contains("woods"))
    #expect(!svg.contains("<image"))
  }

  /// What moved is said in the rows of both lands, and no row is the sum of others.
  @Test func rowsSayWhatMoved() async throws {
    let pair = try ComparedWorld()
    for number in 0..<3 {
      try pair.file("old", "source/\(number)", 20_000 + number)
      try pair.file("new", "target/\(number)", 20_000 + number)
    }
    for state in ["old", "new"] {
      try pair.file(state, "source/rest", 7_000)
      try pair.file(state, "target/rest", state == "old" ? 5_000 : 9_000)
      for number in 0..<20 {
        try pair.file(state, "small \(number)/file", state == "old" ? 900 : 1_000)
      }
    }
    try pair.file("new", "own", 2_500)
    try pair.file("new", "other", 1_500)
    let svg = text(try await pair.poster { $0.size = .a3 })
    for words in [
      ">60.0 kB of it moved here from source<", ">60.0 kB of it moved away to target<",
      ">1. target<", ">2. source<", ">files in world<", ">2 files<", ">+4.00 kB<",
      "moved: 3 files, 60.0 kB",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    // Rows and the rest are the whole change: 10 kB.
    let pattern = #/>(\d+) other changes: \+([\d.]+) kB</#
    let rest = try #require(svg.firstMatch(of: pattern))
    let small = try #require(Double(rest.output.2))
    let rows = 64.0 - 60 + 4
    #expect(abs(rows + small + 0.1 * Double(20 - (Int(rest.output.1) ?? 0)) - 10) < 0.001)
  }

  @Test func linesOfStatesHaveTheirDates() async throws {
    let svg = text(
      try await ComparedWorld.usual().poster(states: [1_700_000_000, 1_700_600_000]))
    for words in [">14 November 2023<", ">21 November 2023<", ">before → after<"] {
      #expect(svg.contains(words), "\(words)")
    }
  }

  /// A new file says its folder where the name of another land is nearer, and has no square if it
  /// is most of what its land grew by.
  @Test func filesSayTheirFolder() async throws {
    let pair = try ComparedWorld()
    try pair.file("old", "grown/file", 50_000)
    try pair.file("new", "grown/file", 50_000)
    try pair.file("new", "grown/most.bin", 20_000)
    for number in 0..<14 {
      try pair.file("old", "land \(number)/file", 4_000)
      try pair.file("new", "land \(number)/file", 9_000 + number)
    }
    // Its land changed too little for a name.
    try pair.file("old", "level/file", 90_000)
    try pair.file("new", "level/file", 59_000)
    try pair.file("new", "level/large.bin", 30_100)
    let svg = text(try await pair.poster { $0.size = .a3 })
    #expect(svg.contains(">large.bin, in level<") && !svg.contains(">level<"))
    #expect(svg.contains(">new: most.bin, 20.0 kB<") && !svg.contains(">most.bin<"))
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
