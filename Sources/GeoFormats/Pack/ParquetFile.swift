/// Writes a Parquet file (github.com/apache/parquet-format): row groups, and the footer with their
/// positions. Field numbers are those of `parquet.thrift`.
struct ParquetFile {
  static let magic = Array("PAR1".utf8)
  /// The name of the writer, with a version: without one, parquet-mr (and Spark) assumes a writer
  /// with a broken `DELTA_BYTE_ARRAY`, and refuses the file.
  private static let writer = Array("geomapper version 1".utf8)

  let columns: [ParquetColumn]
  /// Bytes of the file so far.
  private(set) var position = 4
  private var groups: [[UInt8]] = []
  private var rowCount = 0

  init(_ options: WriterOptions) { columns = ParquetColumn.all(options) }

  mutating func write(_ group: ParquetGroup, to buffer: inout OutputBuffer) {
    groups.append(group.metadata(columns, at: position))
    rowCount += group.rowCount
    position += group.length
    group.append(to: &buffer)
  }

  /// Adds the footer: the schema, the row groups, and key–value metadata.
  mutating func writeFooter(_ texts: [(key: String, text: [UInt8])], to buffer: inout OutputBuffer)
  {
    let footer = ThriftWriter.structure { file in
      file.set(1, int: 2)
      writeSchema(&file)
      file.set(3, long: rowCount)
      file.list(4, of: .structure, count: groups.count)
      for group in groups { file.element(written: group) }
      file.list(5, of: .structure, count: texts.count)
      for (key, text) in texts {
        file.element { pair in
          pair.set(1, Array(key.utf8))
          pair.set(2, text)
        }
      }
      file.set(6, Self.writer)
      // Without a declared order, readers ignore the bounds.
      file.list(7, of: .structure, count: columns.count)
      for _ in columns { file.element { order in order.set(1) { _ in } } }
    }
    buffer.append(footer.span)
    buffer.append(little: UInt32(truncatingIfNeeded: footer.count))
    let magic = Self.magic
    buffer.append(magic.span)
    position += footer.count + 8
  }

  private func writeSchema(_ file: inout ThriftWriter) {
    let box = columns.filter(\.isInBox)
    let others = columns.filter { !$0.isInBox }
    file.list(2, of: .structure, count: columns.count + 2)
    file.element { root in
      root.set(4, Array("schema".utf8))
      root.set(5, int: others.count + 1)
    }
    for column in others { file.element { element in write(column, &element) } }
    file.element { group in
      group.set(3, int: 0)
      group.set(4, ParquetColumn.box)
      group.set(5, int: box.count)
    }
    for column in box { file.element { element in write(column, &element) } }
  }

  private func write(_ column: ParquetColumn, _ element: inout ThriftWriter) {
    element.set(1, int: column.physical.rawValue)
    element.set(3, int: column.isOptional ? 1 : 0)
    element.set(4, Array(column.name.utf8))
    switch column.logical {
    case .itself: break
    case .text:
      element.set(6, int: 0)
      element.set(10) { type in type.set(1) { _ in } }
    case .timestamp:
      element.set(6, int: 9)
      element.set(10) { type in
        type.set(8) { timestamp in
          timestamp.set(1, true)
          timestamp.set(2) { unit in unit.set(1) { _ in } }
        }
      }
    }
  }
}
