import GeoCompress
import GeoEmit
import GeoPath

/// The parts of a Parquet file (github.com/apache/parquet-format): row groups of one page a column, and
/// the footer that says where everything is. The numbers of fields are those of `parquet.thrift`.
struct ParquetFile {
  static let magic = Array("PAR1".utf8)

  private enum Encoding {
    static let plain = 0
    static let levels = 3
    static let listed = 8
  }

  private enum PageType {
    static let data = 0
    static let dictionary = 2
  }

  let options: WriterOptions
  let columns: [ParquetColumn]
  /// Bytes of the file so far.
  private(set) var position = 4
  private var groups: [[UInt8]] = []
  private var rowCount = 0
  private var packer = GzipPacker(effort: .swift)

  init(_ options: WriterOptions) {
    self.options = options
    columns = ParquetColumn.all(options)
  }

  private var codec: Int { options.compression == .gzip ? 2 : 0 }

  /// Adds a row group to a buffer.
  mutating func write(_ rows: ParquetRows, to buffer: inout OutputBuffer) {
    let start = position
    var chunks: [[UInt8]] = []
    var (packed, unpacked) = (0, 0)
    for column in columns {
      let chunk = write(column, rows, to: &buffer)
      chunks.append(chunk.metadata)
      packed += chunk.packed
      unpacked += chunk.unpacked
    }
    rowCount += rows.count
    groups.append(
      ThriftWriter.structure { group in
        group.list(1, of: .structure, count: chunks.count)
        for chunk in chunks { group.element(written: chunk) }
        group.set(2, long: unpacked)
        group.set(3, long: rows.count)
        group.set(5, long: start)
        group.set(6, long: packed)
      })
  }

  private mutating func write(
    _ column: ParquetColumn, _ rows: ParquetRows, to buffer: inout OutputBuffer
  ) -> (metadata: [UInt8], packed: Int, unpacked: Int) {
    let page = ParquetPage(column, rows, options)
    let start = position
    var unpacked = 0
    if let dictionary = page.dictionary {
      unpacked += write(dictionary.bytes, PageType.dictionary, to: &buffer) { header in
        header.set(7) { page in
          page.set(1, int: dictionary.count)
          page.set(2, int: Encoding.plain)
        }
      }
    }
    let data = position
    let encoding = page.dictionary == nil ? Encoding.plain : Encoding.listed
    let body = page.body.withBytes { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
    unpacked += write(body, PageType.data, to: &buffer) { header in
      header.set(5) { page in
        page.set(1, int: rows.count)
        page.set(2, int: encoding)
        page.set(3, int: Encoding.levels)
        page.set(4, int: Encoding.levels)
      }
    }
    let (end, nulls, bounds) = (position, page.nulls, page.bounds)
    let hasDictionary = page.dictionary != nil
    let metadata = ThriftWriter.structure { chunk in
      chunk.set(2, long: start)
      chunk.set(3) { about in
        about.set(1, int: column.physical.rawValue)
        let encodings =
          hasDictionary
          ? [Encoding.plain, Encoding.levels, encoding] : [encoding, Encoding.levels]
        about.list(2, of: .int, count: encodings.count)
        for encoding in encodings { about.element(encoding) }
        about.list(3, of: .binary, count: column.path.count)
        for name in column.path { about.element(name) }
        about.set(4, int: codec)
        about.set(5, long: rows.count)
        about.set(6, long: unpacked)
        about.set(7, long: end - start)
        about.set(9, long: data)
        if hasDictionary { about.set(11, long: start) }
        about.set(12) { statistics in
          statistics.set(3, long: nulls)
          if let bounds {
            statistics.set(5, bounds.greatest)
            statistics.set(6, bounds.least)
          }
        }
      }
    }
    return (metadata, end - start, unpacked)
  }

  /// Adds a page, packed if that is asked for.
  ///
  /// - Returns: Its bytes with the header, as if it weren't packed.
  private mutating func write(
    _ body: [UInt8], _ type: Int, to buffer: inout OutputBuffer,
    _ about: (inout ThriftWriter) -> Void
  ) -> Int {
    let packed = options.compression == .gzip ? packer.pack(body) : body
    let header = ThriftWriter.structure { header in
      header.set(1, int: type)
      header.set(2, int: body.count)
      header.set(3, int: packed.count)
      about(&header)
    }
    buffer.append(header.span)
    buffer.append(packed.span)
    position += header.count + packed.count
    return header.count + body.count
  }

  /// Adds the footer: the schema, the row groups, and texts by their keys.
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
      file.set(6, Array("geomapper".utf8))
      // All values are in the order of their type, without which nobody trusts the bounds.
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
