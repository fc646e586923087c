import TestSupport
import Testing

@testable import GeoSources

/// Any list is read to its end, and the result keeps its order.
@Suite struct FuzzTests {
  @Test func mutatedListsAreReadOrReported() async throws {
    for seed in TestScale.seeds(400) {
      var generator = SeededGenerator(seed: seed)
      let format = ListFormat.allCases.randomElement(using: &generator) ?? .lines
      let tree = Tree.random(
        Tree.Shape(nodes: 20, alphabet: 0x41...0xFF), roots: 1, using: &generator)
      let listed = ListedTree(tree.folders[0].contents, hasFacts: true)
      var bytes =
        format.isExport
        ? Array("[1,2,{},".utf8) + tree.folders[0].contents.export(using: &generator) + [93]
        : Array(listed.entries(format).shuffled(using: &generator).joined())
      bytes.mutate(
        0...6, inserting: Array("\0\n/. -0129\"\\[]{},:u\u{FF}".utf8), using: &generator)
      let listing = try await list(
        bytes, format, zero: generator.chance(0.8), memory: generator.chance(0.5) ? 1 : 1 << 20)
      let root = listing.lines.first ?? ""
      #expect(root.hasPrefix("r/ "), "seed \(seed): \(root)")
      #expect(!listing.lines.contains { $0.hasSuffix("out of order") }, "seed \(seed)")
      #expect(Set(listing.lines).count == listing.lines.count, "seed \(seed)")
    }
  }
}
