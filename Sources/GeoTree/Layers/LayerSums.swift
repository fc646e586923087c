import GeoCore

/// The value of a layer at a file, or at several files of a folder that may be summed up at once.
struct LayerPart: BitwiseCopyable, Sendable {
  let layer: Int32
  var cell: LayerCell
  /// The bytes of these files; −1 if unknown.
  var bytes: Int64

  init(layer: Int, _ cell: LayerCell, _ facts: EntryFacts) {
    self.layer = Int32(layer)
    self.cell = cell
    bytes = facts.status.hasSize ? facts.size : -1
  }
}

extension [LayerPart] {
  /// Adds a value, to the one before if the order of addition makes no difference. The values of the
  /// folder begin at `start`.
  mutating func add(_ value: LayerPart, _ layer: Layer, from start: Int) {
    if count > start, self[count - 1].layer == value.layer {
      let last = count - 1
      switch layer.kind {
      case .number: break
      case .integer:
        self[last].cell.add(value.cell, of: layer)
        return
      case .word where self[last].cell.bits == value.cell.bits:
        self[last].cell.count += value.cell.count
        let known = self[last].bytes >= 0 && value.bytes >= 0
        self[last].bytes = known ? TreeTotals.sum(self[last].bytes, value.bytes) : -1
        return
      case .word: break
      }
    }
    append(value)
  }
}

/// Sums up the layers of nested folders. A folder's files are added in the order of the map, then
/// its sub-folders, so that the sums of fractions are the same for any number of threads.
struct LayerSums {
  private let schema: LayerSchema
  /// For each open folder, its own cells, then the sums of what is below it.
  private var own: [LayerCell] = []
  private var sums: [LayerCell] = []
  /// For each open folder, the sums of each layer of words.
  private var words: [WordSums] = []
  private let wordLayers: [Int]

  init(_ schema: LayerSchema) {
    self.schema = schema
    wordLayers = schema.layers.indices.filter { schema.layers[$0].kind == .word }
  }

  private var count: Int { schema.layers.count }

  mutating func begin(_ cells: ArraySlice<LayerCell>) {
    if count == 0 { return }
    own += cells
    for (layer, cell) in zip(schema.layers, cells) {
      sums.append(layer.summary == .sum ? cell : .none)
    }
    for _ in wordLayers { words.append(WordSums()) }
  }

  mutating func add(_ value: LayerPart) {
    let layer = Int(value.layer)
    if let index = wordLayers.firstIndex(of: layer) {
      words[words.count - wordLayers.count + index].add(
        value.cell.word, files: value.cell.count, bytes: value.bytes)
    } else {
      sums[sums.count - count + layer].add(value.cell, of: schema.layers[layer])
    }
  }

  /// Ends the current folder, and calls `body` with each layer and what the folder says of it.
  mutating func end(_ body: (Int, LayerCell) -> Void) {
    if count == 0 { return }
    let start = sums.count - count
    for (index, layer) in wordLayers.enumerated() {
      let place = words.count - wordLayers.count + index
      sums[start + layer] = words[place].cell(schema.words)
      if start > 0 {
        let ended = words[place]
        words[place] = WordSums()
        words[place - wordLayers.count].add(ended)
      }
    }
    words.removeLast(wordLayers.count)
    for layer in 0..<count {
      let (own, sum) = (own[start + layer], sums[start + layer])
      body(layer, own.isThere && schema.layers[layer].summary != .sum ? own : sum)
      if start > 0, schema.layers[layer].kind != .word {
        sums[start - count + layer].add(sum, of: schema.layers[layer])
      }
    }
    own.removeLast(count)
    sums.removeLast(count)
  }
}
