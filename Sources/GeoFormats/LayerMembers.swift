import GeoCore

/// A member or column of a layer: its value, or what a folder says besides.
package struct LayerColumn: Sendable {
  package enum Content: Sendable {
    case value
    /// The share of a folder's word.
    case share
    /// The number of values that a folder's value sums up.
    case count
  }

  /// What it says of a cell.
  struct Meaning: Sendable {
    let layer: Int
    let content: Content
    let summary: Layer.Summary
    let layerKind: Layer.Kind
  }

  package let name: String
  let meaning: Meaning

  package var layer: Int { meaning.layer }
  package var content: Content { meaning.content }
  package var kind: Layer.Kind {
    switch content {
    case .value: meaning.layerKind
    case .share: .number
    case .count: .integer
    }
  }

  var valueKind: FeatureMember.Kind {
    switch kind {
    case .integer: .number
    case .number: .double
    case .word: .text
    }
  }
}

extension LayerColumn {
  package static func all(of layers: [Layer]) -> [LayerColumn] {
    layers.enumerated().flatMap { index, layer in
      func column(_ name: String, _ content: Content) -> LayerColumn {
        LayerColumn(
          name: name,
          meaning: Meaning(
            layer: index, content: content, summary: layer.summary, layerKind: layer.kind))
      }
      let value = column(layer.name, .value)
      guard let name = layer.folderMember else { return [value] }
      return [value, column(name, layer.kind == .word ? .share : .count)]
    }
  }
}

extension LayerColumn.Meaning {
  /// The value of a column at a node; nil without one.
  @inline(__always)
  func value(of cell: LayerCell, isFolder: Bool, _ word: (Int) -> [UInt8]) -> FeatureValue? {
    if !cell.isThere { return nil }
    switch (content, layerKind) {
    case (.share, _): return isFolder ? .decimal((cell.share * 10_000).rounded() / 10_000) : nil
    case (.count, _): return isFolder ? .number(cell.count) : nil
    case (.value, .word): return .text(word(cell.word))
    case (.value, .integer): return .number(cell.integer)
    case (.value, .number): return cell.number(summary, layerKind).map { .decimal($0) }
    }
  }
}

extension LayerSchema {
  package var columns: [LayerColumn] { LayerColumn.all(of: layers) }

  package func value(
    _ column: LayerColumn, of cells: ArraySlice<LayerCell>, isFolder: Bool
  ) -> FeatureValue? {
    column.meaning.value(of: cells[cells.startIndex + column.layer], isFolder: isFolder) {
      words[$0]
    }
  }

  package func values(of cells: ArraySlice<LayerCell>, isFolder: Bool) -> [String: LayerValue] {
    var values: [String: LayerValue] = [:]
    for column in columns {
      switch value(column, of: cells, isFolder: isFolder) {
      case .number(let integer)?: values[column.name] = .integer(integer)
      case .decimal(let number)?: values[column.name] = .number(number)
      case .text(let word)?: values[column.name] = .word(word)
      default: break
      }
    }
    return values
  }
}

