import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// A list gives the same result in any order and with any amount of memory.
@Suite struct OrderTests {
  private struct Case: Sendable, CustomStringConvertible {
    var tree: Tree
    var seed: UInt64
    var description: String { "seed \(seed)\n\(tree)" }
  }

  private static func makeCase(_ generator: inout SeededGenerator) -> Case {
    // Every byte that names can have.
    let alphabet: ClosedRange<UInt8> = generator.chance(0.5) ? 0x61...0x62 : 0x30...0xFF
    let shape = Tree.Shape(
      nodes: generator.number(in: 0...250), folders: 0.3, depth: 0.4, alphabet: alphabet)
    let trees = Tree.random(shape, roots: 1, using: &generator)
    return Case(tree: trees.folders[0].contents, seed: generator.next())
  }

  private func check(
    _ name: String, cases: Int,
    _ fault: @escaping @Sendable (Tree, inout SeededGenerator) async throws -> String?
  ) async throws {
    for seed in TestScale.seeds(cases) {
      var generator = SeededGenerator(seed: seed)
      let one = Self.makeCase(&generator)
      let found = try await fault(one.tree, &generator)
      #expect(found == nil, "\(name), seed \(seed): \(found ?? "")")
    }
  }

  private static func difference(_ listing: Listing, _ tree: ListedTree) -> String? {
    if !listing.faults.isEmpty { return "faults: \(listing.faults)" }
    if listing.lines == tree.lines { return nil }
    let index = zip(listing.lines, tree.lines).prefix { $0 == $1 }.count
    return "line \(index): \(listing.lines.dropFirst(index).first ?? "none") in place of "
      + "\(tree.lines.dropFirst(index).first ?? "none")"
  }

  @Test func orderOfListsChangesNothing() async throws {
    try await check("lists in any order", cases: 25) { tree, generator in
      for format in [ListFormat.lines, .find] {
        let listed = ListedTree(tree, hasFacts: format == .find)
        var entries = listed.entries(format)
        // A list in the order of the map doesn't need sorting.
        var listing = try await list(Array(entries.joined()), format, zero: true)
        if let fault = Self.difference(listing, listed) { return "ordered: \(fault)" }
        // Some entries twice, and some folders left out.
        entries += entries.filter { _ in generator.chance(0.1) }
        entries.shuffle(using: &generator)
        for memory in [1, 1 << 20] {
          listing = try await list(Array(entries.joined()), format, zero: true, memory: memory)
          if let fault = Self.difference(listing, listed) { return "memory \(memory): \(fault)" }
        }
      }
      return nil
    }
  }

  @Test func orderOfExportsChangesNothing() async throws {
    try await check("exports in any order", cases: 25) { tree, generator in
      let listed = ListedTree(tree, hasFacts: true)
      let export = tree.export(using: &generator)
      let bytes = Array("[1,2,{\"progname\":\"x\"},\n".utf8) + export + Array("]\n".utf8)
      for memory in [1, 1 << 20] {
        let listing = try await list(bytes, .ncdu, memory: memory)
        if let fault = Self.difference(listing, listed) { return fault }
      }
      return nil
    }
  }

  /// More entries than one run holds, in runs longer than a read buffer.
  @Test func mergesManyRuns() async throws {
    let count = 30_000
    let order = (0..<count).map { $0 * 7919 % count }
    let text = order.map { "d\($0 % 7)/\($0)-\(String(repeating: "n", count: 40))\n" }.joined()
    let listing = try await list(Array(text.utf8), memory: 800_000)
    #expect(listing.faults.isEmpty)
    #expect(listing.lines.count == count + 8)
    #expect(!listing.lines.contains("out of order"))
  }
}
