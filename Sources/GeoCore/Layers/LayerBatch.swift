/// What writers need to know of layers.
package struct LayerSchema: Sendable {
  package let layers: [Layer]
  package let words: LayerWords

  package init(layers: [Layer], words: LayerWords) { (self.layers, self.words) = (layers, words) }

  /// The cells of a node without any value.
  package var noCells: [LayerCell] { layers.map { _ in .none } }

  /// No layers.
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

  /// The cells of the node at an index.
  package func cells(at index: Int) -> ArraySlice<LayerCell> {
    let count = schema.layers.count
    return cells[(index * count)..<((index + 1) * count)]
  }
}
