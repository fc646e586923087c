import GeoChange
import GeoFormats
import GeoPipeline
import GeoTree
import TestSupport
import Testing

@testable import GeoDraw

/// Sheets of two states.
@Suite struct ChangePosterTests {
  /// Two states of folders on disk, and sheets of them.
  private struct Pair {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func file(_ state: String, _ path: String, _ size: Int) throws {
      try folder.makeFile("\(state)/\(path)", String(repeating: "x", count: size))
    }

    func poster(
      threads: Int = 2, _ change: (inout PosterOptions) -> Void = { _ in }
    ) async throws -> Poster {
      func root(_ state: String) -> ScanRoot {
        ScanRoot(label: Array("world".utf8), directory: Array(folder(state).utf8))
      }
      var comparison = Comparison(old: [root("old")], new: [root("new")])
      comparison.keepsSums = true
      comparison.scan.threads = threads
      let world = try WorldRoots(comparison.union, .settled)
      var batches = try await comparison.start().makeAsyncIterator()
      while try await batches.next(isolation: nil) != nil {}
      let tree = try batches.finish()
      var options = PosterOptions()
      options.size = SheetSize(parsing: Array("170x120".utf8)) ?? .a3
      options.wantsRoom = false
      change(&options)
      return try Poster(
        of: try await TreeTotals.all(of: world.roots, options: comparison.scan),
        by: world.engine, showing: .world, options,
        comparing: ComparedStates(
          tree, [MapState(name: Array("before".utf8)), MapState(name: Array("after".utf8))]))
    }
  }

  private func usual() throws -> Pair {
    let pair = try Pair()
    for state in ["old", "new"] {
      try pair.file(state, "same/file", 70_000)
      try pair.file(state, "grown/a/file", state == "old" ? 10_000 : 90_000)
      try pair.file(state, "shrunk/file", state == "old" ? 160_000 : 40_000)
    }
    try pair.file("old", "gone/file", 30_000)
    try pair.file("new", "fresh/file", 25_000)
    try pair.file("new", "grown/a/large.bin", 60_000)
    return pair
  }

  private func text(_ poster: Poster) -> String { String(decoding: poster.svg, as: UTF8.self) }

  @Test func saysWhatChangedAndByHowMuch() async throws {
    let svg = text(try await usual().poster())
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
    let svg = text(try await usual().poster())
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
    let pair = try usual()
    let first = try await pair.poster(threads: 1).svg
    for threads in [2, 8] { #expect(try await pair.poster(threads: threads).svg == first) }
    #expect(try await pair.poster { $0.isDark = true }.svg != first)
  }

  @Test func isWellFormedAndNeedsNothingFromElsewhere() async throws {
    let pair = try Pair()
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
    let pair = try Pair()
    for state in ["old", "new"] { try pair.file(state, "a/file", 10) }
    let sheet = SheetSize(parsing: Array(size.utf8)) ?? .a3
    _ = try SheetReader(try await pair.poster { $0.size = sheet }.svg)
  }
}
