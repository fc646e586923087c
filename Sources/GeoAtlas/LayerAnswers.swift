import GeoCore
import GeoFormats
import GeoTree

/// Writes what nodes say of layers as the member `layers` of an answer, if there is anything.
struct LayerAnswers {
  private let schema: LayerSchema
  private let columns: [LayerColumn]
  private let totals: TreeTotals?

  init(of world: World, _ totals: TreeTotals?) {
    schema = world.layers?.schema ?? .none
    columns = schema.columns
    self.totals = totals
  }

  func put(folder number: Int, to json: inout JSONBuilder) {
    guard !columns.isEmpty, let cells = totals?.cells(of: number), !cells.isEmpty else { return }
    put(cells[...], isFolder: true, to: &json)
  }

  /// Adds what several folders say together, which have no word in common.
  func put(folders numbers: [Int], to json: inout JSONBuilder) {
    if numbers.count == 1 { return put(folder: numbers[0], to: &json) }
    guard !columns.isEmpty, let totals else { return }
    var sums = schema.noCells
    for number in numbers {
      for (index, cell) in totals.cells(of: number).enumerated()
      where schema.layers[index].kind != .word {
        sums[index].add(cell, of: schema.layers[index])
      }
    }
    put(sums[...], isFolder: true, to: &json)
  }

  func put(
    file index: Int, of folder: WorldFolder, by reader: WorldReader, to json: inout JSONBuilder
  ) {
    put(reader.cells(ofFile: index, in: folder), isFolder: false, to: &json)
  }

  private func put(_ cells: ArraySlice<LayerCell>, isFolder: Bool, to json: inout JSONBuilder) {
    if !cells.contains(where: \.isThere) { return }
    json.member("layers") { json in
      for column in columns {
        guard let value = schema.value(column, of: cells, isFolder: isFolder) else { continue }
        json.key(column.name)
        json.value(value)
      }
    }
  }
}

extension World {
  /// Adds `layers` to the description of a world, with the name of each, how folders sum it up, and
  /// whether it has numbers or words; and `sizes`, what sizes mean at first.
  package func put(layersWithSizes sizes: String?, to json: inout JSONBuilder) {
    if let all = layers?.schema.layers, !all.isEmpty {
      json.member("layers", objects: all) { layer, json in
        json.member("name", text: Array(layer.name.utf8))
        json.member("how", text: Array(layer.summary.rawValue.utf8))
        json.member("kind", text: Array((layer.kind == .word ? "word" : "number").utf8))
      }
    }
    if let sizes { json.member("sizes", text: Array(sizes.utf8)) }
  }
}
