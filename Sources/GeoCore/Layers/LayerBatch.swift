/// What writers need to know of layers.
package struct LayerSchema: Sendable {
  package let layers: [Layer]
  package let words: LayerWords

  package init(layers: [Layer], words: LayerWords) { (self.layers, self.words) = (layers, words) }

  package var noCells: [LayerCell] { layers.map { _ in .none } }

  /// Whether one node comes before another by a layer: numbers from the greatest on, words in the
  /// order of their bytes, then what has no value; nil if they are equal.
  /// A node without values may have no cells.
  package func puts(_ a: [LayerCell], before b: [LayerCell], by layer: Int) -> Bool? {
    let there = (!a.isEmpty && a[layer].isThere, !b.isEmpty && b[layer].isThere)
    if !there.0 || !there.1 { return there.0 == there.1 ? nil : there.0 }
    if layers[layer].kind == .word {
      let (first, second) = (a[layer].word, b[layer].word)
      return first == second ? nil : words.precedes(first, second)
    }
    let (first, second) = (layers[layer].number(of: a[layer]), layers[layer].number(of: b[layer]))
    return first == second ? nil : first ?? -.infinity > second ?? -.infinity
  }

  package static var none: LayerSchema { LayerSchema(layers: [], words: LayerWords()) }
}

/// The values of all layers at consecutive nodes.
package struct LayerBatch: Sendable {
  package let schema: LayerSchema
  /// Node by node, a cell for each layer.
  package var cells: [LayerCell]
  /// Whether the nodes are folders, which say more about their values.
  package let areFolders: Bool

  package init(_ schema: LayerSchema, cells: [LayerCell], areFolders: Bool) {
    (self.schema, self.cells, self.areFolders) = (schema, cells, areFolders)
  }
}
