import GeoCore
import TestSupport
import Testing

@testable import GeoTree

/// What folders say of layers, compared with a sum over lists.
@Suite struct LayerSumsTests {
  private struct File: Sendable {
    var cells: [LayerCell]
    /// nil if unknown.
    var bytes: Int64?
  }

  private struct Folder: Sendable, CustomStringConvertible {
    var own: [LayerCell]
    var files: [File]
    var folders: [Folder]

    var description: String { "(\(own) \(files) \(folders))" }

    /// All files below it, in the order of the map.
    var all: [File] { files + folders.flatMap(\.all) }
  }

  private static let layers: [Layer] =
    Layer.Summary.allCases.flatMap { summary in
      [true, false].map { Layer(name: "x", summary: summary, isWhole: $0) }
    }
  private static let words: LayerWords = {
    let words = LayerWords()
    for word in ["b", "a", "c"] { _ = words.number(of: Array(word.utf8)) }
    return words
  }()

  private static func cells(using generator: inout SeededGenerator) -> [LayerCell] {
    layers.map { layer in
      if generator.chance(0.4) { return .none }
      // Sums of these differ by their order.
      let fractions = [0.1, 0.2, 0.7, 1e16, -1e16, 1e308, -3, 2.5e-300]
      func number() -> Double { fractions[generator.number(in: 0...(fractions.count - 1))] }
      switch (layer.kind, layer.summary) {
      case (.word, _): return LayerCell(word: generator.number(in: 0...2))
      case (.integer, _): return LayerCell(integer: Int64(generator.number(in: -9...9)))
      case (_, .ratio): return LayerCell(number(), of: Double(generator.number(in: 1...9)))
      case (.number, _): return LayerCell(number: number())
      }
    }
  }

  private static func folder(depth: Int, using generator: inout SeededGenerator) -> Folder {
    Folder(
      own: generator.chance(0.2) ? cells(using: &generator) : layers.map { _ in .none },
      files: (0..<generator.number(in: 0...3)).map { _ in
        File(
          cells: cells(using: &generator),
          bytes: generator.chance(0.05) ? nil : Int64(generator.number(in: 0...3)))
      },
      folders: depth > 3
        ? []
        : (0..<generator.number(in: 0...2)).map { _ in
          folder(depth: depth + 1, using: &generator)
        })
  }

  /// What all folders say, in the order of the map, in text.
  private static func sums(_ roots: [Folder]) -> [String] {
    var sums = LayerSums(LayerSchema(layers: layers, words: words))
    var said: [[LayerCell]] = []
    func add(_ folder: Folder) {
      let number = said.count
      said.append(layers.map { _ in .none })
      sums.begin(folder.own[...])
      var parts: [LayerPart] = []
      for file in folder.files {
        for (layer, cell) in file.cells.enumerated() where cell.isThere {
          var facts = EntryFacts()
          if let bytes = file.bytes { (facts.size, facts.status) = (bytes, .sized) }
          parts.add(LayerPart(layer: layer, cell, facts), layers[layer], from: 0)
        }
      }
      for part in parts { sums.add(part) }
      for inner in folder.folders { add(inner) }
      sums.end { said[number][$0] = $1 }
    }
    for root in roots { add(root) }
    return said.map { cells in
      cells.enumerated().map { text(of: $1, layers[$0]) }.joined(separator: " ")
    }
  }

  private static func text(of cell: LayerCell, _ layer: Layer) -> String {
    if !cell.isThere { return "-" }
    let more = layer.kind == .word ? ",\(cell.share)" : ",\(cell.count)"
    let detail = layer.folderMember == nil ? "" : more
    guard let value = layer.value(of: cell, words) else { return "none" + detail }
    return "\(value)" + detail
  }

