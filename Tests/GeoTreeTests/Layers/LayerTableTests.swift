import GeoCore
import GeoSystem
import TestSupport
import Testing

@testable import GeoTree

/// Rows in any order are found by folder and name.
@Suite struct LayerTableTests {
  /// Rows, and folders with the names that are looked up in them.
  struct Table: Sendable, CustomStringConvertible {
    struct Row: Sendable {
      var folder: [UInt8]
      var name: [UInt8]
      /// 0: two layers of numbers; 1: a layer of words.
      var source: Int
      var values: [[UInt8]]

      var path: [UInt8] { folder.isEmpty ? name : folder + [.slash] + name }
    }

    var rows: [Row] = []
    /// Names that have no row, in any folder.
    var others: [[UInt8]] = []
    var memory = 24 << 20
    var seed: UInt64 = 0

    var description: String {
      "memory \(memory), seed \(seed)\n"
        + rows.map {
          "\(TerminalText.escaped($0.path)) (\($0.source)): "
            + $0.values.map { TerminalText.escaped($0) }.joined(separator: ", ")
        }.joined(separator: "\n")
    }
  }

  /// Two folders whose hashes are equal.
  private static func collision(using generator: inout SeededGenerator) -> [[UInt8]] {
    func isName(_ bytes: [UInt8]) -> Bool { !bytes.contains(0) && !bytes.contains(.slash) }
    func bytes(_ word: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    func mix(_ word: UInt64) -> UInt64 {
      let (high, low) = word.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
      return high ^ low ^ 0xE703_7ED1_A0B4_28DB
    }
    let start = UInt64(16) &* 0x9E37_79B9_7F4A_7C15
    let last = bytes(0x6161_6161_6161_6161)
    while true {
      let (a, b) = (generator.next(), generator.next())
      let other = mix(start ^ a) ^ 0x6161_6161_6161_6161 ^ mix(start ^ b)
      let folders = [bytes(a) + last, bytes(b) + bytes(other)]
      if folders.allSatisfy(isName) { return folders }
    }
  }

  private static func generate(using generator: inout SeededGenerator) -> Table {
    var table = Table()
    var folders: [[UInt8]] = ["r", "r/a", "r/a/b", "r/ab", "r/a.", ""].map { Array($0.utf8) }
    if generator.chance(0.3) { folders = collision(using: &generator) + folders.prefix(1) }
    for folder in folders where generator.chance(0.7) {
      let isLarge = generator.chance(0.3)
      var names: Set<[UInt8]> = []
      for _ in 0..<generator.number(in: isLarge ? 100...700 : 0...8) {
        if generator.chance(0.3) {
          // Names that begin other names.
          names.insert([UInt8](repeating: 0x61, count: generator.number(in: 1...200)))
        } else {
          names.insert(Array("\(generator.number(in: 0...2000))".utf8))
        }
      }
      for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        for source in 0...1 where generator.chance(0.6) {
          func number() -> [UInt8] {
            generator.chance(0.2) ? [] : Array("\(generator.number(in: -99...99))".utf8)
          }
          let values =
            source == 0
            ? [number(), number()] : [Array("word \(generator.number(in: 0...5))".utf8)]
          table.rows.append(Table.Row(folder: folder, name: name, source: source, values: values))
        }
      }
    }
    table.others = (0..<20).map { _ in Array("\(generator.number(in: 0...3000))".utf8) }
    table.memory = generator.chance(0.5) ? 24 << 20 : 6 * generator.number(in: 1...8000)
    table.seed = generator.next()
    return table
  }

  private static func layers(_ table: Table) throws -> LayerSet {
    var builder = LayerSetBuilder(memory: table.memory)
    for source in 0...1 {
      try builder.begin(
        "source \(source)",
        source == 0
          ? [.init(name: "a", summary: .sum), .init(name: "b", summary: .max)]
          : [.init(name: "c", summary: .share)])
      var generator = SeededGenerator(seed: table.seed)
      for (line, row) in table.rows.filter({ $0.source == source })
        .shuffled(using: &generator).enumerated()
      {
        try builder.add(path: row.path.span, LayerTexts(row.values), line: line + 1)
      }
    }
    return try builder.finish()
  }