/// The values of layers at the nodes that are written next.
package struct LayerMembers: Sendable {
  private let columns: [LayerColumn]
  private let meanings: [LayerColumn.Meaning]
  /// The beginning of each member, with the comma before it.
  private let names: [PaddedText]
  private let layers: Int
  private var cells: [LayerCell] = []
  private var areFolders = false
  /// The words of the cells so far, by number, so that no lock is needed for each node.
  private var words: [[UInt8]] = []
  private let wordLayers: [Int]
  private(set) var isSet = false
  /// The index of the node that is put next.
  var row = 0
  /// An upper bound of the bytes that the members of a node take, in any format.
  private(set) var capacity = 0

  package init(_ schema: LayerSchema) {
    columns = schema.columns
    meanings = columns.map(\.meaning)
    layers = schema.layers.count
    wordLayers = schema.layers.indices.filter { schema.layers[$0].kind == .word }
    names = columns.map { column in
      var text = PaddedText()
      text.fill(reserving: 80) { cursor in
        cursor.put(",\"")
        cursor.put(Array(column.name.utf8).span)
        cursor.put("\":")
      }
      return text
    }
  }

  package mutating func setLayers(_ batch: LayerBatch?) {
    row = 0
    isSet = batch != nil
    guard let batch else {
      (cells, capacity) = ([], 0)
      return
    }
    (cells, areFolders) = (batch.cells, batch.areFolders)
    for layer in wordLayers {
      for index in stride(from: layer, to: cells.count, by: layers) where cells[index].isThere {
        let number = cells[index].word
        while words.count <= number { words.append([]) }
        // No word is empty.
        if words[number].isEmpty { words[number] = batch.schema.words[number] }
      }
    }
    let longest = batch.schema.words.longest * JSONText.expansion
    capacity = columns.reduce(0) {
      $0 + 96 + ($1.kind == .word ? longest : OutputCursor.longestDecimal)
    }
  }

  @inline(__always)
  private func value(_ column: Int) -> FeatureValue? {
    let meaning = meanings[column]
    return meaning.value(of: cells[row * layers + meaning.layer], isFolder: areFolders) {
      words[$0]
    }
  }

  package func put(to buffer: inout OutputBuffer) {
    buffer.put(reserving: capacity) { put(to: &$0) }
  }

  /// Puts properties of FlatGeobuf.
  ///
  /// - Parameter first: The number of the first column of layers.
  @inline(never)
  func put(propertiesFrom first: UInt16, to cursor: inout OutputCursor) {
    var number = first
    each { _, value in
      switch value {
      case .number(let integer):
        cursor.put(little: number)
        cursor.put(little: integer)
      case .decimal(let double):
        cursor.put(little: number)
        cursor.put(little: double)
      case .text(let text):
        cursor.put(little: number)
        cursor.putCounted { _ = PlainText.put(text.span, to: &$0) }
      default: break
      }
      number += 1
    }
  }

  /// Puts the bits of the values after a mask of the columns that have one, as in ``NodeRecord``.
  @inline(never)
  func put(recordTo cursor: inout OutputCursor) {
    if !isSet { return }
    let start = cursor.position
    cursor.put(little: 0 as UInt32)
    var mask: UInt32 = 0
    for index in meanings.indices {
      let bits: UInt64
      switch value(index) {
      case .number(let integer): bits = UInt64(bitPattern: integer)
      case .decimal(let double): bits = double.bitPattern
      case .text: bits = cells[row * layers + meanings[index].layer].bits
      default: continue
      }
      mask |= 1 << UInt32(index)
      cursor.put(little: bits)
    }
    cursor.store(mask, at: start)
  }

  @inline(__always)
  func each(_ body: (LayerColumn, FeatureValue?) -> Void) {
    for index in columns.indices { body(columns[index], isSet ? value(index) : nil) }
  }

  @inline(never)
  func put(to cursor: inout OutputCursor) {
    if !isSet { return }
    for index in meanings.indices {
      guard let value = value(index) else { continue }
      cursor.put(names[index])
      switch value {
      case .number(let number): cursor.put(number)
      case .decimal(let number): cursor.put(decimal: number)
      case .text(let text):
        cursor.put(byte: UInt8(ascii: "\""))
        _ = JSONText.put(scalarsOf: text.span, to: &cursor)
        cursor.put(byte: UInt8(ascii: "\""))
      default: break
      }
    }
  }
}

extension FeatureMember {
  /// Names that the formats or their readers have for something else.
  private static let reserved: Set<String> = [
    "was", "below", "geometry", "bbox", "layers", "tippecanoe", "fid", "ogc_fid",
  ]

  /// Whether a map has a member or column of a name, in any format.
  ///
  /// To programs such as DuckDB large and small letters are the same.
  package static func isTaken(_ name: String) -> Bool {
    let name = name.lowercased()
    return reserved.contains(name)
      || allCases.contains {
        "\($0.name)".lowercased() == name || "\($0.plainName)".lowercased() == name
      }
  }
}

extension LayerSchema {
  /// Refuses names that another member or column has.
  package func checkNames() throws(Failure) {
    var owners: [String: String] = [:]
    for column in columns {
      let layer = layers[column.layer].name
      let owner = owners.updateValue("the layer \(layer)", forKey: column.name.lowercased())
      guard let owner = FeatureMember.isTaken(column.name) ? "the map" : owner else { continue }
      throw .usage(
        "\(owner) has a member '\(column.name)' already; give the layer \(layer) another name, such as "
          + "\(layer)2")
    }
  }
}
