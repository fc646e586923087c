import GeoFormats
import TestSupport
import Testing

@testable import GeoFormats

/// Where row groups end.
@Suite struct ParquetRowsTests {
  /// Rows of points with the given sort keys.
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
  func groupsEndAtLargeSquaresOfTheCurve(_ keys: [UInt64], _ next: UInt64, _ cut: Int) {
    #expect(rows(keys).bestCut(before: next) == cut)
  }

  @Test func aSplitLosesNothing() {
    for seed in TestScale.seeds(20) {
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

  /// A record of a node, whose name begins at an offset in the path.
  private func record(_ path: [UInt8], name: Int, isLand: Bool) -> [UInt8] {
    var record = [UInt8](repeating: 0, count: NodeRecord.path)
    if isLand { record[NodeRecord.flags] = UInt8(NodeRecord.Flags.ring.rawValue) }
    record[NodeRecord.name] = UInt8(name)
    record += [UInt8(path.count), 0, 0, 0] + path
    // A ring without positions.
    return record + [0, 0, 0, 0]
  }

  @Test func rowsOfAFolderAreAdjacent() {
    for seed in TestScale.seeds(50) {
      var generator = SeededGenerator(seed: seed)
      var rows = ParquetRows()
      for number in 0..<generator.number(in: 1...60) {
        let folder = (0..<generator.number(in: 0...2)).map { _ in
          UInt8.random(in: 97...98, using: &generator)
        }
        let name = (0..<generator.number(in: 1...10)).map { _ in
          UInt8.random(in: 254...255, using: &generator)
        }
        let record = record(
          folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name,
          name: folder.isEmpty ? 0 : folder.count + 1, isLand: Bool.random(using: &generator))
        rows.add(record.span, sortedBy: UInt64(number))
      }
      let before = rows
      rows.arrange()
      let bytes = rows.bytes.span
      let places = rows.starts.enumerated().map { (row, start) in
        let isPoint = !ParquetRow.flags(bytes, start).contains(.ring)
        let folder = ParquetRow.folder(bytes, start).map { Array(rows.bytes[$0]) }
        #expect(
          folder == rows.folders.numbers[row].map { Array(rows.bytes[rows.folders.paths[Int($0)]]) }
        )
        return [isPoint ? 1 : 0, folder == nil ? 0 : 1] + (folder ?? []) + [0]
          + rows.bytes[ParquetRow.name(bytes, start)]
      }
      #expect(
        zip(places, places.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) },
        "seed \(seed)")
      #expect(rows.keys.map { before.starts[Int($0)] } == rows.starts, "seed \(seed)")
      #expect(rows.starts.sorted() == before.starts, "seed \(seed)")
    }
  }
}
