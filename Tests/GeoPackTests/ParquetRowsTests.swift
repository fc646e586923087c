import GeoEmit
import TestSupport
import Testing

@testable import GeoPack

/// Where row groups end.
@Suite struct ParquetRowsTests {
  /// Rows that are points, by what they are sorted.
  private func rows(_ keys: [UInt64]) -> ParquetRows {
    var rows = ParquetRows()
    for (number, key) in keys.enumerated() {
      var record = [UInt8](repeating: 0, count: NodeRecord.path + 4)
      record[NodeRecord.id] = UInt8(truncatingIfNeeded: number)
      rows.add(record.span, sortedBy: key)
    }
    return rows
  }

  private func ids(_ rows: ParquetRows) -> [UInt8] { rows.starts.map { rows.bytes[$0] } }

  @Test(
    arguments: [
      // Before the place where the curve leaves the largest square,
      ([0, 1, 2, 3, 4, 5, 64, 65, 66, 67], 68, 6),
      // the later of two such places,
      ([0, 1, 2, 3, 4, 5, 32, 33, 64, 65], 66, 8),
      // which may be the end,
      ([0, 1, 2, 3, 4, 5, 64, 65, 66, 67], 1024, 10),
      // but no place in the first half.
      ([0, 1, 64, 65, 66, 67, 68, 68, 68, 68], 68, 6),
      ([0, 0, 0, 0], 0, 4), ([7], 8, 1),
    ] as [([UInt64], UInt64, Int)])
  func groupsEndWhereTheCurveLeavesALargeSquare(_ keys: [UInt64], _ next: UInt64, _ cut: Int) {
    #expect(rows(keys).bestCut(before: next) == cut)
  }

  @Test func aSplitLosesNothing() {
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed)
      let keys = (0..<generator.number(in: 1...40)).map { _ in
        UInt64.random(in: 0...99, using: &generator)
      }
      let all = rows(keys)
      for index in 0...keys.count {
        var first = all
        let rest = first.split(at: index)
        #expect(first.count == index && rest.count == keys.count - index, "seed \(seed)")
        #expect(first.keys + rest.keys == keys, "seed \(seed)")
        #expect(ids(first) + ids(rest) == ids(all), "seed \(seed)")
        #expect(first.boxes.count == index && rest.boxes.count == keys.count - index)
        #expect(first.bytes.count + rest.bytes.count == all.bytes.count)
      }
    }
  }
}
