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

  private var cursor: RecordCursor?
  private lazy var file = ParquetFile(options)
  /// Rows that were read already and belong to the next row group.
  private var rest = ParquetRows()
  private var pending: [BackgroundTask<ParquetGroup>] = []
  private var stage = Stage.start
  private var box = Box()
  private var hasPoints = false
  private var hasRings = false

  override func finish() throws(Errno) {
    try super.finish()
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
    let maximum = min(
      max(recordCount / Self.groups, Self.groupSizes.lowerBound), Self.groupSizes.upperBound)
    repeat {
      if let last = rows.keys.last {
        // Wide lands have their own row groups.
        let isApart = (last ^ cursor.key) >> 63 != 0
        if isApart || rows.count >= maximum {
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

  private var geo: [UInt8] {
    let types = [hasPoints ? "\"Point\"" : nil, hasRings ? "\"Polygon\"" : nil]
    let edges = [box.west, box.south, box.east, box.north].map { "\($0)" }
    let covering = ["xmin", "ymin", "xmax", "ymax"].map { "\"\($0)\":[\"bbox\",\"\($0)\"]" }
    let extent = recordCount == 0 ? "" : ",\"bbox\":[\(edges.joined(separator: ","))]"
    let text =
      "{\"version\":\"1.1.0\",\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{"
      + "\"encoding\":\"WKB\",\"geometry_types\":[\(types.compactMap(\.self).joined(separator: ","))],"
      + "\"orientation\":\"counterclockwise\",\"edges\":\"planar\"\(extent),"
      + "\"covering\":{\"bbox\":{\(covering.joined(separator: ","))}}}}}"
    return Array(text.utf8)
  }
}
