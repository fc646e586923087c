import GeoEmit
import GeoPath
import GeoSystem

/// A GeoParquet file (version 1.1): rows in the order of a Hilbert curve, in row groups whose boxes are
/// small, so that a reader who asks for a box reads few of them.
///
/// Lands that span much of the world come first, in row groups of their own.
final class ParquetAssembler: FileAssembler {
  private enum Stage { case start, rows, footer, end }

  /// How many row groups there should be, so that a small box is in few of a hundred.
  private static let groups = 240
  private static let groupSizes = 2048...65536

  private var sorter = RecordSorter()
  private var records = SortedRecords()
  private var cursor: RecordCursor?
  private var count = 0
  private var file: ParquetFile
  private var rows = ParquetRows()
  private var stage = Stage.start
  private var box = Box()
  private var hasPoints = false
  private var hasRings = false

  override init(_ header: MapHeader, _ options: WriterOptions) {
    file = ParquetFile(options)
    super.init(header, options)
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
      stage = try cursor?.advance() == true ? .rows : .footer
      return true
    case .rows:
      let (isLast, rest) = try fillRows()
      let boxes = rows.boxes
      for box in boxes { self.box.add(box) }
      hasPoints = hasPoints || rows.hasPoints
      hasRings = hasRings || rows.hasRings
      file.write(rows, to: &buffer)
      rows = rest
      if isLast { stage = .footer }
      return true
    case .footer:
      cursor = nil
      records = SortedRecords()
      file.writeFooter([("geo", geo), ("geomapper", header.json)], to: &buffer)
      stage = .end
      return true
    case .end: return false
    }
  }

  /// Collects the rows of the next row group, from the record at hand on.
  ///
  /// - Returns: Whether there are no more, and the rows that were read already and belong to the group after.
  private func fillRows() throws(Errno) -> (isLast: Bool, rest: ParquetRows) {
    guard var cursor = self.cursor.take() else { return (true, ParquetRows()) }
    defer { self.cursor = cursor }
    let most = min(
      max(count / Self.groups, Self.groupSizes.lowerBound), Self.groupSizes.upperBound)
    while true {
      if let last = rows.keys.last {
        // Wide lands are kept apart.
        if (last ^ cursor.key) >> 63 != 0 { return (false, ParquetRows()) }
        if rows.count >= most {
          return (false, rows.split(at: rows.bestCut(before: cursor.key)))
        }
      }
      let key = cursor.key
      cursor.withContent { rows.add($0, sortedBy: key) }
      if try !cursor.advance() { return (true, ParquetRows()) }
    }
  }

  /// What GeoParquet says of a file, as JSON.
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
