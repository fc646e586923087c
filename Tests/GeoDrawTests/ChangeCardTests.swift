import Foundation
import TestSupport
import Testing

@testable import GeoDraw

/// Cards of two states.
@Suite struct ChangeCardTests {
  private func text(_ card: ChangeCard) -> String { String(decoding: card.svg, as: UTF8.self) }

  @Test func namesTheSumsAndTheThreeLargestChanges() async throws {
    let svg = text(try await ComparedWorld.usual().card())
    for words in [
      "width=\"1200\" height=\"630\" viewBox=\"0 0 600 315\"",
      "<title>world: before → after, +15.0 kB, +1 file</title>", ">world<", ">before → after<",
      ">+15.0 kB<", ">270 kB → 285 kB<", ">+1 file<", ">4 → 5<", "LARGEST CHANGES", ">1. grown<",
      ">+140 kB · ×15<", ">10.0 kB → 150 kB, mostly a<", ">2. shrunk<",
      ">−120 kB · ×0.25<", ">3. gone<", ">−30.0 kB · gone<",
      ">files: 2 added, 1 removed, 2 changed<",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
    // The fourth has a sign, but no name.
    #expect(!svg.contains("fresh"))
    // Rows and map have the same names with the same ranks.
    for name in ["1. grown", "2. shrunk", "3. gone"] {
      #expect(svg.components(separatedBy: ">\(name)<").count == 3, "\(name)")
    }
  }

  /// The numbers on a card are those of the states, for any files at the top.
  @Test func sumsAndFactorsFollowFromTheStates() async throws {
    for seed in TestScale.seeds(2) {
      var generator = SeededGenerator(seed: seed)
      let world = try ComparedWorld()
      var sizes: [(old: Int, new: Int)] = []
      for number in 0..<4 {
        let old = generator.number(in: 1...99) * 1000
        sizes.append((old, old + (number + 1) * 100_000))
        try world.file("old", "\(number)", sizes[number].old)
        try world.file("new", "\(number)", sizes[number].new)
      }
      let svg = text(try await world.card())
      for (number, size) in sizes.enumerated() {
        let row =
          ">+\(SheetText.bytes(Double(size.new - size.old))) · "
          + SizeChange(.grew, from: Int64(size.old), to: Int64(size.new)).factor + "<"
        #expect(svg.contains(row) == (number > 0), "\(row)")
      }
      let sums = (sizes.reduce(0) { $0 + $1.old }, sizes.reduce(0) { $0 + $1.new })
      #expect(
        svg.contains(">\(SheetText.bytes(Double(sums.0))) → \(SheetText.bytes(Double(sums.1)))<"))
    }
  }

  @Test func showsTheDeepestFolderWithAllChanges() async throws {
    let world = try ComparedWorld()
    for state in ["old", "new"] {
      for name in ["a", "b", "deep/c", "deep/d"] { try world.file(state, "\(name)/file", 5000) }
      for name in ["x", "y", "z"] {
        try world.file(state, "deep/c/\(name)/file", state == "old" ? 3000 : 9000)
      }
    }
    let svg = text(try await world.card())
    for words in [
      ">in deep/c<", "changed · apparent size<", ">1. x<", ">2. y<", ">3. z<", ">+6.00 kB · ×3<",
    ] {
      #expect(svg.contains(words), "\(words)")
    }
  }

  @Test func bytesAreTheSameWithAnyNumberOfThreads() async throws {
    let world = try ComparedWorld.usual()
    let first = try await world.card(threads: 1).svg
    #expect(try await world.card(threads: 8).svg == first)
  }

  @Test func escapesNamesAndLoadsNothing() async throws {
    let world = try ComparedWorld()
    try world.file("old", "a&<b>\"'/<script>/]]>", 5000)
    try world.file("new", "a&<b>\"'/x\u{1}y", 900)
    try world.file("new", "<i>.bin", 9000)
    let card = try await world.card { ($0.isDark, $0.title) = (true, Array("</title> & B".utf8)) }
    #expect(text(card).contains(">&lt;/title&gt; &amp; B<") && text(card).contains("#1b2227"))
    let document = try SheetReader(card.svg)
    #expect(document.elements.isDisjoint(with: SheetReader.forbiddenElements))
    #expect(document.missing.isEmpty && document.handlers.isEmpty)
    #expect(document.references.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("url(#") })
  }

  @Test func equalStatesAreReported() async throws {
    let world = try ComparedWorld()
    for state in ["old", "new"] { try world.file(state, "a/file", 10) }
    let svg = text(try await world.card())
    for words in ["NOTHING DIFFERS", ">±0<", ">10 bytes → 10 bytes<", ">±0 files<", ">1 → 1<"] {
      #expect(svg.contains(words), "\(words)")
    }
    _ = try SheetReader(try await ComparedWorld().card().svg)
  }
}
