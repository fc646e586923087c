import GeoProjection

/// What FlatGeobuf files (flatgeobuf.org, version 3) have before their features.
package enum FlatGeobuf {
  /// What a file begins with: `fgb`, its version, `fgb`, its patch level.
  private static let magic: [UInt8] = [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]

  /// How many children a node of the index has.
  package static let nodeSize = 16

  /// Bytes of a feature before the first position, from its length on.
  package static let positions = 64
  /// Where in a feature the number of doubles of its positions is.
  package static let count = 60
  /// Where in a feature its geometry's type is.
  package static let type = 56

  /// A geometry's type.
  package enum Geometry: UInt8 {
    /// Any; each feature says its own.
    case mixed = 0
    case point = 1
    case polygon = 3
  }

  /// A column's type, by the schema's numbers.
  enum ColumnType: UInt8 {
    case bool = 2
    case int = 5
    case long = 7
    case double = 10
    case string = 11
  }

  /// The columns: the members of GeoJSON, in their order.
  static func columns(_ options: WriterOptions) -> [(name: String, type: ColumnType)] {
    var columns: [(String, ColumnType)] = [
      ("id", .long), ("path", .string), ("name", .string), ("kind", .string), ("depth", .int),
      ("size", .long),
    ]
    if options.totals { columns += [("files", .long), ("bytes", .long), ("allocated", .long)] }
    columns += [
      ("modified", .long), ("minzoom", .int), ("lon", .double), ("lat", .double),
      ("special", .string),
    ]
    if options.links { columns.append(("links", .long)) }
    if options.loops { columns.append(("loop", .bool)) }
    return columns + [("unreadable", .bool), ("rawPath", .string)]
  }

  /// The first bytes of a file, up to the index or the features.
  ///
  /// - Parameters:
  ///   - header: What the map says of itself.
  ///   - geometry: The type of all features.
  ///   - envelope: West, south, east, north; empty if it is not known.
  ///   - count: How many features there are; 0 if it is not known.
  ///   - isIndexed: Whether an index follows.
  package static func header(
    _ header: MapHeader, _ options: WriterOptions, geometry: Geometry, envelope: [Double],
    count: UInt64, isIndexed: Bool
  ) -> [UInt8] {
    let columns = columns(options).map { column -> [FlatBuffer.Field] in
      [.text(Array(column.name.utf8)), .byte(column.type.rawValue)]
    }
    let name = header.labels.count == 1 ? PlainLabel.text(header.labels[0]) : Array("world".utf8)
    let crs: [FlatBuffer.Field] = [.text(Array("EPSG".utf8)), .int(4326)]
    let fields: [FlatBuffer.Field] = [
      .text(name), envelope.isEmpty ? .absent : .doubles(envelope),
      geometry == .mixed ? .absent : .byte(geometry.rawValue), .absent, .absent, .absent, .absent,
      .tables(columns), count == 0 ? .absent : .long(count),
      // The schema's default is an index.
      .short(isIndexed ? UInt16(nodeSize) : 0), .table(crs), .absent, .absent,
      .text(header.json),
    ]
    return magic + FlatBuffer.sizePrefixed(fields)
  }
}

/// Labels of roots as texts.
enum PlainLabel {
  /// The label as UTF-8, of which what is ill-formed is repaired.
  static func text(_ label: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: label.count * PlainText.expansion)
    var cursor = buffer.cursor(reserving: label.count * PlainText.expansion)
    _ = PlainText.put(label.span, to: &cursor)
    buffer.commit(cursor)
    return buffer.bytes
  }
}
