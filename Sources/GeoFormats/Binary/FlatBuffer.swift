import GeoProjection

/// Writes FlatBuffers (google.github.io/flatbuffers/internals): a table with all its contents.
///
/// The targets of a table follow it, so that offsets are positive and are set when the target is
/// written. Scalars and the doubles of vectors are aligned relative to the start of the bytes.
package enum FlatBuffer {
  /// A field of a table, in the order of the schema.
  package indirect enum Field {
    /// The schema's default, which takes no bytes.
    case absent
    case byte(UInt8)
    case short(UInt16)
    case int(Int32)
    case long(UInt64)
    case doubles([Double])
    case text([UInt8])
    case table([Field])
    case tables([[Field]])

    /// The number of bytes in the table itself; an offset takes four.
    fileprivate var size: Int {
      switch self {
      case .absent: 0
      case .byte: 1
      case .short: 2
      case .int, .doubles, .text, .table, .tables: 4
      case .long: 8
      }
    }
  }

  /// A buffer with a root table, after its length in four bytes.
  package static func sizePrefixed(_ root: [Field]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8)
    append(root, at: 4, to: &bytes)
    pad(&bytes, to: 8)
    set(bytes.count - 4, at: 0, in: &bytes)
    return bytes
  }

  /// Adds a table, and sets the offset at `place` to it.
  private static func append(_ fields: [Field], at place: Int, to bytes: inout [UInt8]) {
    // Larger fields first, so that each is aligned; the table begins with the offset of its layout.
    var offsets = [Int](repeating: 0, count: fields.count)
    var size = 4
    for width in [8, 4, 2, 1] {
      for (index, field) in fields.enumerated() where field.size == width {
        offsets[index] = size
        size += width
      }
    }
    pad(&bytes, to: 4)
    let layout = bytes.count
    append(4 + 2 * fields.count, width: 2, to: &bytes)
    append(size, width: 2, to: &bytes)
    for offset in offsets { append(offset, width: 2, to: &bytes) }
    while bytes.count % 8 != 4 { bytes.append(0) }
    let table = bytes.count
    set(table - place, at: place, in: &bytes)
    bytes += [UInt8](repeating: 0, count: size)
    set(table - layout, at: table, in: &bytes)
    for (field, offset) in zip(fields, offsets) {
      append(field, at: table + offset, to: &bytes)
    }
  }

  private static func append(_ field: Field, at place: Int, to bytes: inout [UInt8]) {
    switch field {
    case .absent: break
    case .byte(let number): bytes[place] = number
    case .short(let number): set(Int(number), width: 2, at: place, in: &bytes)
    case .int(let number): set(Int(number), at: place, in: &bytes)
    case .long(let number): set(Int(truncatingIfNeeded: number), width: 8, at: place, in: &bytes)
    case .table(let fields): append(fields, at: place, to: &bytes)
    case .doubles(let numbers):
      while bytes.count % 8 != 4 { bytes.append(0) }
      set(bytes.count - place, at: place, in: &bytes)
      append(numbers.count, width: 4, to: &bytes)
      for number in numbers {
        append(Int(truncatingIfNeeded: number.bitPattern), width: 8, to: &bytes)
      }
    case .text(let text):
      pad(&bytes, to: 4)
      set(bytes.count - place, at: place, in: &bytes)
      append(text.count, width: 4, to: &bytes)
      bytes += text + [0]
    case .tables(let tables):
      pad(&bytes, to: 4)
      let start = bytes.count
      set(start - place, at: place, in: &bytes)
      append(tables.count, width: 4, to: &bytes)
      bytes += [UInt8](repeating: 0, count: 4 * tables.count)
      for (index, fields) in tables.enumerated() {
        append(fields, at: start + 4 + 4 * index, to: &bytes)
      }
    }
  }

  private static func pad(_ bytes: inout [UInt8], to alignment: Int) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }

  private static func append(_ number: Int, width: Int, to bytes: inout [UInt8]) {
    for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  private static func set(_ number: Int, width: Int = 4, at place: Int, in bytes: inout [UInt8]) {
    for index in 0..<width {
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }
}

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
  /// - Parameters:
  ///   - header: The header of the map.
  ///   - geometry: The type of all features.
  ///   - envelope: West, south, east, north; empty if unknown.
  ///   - count: The number of features; 0 if unknown.
  ///   - isIndexed: Whether an index follows.
  package static func header(
    _ header: MapHeader, _ options: WriterOptions, geometry: Geometry, envelope: [Double],
    count: UInt64, isIndexed: Bool
  ) -> [UInt8] {
    let columns = FeatureMember.columns(options).map { column -> [FlatBuffer.Field] in
      [.text(column.plainName.bytes), .byte(ColumnType(column.valueKind).rawValue)]
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

/// Root labels as text.
enum PlainLabel {
  /// A label as UTF-8, with ill-formed bytes repaired.
  static func text(_ label: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: label.count * PlainText.expansion)
    var cursor = buffer.cursor(reserving: label.count * PlainText.expansion)
    _ = PlainText.put(label.span, to: &cursor)
    buffer.commit(cursor)
    return buffer.bytes
  }
}