  private static func clamped(_ sum: Double) -> Double {
    max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, sum))
  }

  /// A sum in the order of the definition: the folder's own value, its files, its folders.
  private static func sum(
    _ folder: Folder, _ layer: Int, ownCounts: Bool, _ value: (LayerCell) -> Double
  ) -> Double? {
    var parts = folder.files.map(\.cells[layer]).filter(\.isThere).map(value)
    if ownCounts, folder.own[layer].isThere { parts.insert(value(folder.own[layer]), at: 0) }
    for inner in folder.folders {
      if let sum = sum(inner, layer, ownCounts: ownCounts, value) { parts.append(sum) }
    }
    guard let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first) { clamped($0 + $1) }
  }

  private static func expected(_ folder: Folder, _ number: Int) -> String {
    let layer = layers[number]
    let own = folder.own[number]
    if own.isThere, layer.summary != .sum { return text(of: own, layer) }
    let files = folder.all.filter { $0.cells[number].isThere }
    let cells = files.map { $0.cells[number] }
    switch (layer.summary, layer.kind) {
    case (.sum, .integer):
      func all(_ folder: Folder) -> [LayerCell] {
        [folder.own[number]] + folder.files.map(\.cells[number]) + folder.folders.flatMap(all)
      }
      let there = all(folder).filter(\.isThere)
      return there.isEmpty ? "-" : "integer(\(there.reduce(0) { $0 + $1.integer }))"
    case (.sum, _):
      return sum(folder, number, ownCounts: true, \.number).map { "number(\($0))" } ?? "-"
    case (_, .integer):
      let numbers = cells.map(\.integer)
      let value = layer.summary == .max ? numbers.max() : numbers.min()
      return value.map { "integer(\($0))" } ?? "-"
    case (.max, _): return cells.map(\.number).max().map { "number(\($0))" } ?? "-"
    case (.min, _): return cells.map(\.number).min().map { "number(\($0))" } ?? "-"
    case (.mean, _):
      guard let all = sum(folder, number, ownCounts: false, \.number) else { return "-" }
      return "number(\(all / Double(cells.count))),\(cells.count)"
    case (.ratio, _):
      guard let a = sum(folder, number, ownCounts: false, \.number),
        let b = sum(folder, number, ownCounts: false, \.denominator)
      else { return "-" }
      return "number(\(a / b)),\(cells.count)"
    case (.share, _): return word(files, number)
    }
  }

  private static func word(_ files: [File], _ number: Int) -> String {
    if files.isEmpty { return "-" }
    let isUnknown = files.contains { $0.bytes == nil }
    let byBytes = !isUnknown && files.contains { $0.bytes ?? 0 > 0 }
    let amounts = (0...2).map { word in
      files.filter { $0.cells[number].word == word }
        .reduce(0.0) { $0 + (byBytes ? Double($1.bytes ?? 0) : 1) }
    }
    let most = amounts.max() ?? 0
    let best = amounts.indices.filter { amounts[$0] == most }
    let first = best.min { words[$0].lexicographicallyPrecedes(words[$1]) } ?? 0
    return "word(\(words[first])),\(most / amounts.reduce(0, +))"
  }

  @Test func foldersSumUpWhatIsBelowThem() throws {
    let property = Property<[Folder]>(
      "sums of layers",
      generate: { generator in
        (0..<generator.number(in: 1...2)).map { _ in Self.folder(depth: 0, using: &generator) }
      },
      shrink: { roots in
        roots.indices.flatMap { index -> [[Folder]] in
          var smaller: [Folder] = []
          for inner in roots[index].folders.indices {
            var folder = roots[index]
            folder.folders.remove(at: inner)
            smaller += [folder, roots[index].folders[inner]]
          }
          for file in roots[index].files.indices {
            var folder = roots[index]
            folder.files.remove(at: file)
            smaller.append(folder)
          }
          return smaller.map { folder in
            var less = roots
            less[index] = folder
            return less
          }
        }
      },
      fault: { roots in
        func all(_ folder: Folder) -> [Folder] { [folder] + folder.folders.flatMap(all) }
        let expected = roots.flatMap(all).map { folder in
          Self.layers.indices.map { Self.expected(folder, $0) }.joined(separator: " ")
        }
        let found = Self.sums(roots)
        guard let index = found.indices.first(where: { found[$0] != expected[$0] }) else {
          return nil
        }
        return "folder \(index):\n\(found[index])\nand not\n\(expected[index])"
      })
    let found = try property.counterexample(cases: 300)
    #expect(found == nil, "\(found.map(\.description) ?? "")")
  }
}
