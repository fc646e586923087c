import GeoPath
import GeoProjection

/// One waypoint of GPX 1.1 for each node.
struct GPXWriter: FormatWriter {
  /// From the end of the name to the name in the path.
  private var folder = FolderText<XMLText>()
  private var scale: UInt64 = 1

  /// All that a waypoint may hold besides its texts.
  private static let fixedRoom = 256

  /// Writes what stands before the first waypoint.
  static func writeHeader(to buffer: inout OutputBuffer) {
    buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    buffer.append("<gpx version=\"1.1\" creator=\"geomapper projection ")
    buffer.append(Int64(GeoProjectionEngine.version))
    buffer.append("\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  /// Writes what follows the last waypoint.
  static func writeFooter(to buffer: inout OutputBuffer) {
    buffer.append("</gpx>\n")
  }

  mutating func enterFolder(path: [UInt8]) {
    folder.enter(path, after: "</name><desc>")
  }

  mutating func prepare(_ batch: FileBatch) {
    scale = OutputCursor.degreesScale(digits: batch.digits)
  }

  @inline(__always)
  func room(forFileNamed name: Span<UInt8>) -> Int {
    Self.fixedRoom + folder.prefix.count + name.count * 2 * XMLText.expansion
  }

  @inline(__always)
  func put(
    fileNamed name: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    Self.put(place.coordinate, scale: scale, to: &cursor)
    if facts.status == .known { Self.put(time: facts.modified, to: &cursor) }
    cursor.put("<name>")
    let start = cursor.mark
    if cursor.putWords(of: name, XMLText.flags) == 0 {
      folder.putPrefix(to: &cursor)
      cursor.putAgain(name)
    } else {
      _ = XMLText.put(scalarsOf: name, to: &cursor)
      let length = cursor.count(since: start)
      folder.putPrefix(to: &cursor)
      cursor.repeatBytes(from: start, count: length)
    }
    cursor.put("</desc><sym>poi</sym></wpt>\n")
  }

  func room(forRing ring: [Coordinate]) -> Int { Self.fixedRoom + 2 * folder.prefix.count }

  func put(_ feature: FolderFeature, ring: [Coordinate], to cursor: inout OutputCursor) {
    let scale = OutputCursor.degreesScale(digits: feature.place.digits)
    Self.put(feature.coordinate, scale: scale, to: &cursor)
    if let modified = feature.modified { Self.put(time: modified, to: &cursor) }
    cursor.put("<name>")
    folder.putName(to: &cursor)
    folder.putPath(to: &cursor)
    cursor.put("</desc><sym>")
    cursor.put(feature.place.kind.text)
    cursor.put("</sym></wpt>\n")
  }

  /// Puts the beginning of a waypoint.
  @inline(__always)
  private static func put(
    _ position: Coordinate, scale: UInt64, to cursor: inout OutputCursor
  ) {
    cursor.put("<wpt lat=\"")
    cursor.put(degrees: position.latitude, scale: scale)
    cursor.put("\" lon=\"")
    cursor.put(degrees: position.longitude, scale: scale)
    cursor.put("\">")
  }

  /// Puts the time, if it is one that the format can express.
  @inline(__always)
  private static func put(time: Int64, to cursor: inout OutputCursor) {
    guard let time = CivilTime(unixSeconds: time) else { return }
    cursor.put("<time>")
    cursor.put(time)
    cursor.put("</time>")
  }
}
