import GeoCore
import GeoSystem

/// Looks up the values of nodes, folder by folder, for one thread.
package final class LayerReader {
  private let layers: LayerSet
  private var block: [UInt8] = []
  private var blockNumber = -1
  private var matched: [Int] = []
  private let hasRows: Bool

  init(_ layers: LayerSet) {
    self.layers = layers
    hasRows = layers.table.rows > 0
  }

  package var schema: LayerSchema { layers.schema }

  /// Sets the cells of some entries of a folder, entry by entry. `names` are sorted; `folder` is the
  /// path on the map, empty for the roots; `storage` is empty if it is unknown, or for folders.
  /// O(names + values of the folder in this range).
  package func fill(
    _ cells: inout [LayerCell], _ names: NameTable, _ range: Range<Int>, in folder: [UInt8],
    areFolders: Bool = false, storage: [FileStorage] = []
  ) {
    let count = layers.schema.layers.count
    cells.removeAll(keepingCapacity: true)
    cells.append(contentsOf: repeatElement(.none, count: range.count * count))
    if range.isEmpty { return }
    if hasRows {
      do throws(Errno) {
        try join(&cells, names, range, in: folder)
      } catch {
        layers.fail(error)
      }
    }
    if areFolders { return }
    for (layer, derived) in layers.derived.enumerated() {
      guard let derived else { continue }
      let words = derived.words(of: names, range, in: folder, storage, layers.schema.words)
      for (index, word) in words.enumerated() {
        if let word { cells[index * count + layer] = LayerCell(word: word) }
      }
    }
  }

  private func join(
    _ cells: inout [LayerCell], _ names: NameTable, _ range: Range<Int>, in folder: [UInt8]
  ) throws(Errno) {
    let table = layers.table
    let arena = names.bytes.span
    let first = arena.extracting(names.records[range.lowerBound].range)
    let last = arena.extracting(names.records[range.upperBound - 1].range)
    let count = layers.schema.layers.count
    var next = range.lowerBound
    let hash = LayerRow.hash(folder.span)
    for number in table.blocks(of: folder.span, hash, from: first) {
      if number != blockNumber {
        blockNumber = -1
        try table.read(number, into: &block)
        blockNumber = number
      }
      let bytes = block.span
      var offset = 0
      while offset < bytes.count {
        let group = LayerGroup(bytes, at: offset)
        offset = group.end
        if !bytes.extracting(group.folder).equals(folder.span) { continue }
        var place = group.folder.upperBound
        while place < group.end {
          let entry = LayerEntry(bytes, at: place)
          place = entry.end
          let name = bytes.extracting(entry.name)
          while next < range.upperBound,
            arena.extracting(names.records[next].range).orders(before: name)
          {
            next += 1
          }
          if next == range.upperBound {
            if last.orders(before: name) { break }
            continue
          }
          if !arena.extracting(names.records[next].range).equals(name) { continue }
          matched.append(entry.number)
          let start = (next - range.lowerBound) * count + table.sources[entry.source].lowerBound
          entry.eachValue(bytes) { index, cell in cells[start + index] = cell }
        }
      }
      if next == range.upperBound { break }
    }
    if !matched.isEmpty {
      layers.match(matched)
      matched.removeAll(keepingCapacity: true)
    }
  }
}
