import GeoCore

/// The beginning of FlatGeobuf files (flatgeobuf.org, version 3).
package enum FlatGeobuf {
  /// The first bytes of a file: `fgb`, its version, `fgb`, its patch level.
  private static let magic: [UInt8] = [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]

  /// The number of children of an index node.
  package static let nodeSize = 16

  /// Bytes of a feature before the first position, with its length.
  package static let positions = 64
  /// The offset in a feature of the number of doubles in its positions.
  package static let count = 60
  /// The offset in a feature of its geometry's type.
  package static let type = 56

  /// The type of a geometry, by the schema's numbers.
  package enum Geometry: UInt8 {
    /// Any type; each feature has its own.
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

    init(_ kind: FeatureMember.Kind) {
      switch kind {
      case .text: self = .string
      case .int: self = .int
      case .count, .number, .seconds: self = .long
      case .double: self = .double
      case .flag: self = .bool
      }
    }
  }

  /// The first bytes of a file, up to the index or the features.
  ///
  /// `envelope` is west, south, east, north, or empty if unknown; `count` is 0 if unknown.
  package static func header(
    _ header: MapHeader, _ options: WriterOptions, geometry: Geometry, envelope: [Double],
    count: UInt64, isIndexed: Bool
  ) -> [UInt8] {
    let members = FeatureMember.columns(options).map { ($0.plainName.bytes, $0.valueKind) }
    let layers = options.layers.columns.map { (Array($0.name.utf8), $0.valueKind) }
    let columns = (members + layers).map { name, kind -> [FlatBuffer.Field] in
      [.text(name), .byte(ColumnType(kind).rawValue)]
    }
    let name = header.labels.count == 1 ? header.labels[0].repairedUTF8 : Array("world".utf8)
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
