import GeoCore
import GeoProjection

extension GeoJSONWriter {
  /// Puts what stands before the first feature of a collection.
  ///
  /// Each feature brings the comma and the line end before it, the first one a comma too many.
  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    if form != .collection { return }
    buffer.append("{\"type\":\"FeatureCollection\",\"geomapper\":")
    header.write(to: &buffer)
    buffer.append(",\"features\":[")
  }

  /// Puts what follows the last feature of a collection.
  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    if form != .collection { return }
    buffer.append("\n],\"summary\":{\"folders\":")
    buffer.append(Int64(summary.folders))
    buffer.append(",\"files\":")
    buffer.append(Int64(summary.files))
    buffer.append(",\"unreadable\":")
    buffer.append(Int64(summary.unreadable))
    if let changes = summary.changes {
      buffer.append(",\"added\":")
      buffer.append(Int64(changes.added))
      buffer.append(",\"removed\":")
      buffer.append(Int64(changes.removed))
      buffer.append(",\"changed\":")
      buffer.append(Int64(changes.changed))
      buffer.append(",\"moved\":")
      buffer.append(Int64(changes.moved))
    }
    let reasons = summary.excluded.reasons
    for (index, reason) in reasons.enumerated() {
      buffer.append(index == 0 ? ",\"excluded\":{" : ",")
      buffer.append(reason.member)
      buffer.append(Int64(summary.excluded[reason]))
    }
    buffer.append(reasons.isEmpty ? "}}\n" : "}}}\n")
  }

  /// Puts a position.
  @inline(__always)
  func put(_ position: Coordinate, _ scale: DegreesScale, to cursor: inout OutputCursor) {
    cursor.put(byte: UInt8(ascii: "["))
    cursor.put(degrees: position.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: position.latitude, scale)
    cursor.put(byte: UInt8(ascii: "]"))
  }

  /// Puts the geometry of a folder that owns land, but for its last bracket and brace.
  func put(ring: [Coordinate], _ scale: DegreesScale, to cursor: inout OutputCursor) {
    precondition(!ring.isEmpty, "a folder with land has a coast line")
    cursor.put(",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[")
    for position in ring {
      put(position, scale, to: &cursor)
      cursor.put(byte: UInt8(ascii: ","))
    }
    put(ring[0], scale, to: &cursor)
    cursor.put("]")
  }

  /// Puts what ends a feature, from the last brace of its properties on.
  static func put(
    endAt minzoom: UInt8, tippecanoe: Bool, _ ending: StaticString,
    to cursor: inout OutputCursor
  ) {
    cursor.put("}")
    if tippecanoe {
      cursor.put(",\"tippecanoe\":{\"minzoom\":")
      cursor.put(UInt64(min(minzoom, tippecanoeLimit)))
      cursor.put("}")
    }
    cursor.put("}")
    cursor.put(ending)
  }

  /// The greatest zoom that tippecanoe takes.
  private static let tippecanoeLimit: UInt8 = 24
}

extension ExclusionReason {
  /// What stands before its count.
  fileprivate var member: StaticString {
    switch self {
    case .pattern: "\"pattern\":"
    case .hidden: "\"hidden\":"
    case .gitignore: "\"gitignore\":"
    case .type: "\"type\":"
    case .name: "\"name\":"
    case .size: "\"size\":"
    case .newer: "\"newer\":"
    case .older: "\"older\":"
    }
  }
}
