import GeoCore

/// A member or column of a layer: its value, or what a folder says besides.
package struct LayerColumn: Sendable {
  package enum Content: Sendable {
    /// The value.
    case value
    /// The share of a folder's word.
    case share
    /// The number of values that a folder's value sums up.
    case count
  }

  package let name: String
  /// The number of its layer.
  package let layer: Int
  package let content: Content
  package let kind: Layer.Kind
}

extension LayerSchema {
  /// All members and columns, in their order.
  package var columns: [LayerColumn] { LayerColumn.all(of: layers) }
}

extension LayerColumn {
  /// All members and columns of some layers, in their order.
  package static func all(of layers: [Layer]) -> [LayerColumn] {
    layers.enumerated().flatMap { index, layer in
      let value = LayerColumn(name: layer.name, layer: index, content: .value, kind: layer.kind)
      guard let name = layer.folderMember else { return [value] }
      let isShare = layer.kind == .word
      return [
        value,
        LayerColumn(
          name: name, layer: index, content: isShare ? .share : .count,
          kind: isShare ? .number : .integer),
      ]
    }
  }
}

extension LayerSchema {
  /// The value of a column at a node; nil without one.
  ///
  /// - Parameters:
  ///   - cells: Those of the node.
  ///   - isFolder: Whether the node is a folder.
  @inline(__always)
  package func value(
    _ column: LayerColumn, of cells: ArraySlice<LayerCell>, isFolder: Bool
  ) -> FeatureValue? {
    let cell = cells[cells.startIndex + column.layer]
    if !cell.isThere { return nil }
    switch column.content {
    case .share: return isFolder ? .decimal((cell.share * 10_000).rounded() / 10_000) : nil
    case .count: return isFolder ? .number(cell.count) : nil
    case .value:
      return switch layers[column.layer].value(of: cell, words) {
      case .integer(let integer)?: .number(integer)
      case .number(let number)?: .decimal(number)
      case .word(let word)?: .text(word)
      case nil: nil
      }
    }
  }
}

/// The values of layers at the nodes that are written next.
package struct LayerMembers: Sendable {
  private let columns: [LayerColumn]
  /// The beginning of each member, with the comma before it.
  private let names: [PaddedText]
  private var batch: LayerBatch?
  /// The index in the batch of the node that is put next.
  var row = 0
  /// An upper bound of the bytes that the members of a node take, in any format.
  private(set) var capacity = 0

  package init(_ schema: LayerSchema) {
    columns = schema.columns
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

  /// Sets the values; nil for none.
  package mutating func say(_ batch: LayerBatch?) {
    self.batch = batch
    row = 0
    guard let batch else {
      capacity = 0
      return
    }
    let longest = batch.schema.words.longest * JSONText.expansion
    capacity = columns.reduce(0) {
      $0 + 96 + ($1.kind == .word ? longest : OutputCursor.longestDecimal)
    }
  }

  /// Puts the members of GeoJSON.
  package func put(to buffer: inout OutputBuffer) {
    var cursor = buffer.cursor(reserving: capacity)
    put(to: &cursor)
    buffer.commit(cursor)
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
    guard let batch else { return }
    let start = cursor.position
    cursor.put(little: 0 as UInt32)
    var mask: UInt32 = 0
    let cells = batch.cells(at: row)
    for (index, column) in columns.enumerated() {
      let bits: UInt64
      switch batch.schema.value(column, of: cells, isFolder: batch.areFolders) {
      case .number(let integer): bits = UInt64(bitPattern: integer)
      case .decimal(let double): bits = double.bitPattern
      case .text: bits = cells[cells.startIndex + column.layer].bits
      default: continue
      }
      mask |= 1 << UInt32(index)
      cursor.put(little: bits)
    }
    cursor.store(mask, at: start)
  }

  /// Whether values are set.
  var isSet: Bool { batch != nil }

  /// Calls `body` with each column and its value at the node.
  @inline(__always)
  func each(_ body: (LayerColumn, FeatureValue?) -> Void) {
    guard let batch else { return columns.forEach { body($0, nil) } }
    let cells = batch.cells(at: row)
    for column in columns {
      body(column, batch.schema.value(column, of: cells, isFolder: batch.areFolders))
    }
  }

  /// Puts the members of GeoJSON.
  @inline(never)
  func put(to cursor: inout OutputCursor) {
    guard let batch else { return }
    let cells = batch.cells(at: row)
    for (column, name) in zip(columns, names) {
      guard let value = batch.schema.value(column, of: cells, isFolder: batch.areFolders) else {
        continue
      }
      cursor.put(name)
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
