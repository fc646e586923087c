import GeoCore
import GeoSystem

/// Assembles a GeoParquet file (version 1.1): rows in the order of a Hilbert curve, in row groups
/// with small boxes, so that a reader with a box reads few of them.
///
/// Lands that span much of the world come first, in their own row groups. Several threads encode
/// row groups, which are written in their order.
final class ParquetAssembler: FileAssembler {
  private enum Stage { case start, rows, footer, end }

  /// The target number of row groups, so that a small box is in few per cent of them.
  private static let groups = 240
  private static let groupSizes = 2048...65536

  private var sorter = RecordSorter()
  private var records = SortedRecords()
  private var cursor: RecordCursor?
  private var count = 0
  private var file: ParquetFile
  /// Rows that were read already and belong to the next row group.
  private var rest = ParquetRows()
  /// Row groups that are being encoded.
  private var pending: [BackgroundTask<ParquetGroup>] = []
  private var stage = Stage.start
  private var box = Box()
  private var hasPoints = false
  private var hasRings = false

  override init(_ header: MapHeader, _ options: WriterOptions, threads: Int) {
    file = ParquetFile(options)
    super.init(header, options, threads: threads)
  }

  override func take(_ records: Span<UInt8>) throws(Errno) { count += try sorter.add(records) }

  override func finish() throws(Errno) {
    records = try sorter.finish()
    sorter = RecordSorter()
    cursor = records.cursor()
  }

  override func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool {
    switch stage {
    case .start:
      let magic = ParquetFile.magic
      buffer.append(magic.span)
      if try cursor?.advance() != true { cursor = nil }
      stage = .rows
      return true
    case .rows:
      while pending.count < threads, let rows = try nextRows() { encode(rows) }
      if pending.isEmpty {
        stage = .footer
        return try write(to: &buffer)
      }
      let group = try pending.removeFirst().finish()
      box.add(group.box)
      hasPoints = hasPoints || group.hasPoints
      hasRings = hasRings || group.hasRings
      file.write(group, to: &buffer)
      return true
    case .footer:
      records = SortedRecords()
      file.writeFooter([("geo", geo), ("geomapper", header.json)], to: &buffer)
      stage = .end
      return true
    case .end: return false
    }
  }

  private func encode(_ rows: ParquetRows) {
    let work = BackgroundTask { [columns = file.columns, options] in
      ParquetGroup(rows, columns, options)
    }
    if threads > 1 { work.begin() }
    pending.append(work)
  }

  /// Collects the rows of the next row group, from the current record on; nil at the end.
  private func nextRows() throws(Errno) -> ParquetRows? {
    var rows = ParquetRows()
    swap(&rows, &rest)
    guard var cursor = self.cursor.take() else { return rows.count > 0 ? rows : nil }
    let most = min(
      max(count / Self.groups, Self.groupSizes.lowerBound), Self.groupSizes.upperBound)
    repeat {
      if let last = rows.keys.last {
        // Wide lands have their own row groups.
        let isApart = (last ^ cursor.key) >> 63 != 0
        if isApart || rows.count >= most {
          if !isApart { rest = rows.split(at: rows.bestCut(before: cursor.key)) }
          self.cursor = cursor
          return rows
        }
      }
      let key = cursor.key
      cursor.withContent { rows.add($0, sortedBy: key) }
    } while try cursor.advance()
    return rows
  }

  /// The `geo` metadata of GeoParquet, as JSON.
  private var geo: [UInt8] {
    let types = [hasPoints ? "\"Point\"" : nil, hasRings ? "\"Polygon\"" : nil]
    let edges = [box.west, box.south, box.east, box.north].map { "\($0)" }
    let covering = ["xmin", "ymin", "xmax", "ymax"].map { "\"\($0)\":[\"bbox\",\"\($0)\"]" }
    let extent = count == 0 ? "" : ",\"bbox\":[\(edges.joined(separator: ","))]"
    let text =
      "{\"version\":\"1.1.0\",\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{"
      + "\"encoding\":\"WKB\",\"geometry_types\":[\(types.compactMap(\.self).joined(separator: ","))],"
      + "\"orientation\":\"counterclockwise\",\"edges\":\"planar\"\(extent),"
      + "\"covering\":{\"bbox\":{\(covering.joined(separator: ","))}}}}}"
    return Array(text.utf8)
  }
}

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

  /// Adds a row group to a buffer.
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

/// Writes Thrift structures in the compact protocol (thrift.apache.org,
/// thrift-compact-protocol.md).
///
/// Fields have to be written in ascending order of their numbers.
struct ThriftWriter {
  /// The type of a field or of a list's elements.
  enum Kind: UInt8 {
    case yes = 1
    case no = 2
    case byte = 3
    case short = 4
    case int = 5
    case long = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  private(set) var bytes: [UInt8] = []
  /// The number of the last field in the current structure.
  private var last: Int16 = 0

  static func structure(_ body: (inout ThriftWriter) -> Void) -> [UInt8] {
    var writer = ThriftWriter()
    writer.element(body)
    return writer.bytes
  }

  private mutating func begin(_ field: Int16, _ kind: Kind) {
    let step = field - last
    last = field
    if 1...15 ~= step {
      bytes.append(UInt8(step) << 4 | kind.rawValue)
    } else {
      bytes.append(kind.rawValue)
      bytes.append(varint: Int64(field).zigzag)
    }
  }

  mutating func set(_ field: Int16, _ value: Bool) { begin(field, value ? .yes : .no) }

  mutating func set(_ field: Int16, byte value: UInt8) {
    begin(field, .byte)
    bytes.append(value)
  }

  mutating func set(_ field: Int16, short value: Int) { set(field, .short, value) }

  mutating func set(_ field: Int16, int value: Int) { set(field, .int, value) }

  mutating func set(_ field: Int16, long value: Int) { set(field, .long, value) }

  private mutating func set(_ field: Int16, _ kind: Kind, _ value: Int) {
    begin(field, kind)
    element(value)
  }

  mutating func set(_ field: Int16, _ text: [UInt8]) {
    begin(field, .binary)
    element(text)
  }

  mutating func set(_ field: Int16, _ body: (inout ThriftWriter) -> Void) {
    begin(field, .structure)
    element(body)
  }

  /// Begins a list; `count` elements must follow.
  mutating func list(_ field: Int16, of kind: Kind, count: Int) {
    begin(field, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }

  mutating func element(_ value: Int) { bytes.append(varint: Int64(value).zigzag) }

  mutating func element(_ text: [UInt8]) {
    bytes.append(varint: UInt64(text.count))
    bytes += text
  }

  mutating func element(_ body: (inout ThriftWriter) -> Void) {
    let outer = last
    last = 0
    body(&self)
    bytes.append(0)
    last = outer
  }

  /// Adds an encoded structure as an element.
  mutating func element(written structure: [UInt8]) { bytes += structure }
}
