import GeoCore
import GeoSystem

/// What layers say about a tree.
package struct StatsLayers: Sendable {
  package let schema: LayerSchema
  /// The cells of each region, in the order of the regions.
  package private(set) var cells: [[LayerCell]] = []
  /// For each layer of words, the files that have each; empty for layers of numbers. A file of
  /// several names counts at each.
  package private(set) var words: [[Int: TreeStats.Sums]] = []
  /// The rows that have no file or folder.
  package private(set) var unmatched = LayerSet.Unmatched(counts: [])
  var sums: [[Int: TreeSums]]

  init(_ schema: LayerSchema) {
    self.schema = schema
    sums = schema.layers.map { _ in [:] }
  }

  mutating func add(_ sums: TreeSums, of word: Int, in layer: Int) {
    self.sums[layer][word, default: TreeSums()] += sums
  }

  mutating func add(_ part: StatsLayers) {
    for (layer, words) in part.sums.enumerated() {
      for (word, sums) in words { add(sums, of: word, in: layer) }
    }
  }

  /// Takes what folders say, and what has no node.
  mutating func complete(
    _ layers: LayerSet, _ totals: TreeTotals, _ regions: [TreeStats.Region]
  ) throws(Failure) {
    words = sums.map { $0.mapValues(\.stats) }
    cells = regions.map { region in
      let cells = totals.cells(of: totals.number(of: region.rawPath.components))
      return cells.isEmpty ? schema.noCells : cells
    }
    unmatched = try rethrowing(layers.unmatched()) { Failure.noScratch("read values back", $0) }
  }
}

extension LayerSet {
  /// Reads some roots and returns what all folders say of the layers.
  package func sums(
    in roots: [ScanRoot], _ options: FileSystemScanner.Options
  ) async throws -> TreeTotals {
    let scan: TotalsScan
    do throws(Errno) {
      scan = try await FileSystemScanner(options: options).sums(of: self, in: roots)
    } catch {
      throw Failure.noThread(error)
    }
    // What can't be read is reported by the reading that follows.
    return try await scan.finish()
  }
}
