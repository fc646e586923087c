import GeoCore
import TestSupport
import Testing

/// A table returns the names it was given, sorted.
@Suite struct NameTableTests {
  /// Names that often share a prefix, as long as a record holds or longer.
  private func names(_ count: Int, _ generator: inout SeededGenerator) -> [[UInt8]] {
    let stems = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghabcdefghab", "\u{FF}z"]
    return (0..<count).map { _ in
      let stem = stems[generator.number(in: 0...(stems.count - 1))]
      let tail = (0..<generator.number(in: 1...(generator.chance(0.2) ? 20 : 2))).map { _ in
        UInt8(generator.chance(0.5) ? generator.number(in: 97...98) : generator.number(in: 1...255))
      }
      return Array(stem.utf8) + tail
    }
  }

  @Test(arguments: UInt64(1)...40) func namesComeInTheOrderOfTheirBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = [0, 1, 2, 15, 16, 17, 31, 32, 33, 100, 1000][Int(seed % 11)]
    var names = names(count, &generator)
    switch seed % 4 {
    case 0: names.sort { $0.lexicographicallyPrecedes($1) }
    case 1: names.sort { $1.lexicographicallyPrecedes($0) }
    default: break
    }
    var table = NameTable()
    // The kind distinguishes equal names, because sorting has to be stable.
    for (index, name) in names.enumerated() {
      table.append(name.span, kind: index % 2 == 0 ? .regular : .symlink)
    }
    table.sort()
    let ordered = names.indices.sorted { a, b in
      names[a] == names[b] ? a < b : names[a].lexicographicallyPrecedes(names[b])
    }
    #expect(table.count == count)
    #expect((0..<count).map { table.name(at: $0) } == ordered.map { names[$0] }, "seed \(seed)")
    #expect(
      table.records.map(\.kind) == ordered.map { $0 % 2 == 0 ? .regular : .symlink },
      "seed \(seed)")
    for name in names { #expect(table.contains(name)) }
    #expect(!table.contains(Array("none of them".utf8)))
  }

  @Test func prefixesComeFirst() {
    let names = ["12345678", "1234567", "123456789", "1234567812345678", "12345678123456780", ""]
    var table = NameTable(names.map { Array($0.utf8) })
    table.sort()
    #expect(
      (0..<names.count).map { String(decoding: table.name(at: $0), as: UTF8.self) }
        == ["", "1234567", "12345678", "1234567812345678", "12345678123456780", "123456789"])
  }
}