  private static func fault(_ table: Table) throws -> String? {
    let layers = try layers(table)
    let reader = layers.makeReader()
    var generator = SeededGenerator(seed: table.seed)
    var expected: [[UInt8]: [String]] = [:]
    for row in table.rows {
      let start = row.source == 0 ? 0 : 2
      for (index, value) in row.values.enumerated() {
        let text = String(decoding: value, as: UTF8.self)
        expected[row.path, default: ["", "", ""]][start + index] = text
      }
    }
    var missed: Set<[UInt8]> = []
    for (folder, rows) in Dictionary(grouping: table.rows, by: \.folder).sorted(by: {
      $0.key.lexicographicallyPrecedes($1.key)
    }) {
      var names = Set(table.others)
      for name in Set(rows.map(\.name)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let isThere = generator.chance(0.8)
        if isThere { names.insert(name) } else { names.remove(name) }
      }
      for row in rows where !names.contains(row.name) { missed.insert(row.path) }
      let sorted = NameTable(names.sorted { $0.lexicographicallyPrecedes($1) }, kind: .regular)
      var start = 0
      var cells: [LayerCell] = []
      while start < sorted.count {
        let end = generator.number(in: (start + 1)...sorted.count)
        reader.fill(&cells, sorted, start..<end, in: folder)
        for index in start..<end {
          let name = sorted.name(at: index)
          let path = folder.isEmpty ? name : folder + [.slash] + name
          let found = (0..<3).map { layer in
            layers.schema.text(of: cells[(index - start) * 3 + layer], layer)
          }
          if found != expected[path] ?? ["", "", ""] {
            return "\(TerminalText.escaped(path)) has \(found), not \(expected[path] ?? [])"
          }
        }
        start = end
      }
    }
    let unmatched = try layers.unmatched()
    let rows = table.rows.filter { missed.contains($0.path) }
    if unmatched.rows != rows.count { return "\(unmatched.rows) rows unmatched, not \(rows.count)" }
    let counts = [(0, 0), (0, 1), (1, 0)].map { source, index in
      rows.count { $0.source == source && !$0.values[index].isEmpty }
    }
    if unmatched.counts != counts { return "unmatched: \(unmatched.counts), not \(counts)" }
    let paths = rows.map(\.path).sorted { $0.lexicographicallyPrecedes($1) }.prefix(10)
    return unmatched.paths == Array(paths) ? nil : "other paths unmatched: \(unmatched.paths)"
  }

  @Test func rowsAreFoundByFolderAndName() throws {
    let property = Property<Table>(
      "table of layers", generate: { Self.generate(using: &$0) },
      shrink: { table in
        var smaller: [Table] = []
        let half = table.rows.count / 2
        for rows in [table.rows.prefix(half), table.rows.dropFirst(half)] where half > 0 {
          var part = table
          part.rows = Array(rows)
          smaller.append(part)
        }
        for index in table.rows.indices.prefix(30) {
          var part = table
          part.rows.remove(at: index)
          smaller.append(part)
        }
        return smaller
      }, fault: { try Self.fault($0) })
    let found = try property.counterexample(cases: 60)
    #expect(found == nil, "\(found.map(\.description) ?? "")")
  }

  /// Rows, some of them twice; the message names the first line that repeats a path.
  @Test func doubledRowsAreNamed() throws {
    let property = Property<[Int]>("doubled rows") { generator in
      (0..<generator.number(in: 1...30)).map { _ in generator.number(in: 0...20) }
    } shrink: { rows in
      rows.indices.map { index in
        var fewer = rows
        fewer.remove(at: index)
        return fewer
      }
    } fault: { rows in
      var builder = LayerSetBuilder(memory: 4096)
      try builder.begin("x.csv", [.init(name: "a")])
      var expected: String?
      var lines: [Int: Int] = [:]
      for (index, row) in rows.enumerated() {
        if let first = lines[row], expected == nil {
          expected =
            "x.csv, line \(index + 2): 'r/\(row)' has a value already by line \(first); "
            + "each path can be there once"
        }
        if lines[row] == nil { lines[row] = index + 2 }
        try builder.add(path: Array("r/\(row)".utf8).span, LayerTexts(["1".utf8]), line: index + 2)
      }
      do {
        _ = try builder.finish()
        return expected.map { "no error instead of \($0)" }
      } catch let failure as Failure {
        return failure.message == expected ? nil : "'\(failure.message)', not '\(expected ?? "")'"
      }
    }
    let found = try property.counterexample(cases: 200)
    #expect(found == nil, "\(found.map(\.description) ?? "")")
  }

  /// Numbers are those of JSON, and no others.
  @Test func numbersAreThoseOfJSON() throws {
    let grammar = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
    var generator = SeededGenerator(seed: 46)
    let characters = Array("00112359..--+eE x")
    for _ in 0..<20_000 {
      let text = String(
        (0..<generator.number(in: 0...(generator.chance(0.1) ? 25 : 7))).map { _ in
          characters[generator.number(in: 0...(characters.count - 1))]
        })
      let number = LayerNumber(Array(text.utf8).span)
      let double = (try? grammar.wholeMatch(in: text)) != nil ? Double(text) : nil
      let expected = double.flatMap { $0.isFinite ? $0 : nil }
      #expect(number?.double == expected, "\(text)")
      guard case .whole(let whole)? = number else { continue }
      #expect(Double(whole) == expected && whole.magnitude < 1 << 53, "\(text)")
    }
    for (text, isWhole) in [("9007199254740991", true), ("9007199254740992", false), ("-0", true)] {
      let number = LayerNumber(Array(text.utf8).span)
      if case .whole? = number { #expect(isWhole) } else { #expect(!isWhole && number != nil) }
    }
  }
}

extension LayerSchema {
  /// What a cell says, as in a table.
  fileprivate func text(of cell: LayerCell, _ layer: Int) -> String {
    switch layers[layer].value(of: cell, words) {
    case nil: ""
    case .integer(let number)?: "\(number)"
    case .number(let number)?: "\(number)"
    case .word(let word)?: String(decoding: word, as: UTF8.self)
    }
  }
}
