import GeoCore
import TestSupport
import Testing

@testable import GeoFormats

/// Records come out sorted by key; records with equal keys keep their order.
@Suite struct RecordSorterTests {
  /// Records identified by their contents, and how they were split into batches.
  struct Case: Sendable, CustomStringConvertible {
    var keys: [UInt64]
    var lengths: [Int]
    var memory: Int

    var description: String { "keys \(keys), lengths \(lengths), \(memory) bytes" }

    var contents: [[UInt8]] {
      zip(keys.indices, lengths).map { (index, length) in
        (0..<length).map { UInt8(truncatingIfNeeded: index * 31 + $0) }
      }
    }
  }

  private static func record(_ key: UInt64, _ content: [UInt8]) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: key >> UInt64(8 * $0)) }
      + (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
  }

  private static func sorted(_ example: Case) throws -> SortedRecords {
    var sorter = RecordSorter(memory: example.memory)
    var batch: [UInt8] = []
    for (index, content) in example.contents.enumerated() {
      batch += record(example.keys[index], content)
      if index % 7 == 3 {
        try sorter.add(batch.span)
        batch = []
      }
    }
    try sorter.add(batch.span)
    return try sorter.finish()
  }

  private static func contents(_ records: SortedRecords) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    var cursor = records.cursor()
    while try cursor.advance() {
      found.append(cursor.withContent { Array(copying: $0) })
    }
    #expect(try !cursor.advance())
    return found
  }

  @Test func sortsStably() throws {
    let property = Property<Case>(
      "sorted and stable",
      generate: { generator in
        let count = Int.random(in: 0...400, using: &generator)
        let kinds = UInt64.random(in: 1...50, using: &generator)
        return Case(
          keys: (0..<count).map { _ in
            UInt64.random(in: 0..<kinds, using: &generator) &* 0x9E37_79B9_7F4A_7C15
          },
          lengths: (0..<count).map { _ in Int.random(in: 0...120, using: &generator) },
          // Up to about ten runs, each larger than a record.
          memory: [4096, 8192, 1 << 20].randomElement(using: &generator) ?? 4096)
      },
      shrink: { example in
        stride(from: 0, to: example.keys.count, by: max(1, example.keys.count / 8)).map { start in
          var smaller = example
          let range = start..<min(example.keys.count, start + max(1, example.keys.count / 8))
          smaller.keys.removeSubrange(range)
          smaller.lengths.removeSubrange(range)
          return smaller
        }
      },
      fault: { example in
        let records = try Self.sorted(example)
        let order = example.keys.indices.sorted {
          (example.keys[$0], $0) < (example.keys[$1], $1)
        }
        let contents = example.contents
        let expected = order.map { contents[$0] }
        // They can be read more than once.
        for _ in 0..<2 where try Self.contents(records) != expected { return "another order" }
        return nil
      })
    let found = try property.counterexample(cases: 60)
    #expect(found == nil, "\(found.map(\.description) ?? "")")
  }

  @Test func writesRunsBeyondItsMemory() throws {
    let example = Case(
      keys: (0..<1000).map { UInt64($0 % 13) }, lengths: Array(repeating: 100, count: 1000),
      memory: 4096)
    #expect(try Self.sorted(example).runCount > 10)
  }

  @Test func sortsARecordLargerThanItsMemory() throws {
    let example = Case(keys: [3, 2, 1], lengths: [10, 1_000_000, 10], memory: 4096)
    #expect(try Self.contents(Self.sorted(example)).map(\.count) == [10, 1_000_000, 10])
  }
}
