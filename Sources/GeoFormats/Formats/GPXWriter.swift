import GeoCore
import GeoProjection

/// Writes one waypoint of GPX 1.1 for each node.
struct GPXWriter: FormatWriter {
  var layers = LayerMembers(.none)
  /// From the end of the name to the name in the path.
  var folder = FolderText<XMLText>()
  private var scale = DegreesScale(digits: 13)

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    buffer.append("<gpx version=\"1.1\" creator=\"geomapper projection ")
    buffer.append(Int64(GeoProjectionEngine.version))
    buffer.append("\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    buffer.append("</gpx>\n")
  }

  static var lead: StaticString { "</name><desc>" }

  mutating func prepare(_ batch: FileBatch) {
    scale = DegreesScale(digits: batch.digits)
  }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    Self.put(place.coordinate, scale, to: &cursor)
    if facts.status == .known { Self.put(time: facts.modified, to: &cursor) }
    cursor.put("<name>")
    if cursor.put(name, of: arena, ifClean: XMLText.self) {
      cursor.put(folder.prefix)
      cursor.putAgain(name, of: arena)
    } else {
      putTwice(arena.extracting(name), to: &cursor)
    }
    cursor.put("</desc><sym>poi</sym></wpt>\n")
  }

  /// Puts a name that needs escaping, and the path that ends with it.
  @inline(never)
  private func putTwice(_ name: Span<UInt8>, to cursor: inout OutputCursor) {
    let start = cursor.position
    _ = XMLText.put(scalarsOf: name, to: &cursor)
    let length = cursor.count(since: start)
    cursor.put(folder.prefix)
    cursor.repeatBytes(from: start, count: length)
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let scale = DegreesScale(digits: record.digits)
    Self.put(record.position, scale, to: &cursor)
    if let modified = record.modified { Self.put(time: modified, to: &cursor) }
    cursor.put("<name>")
    folder.putName(to: &cursor)
    folder.putPath(to: &cursor)
    cursor.put("</desc><sym>")
    cursor.put(record.kind.text)
    cursor.put("</sym></wpt>\n")
  }

  @inline(__always)
  private static func put(
    _ position: Coordinate, _ scale: DegreesScale, to cursor: inout OutputCursor
  ) {
    cursor.put("<wpt lat=\"")
    cursor.put(degrees: position.latitude, scale)
    cursor.put("\" lon=\"")
    cursor.put(degrees: position.longitude, scale)
    cursor.put("\">")
  }

  /// Puts the time, if the format can express it.
  @inline(__always)
  private static func put(time: Int64, to cursor: inout OutputCursor) {
    guard let time = CivilTime(unixSeconds: time) else { return }
    cursor.put("<time>")
    cursor.put(time)
    cursor.put("</time>")
  }
}
