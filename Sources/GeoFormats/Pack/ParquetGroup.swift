import GeoCore

/// A row group of a Parquet file, encoded independently of its position: for each column a page of
/// values, and one of its dictionary if it has one. Field numbers are those of `parquet.thrift`.
final class ParquetGroup: Sendable {
  private enum PageType {
    static let data = 0
    static let dictionary = 2
  }

  private struct Chunk {
    var pages = 0..<0
    /// The offset of the values, which follow the dictionary.
    var data = 0
    /// Their size without compression.
    var unpacked = 0
    var nulls = 0
    var bounds: (minimum: [UInt8], maximum: [UInt8])?
  }

  private let bytes: OutputBuffer
  private let chunks: [Chunk]
  private let compression: Compression
  let rowCount: Int
  let box: Box
  let hasPoints: Bool
  let hasRings: Bool

  var length: Int { bytes.count }

  init(_ rows: ParquetRows, _ columns: [ParquetColumn], _ options: WriterOptions) {
    var rows = rows
    rows.arrange()
    var pages = PageWriter(options.compression)
    chunks = columns.map { pages.write($0, rows, options) }
    bytes = pages.bytes
    compression = options.compression
    rowCount = rows.count
    box = rows.extent
    hasPoints = rows.hasPoints
    hasRings = rows.hasRings
  }

  func append(to buffer: inout OutputBuffer) { bytes.withBytes { buffer.append($0) } }

  private struct PageWriter: ~Copyable {
    var bytes = OutputBuffer(capacity: 512 << 10)
    private let compression: Compression
    private var packer = GzipPacker(effort: .swift)

    init(_ compression: Compression) { self.compression = compression }

    mutating func write(
      _ column: ParquetColumn, _ rows: ParquetRows, _ options: WriterOptions
    ) -> Chunk {
      let page = ParquetPage(column, rows, options)
      let effort = compression == .gzip ? column.effort : nil
      var chunk = Chunk(nulls: page.nulls, bounds: page.bounds)
      let start = bytes.count
      if let dictionary = page.dictionary {
        chunk.unpacked += write(dictionary.bytes.span, effort, PageType.dictionary) { header in
          header.set(7) { page in
            page.set(1, int: dictionary.count)
            page.set(2, int: ParquetEncoding.plain.rawValue)
          }
        }
      }
      chunk.data = bytes.count
      chunk.unpacked += page.body.withBytes { body in
        write(body, effort, PageType.data) { header in
          header.set(5) { page in
            page.set(1, int: rows.count)
            page.set(2, int: column.encoding.rawValue)
            page.set(3, int: ParquetEncoding.runs.rawValue)
            page.set(4, int: ParquetEncoding.runs.rawValue)
          }
        }
      }
      chunk.pages = start..<bytes.count
      return chunk
    }

    /// Adds a page, and returns the number of its bytes with the header, without compression.
    private mutating func write(
      _ body: Span<UInt8>, _ effort: Deflater.Effort?, _ type: Int,
      _ about: (inout ThriftWriter) -> Void
    ) -> Int {
      var packed: [UInt8]?
      if let effort {
        packer.effort = effort
        packed = packer.pack(Array(copying: body))
      }
      let count = packed?.count ?? body.count
      let header = ThriftWriter.structure { header in
        header.set(1, int: type)
        header.set(2, int: body.count)
        header.set(3, int: count)
        about(&header)
      }
      bytes.append(header.span)
      if let packed { bytes.append(packed.span) } else { bytes.append(body) }
      return header.count + body.count
    }
  }

  func metadata(_ columns: [ParquetColumn], at position: Int) -> [UInt8] {
    ThriftWriter.structure { group in
      group.list(1, of: .structure, count: chunks.count)
      for (chunk, column) in zip(chunks, columns) {
        group.element { write(chunk, of: column, at: position, to: &$0) }
      }
      group.set(2, long: chunks.reduce(0) { $0 + $1.unpacked })
      group.set(3, long: rowCount)
      group.set(5, long: position)
      group.set(6, long: length)
    }
  }

  private func write(
    _ chunk: Chunk, of column: ParquetColumn, at position: Int, to element: inout ThriftWriter
  ) {
    let hasDictionary = column.encoding == .listed
    element.set(2, long: position + chunk.pages.lowerBound)
    element.set(3) { about in
      about.set(1, int: column.physical.rawValue)
      let encodings: [ParquetEncoding] =
        hasDictionary ? [.plain, .runs, .listed] : [column.encoding, .runs]
      about.list(2, of: .int, count: encodings.count)
      for encoding in encodings { about.element(encoding.rawValue) }
      about.list(3, of: .binary, count: column.path.count)
      for name in column.path { about.element(name) }
      about.set(4, int: compression == .gzip && column.effort != nil ? 2 : 0)
      about.set(5, long: rowCount)
      about.set(6, long: chunk.unpacked)
      about.set(7, long: chunk.pages.count)
      about.set(9, long: position + chunk.data)
      if hasDictionary { about.set(11, long: position + chunk.pages.lowerBound) }
      about.set(12) { statistics in
        statistics.set(3, long: chunk.nulls)
        if let bounds = chunk.bounds {
          statistics.set(5, bounds.maximum)
          statistics.set(6, bounds.minimum)
        }
      }
    }
  }
}
