import GeoFormats
import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoChange

/// The list of differences, in which a folder that was added, removed or moved as a whole counts
/// once.
@Suite struct ChangeListTests {
  private func tree(_ pair: StatePair) async throws -> ChangeTree {
    let comparison = Comparison(
      old: [MemorySource(pair.old).root("x")], new: [MemorySource(pair.new).root()])
    var batches = try await comparison.start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    return try batches.finish()
  }

  private func rows(of tree: ChangeTree) -> [ChangeList.Item] {
    ChangeList(tree, by: .folder, kinds: ChangeList.allKinds, limit: .max).items
  }

  /// The number of files that the rows cover.
  private func count(_ rows: [ChangeList.Item], _ change: NodeChange) -> Int {
    rows.filter { $0.change == change }.reduce(0) { $0 + $1.files }
  }

  @Test(arguments: TestScale.seeds(80)) func eachFileIsInOneRow(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var pair = StatePair.random(mayFail: false, using: &random)
    // A folder that moved, into a folder that may be new and contain more.
    for number in 0..<random.number(in: 0...3) {
      let file = MemoryState.Entry.file(
        kind: .regular, size: Int64(1000 + number), seconds: Int64(number), nanoseconds: 0)
      for (path, entry) in [("from/in", .folder), ("from/in/\(number)", file)]
        as [(String, MemoryState.Entry)]
      {
        pair.old.entries[path] = entry
        pair.new.entries["to/\(path)"] = entry
      }
      pair.old.entries["from"] = .folder
      for folder in ["to", "to/from"] { pair.new.entries[folder] = .folder }
      if random.chance(0.5) { pair.new.entries["to/other"] = file }
    }
    let tree = try await tree(pair)
    let (rows, counts) = (rows(of: tree), tree.total.counts)
    #expect(count(rows, .added) == counts.added, "seed \(seed)\n\(pair)")
    #expect(count(rows, .removed) == counts.removed, "seed \(seed)\n\(pair)")
    #expect(count(rows, .changed) == counts.changed, "seed \(seed)\n\(pair)")
    #expect(count(rows, .moved) == counts.moved, "seed \(seed)\n\(pair)")
  }

  @Test func aFolderThatMovedIntoANewOneIsARow() async throws {
    var pair = StatePair(old: MemoryState(), new: MemoryState())
    for number in 1...3 {
      let file = MemoryState.Entry.file(
        kind: .regular, size: Int64(number), seconds: Int64(number), nanoseconds: 0)
      pair.old.entries["a/x/\(number)"] = file
      pair.new.entries["b/x/\(number)"] = file
      pair.new.entries["b/other \(number)"] = .file(
        kind: .regular, size: 10, seconds: 9, nanoseconds: 0)
    }
    for folder in ["a", "a/x"] { pair.old.entries[folder] = .folder }
    for folder in ["a", "b", "b/x"] { pair.new.entries[folder] = .folder }
    let tree = try await tree(pair)
    let rows = rows(of: tree)
    #expect(rows.map(\.change) == [.added, .moved])
    #expect(rows.map(\.files) == [3, 3])
    let origin = try #require(rows.last?.otherFolder)
    #expect(tree.path(of: origin).suffix(4).elementsEqual("/a/x".utf8))
  }
}
