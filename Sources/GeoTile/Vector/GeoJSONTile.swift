import GeoEmit
import GeoPath
import GeoProjection

/// Writes tiles as GeoJSON (RFC 7946).
public enum GeoJSONTile {
  /// A collection of the tile's nodes: lands as polygons that are generalised and cut off at the
  /// tile's buffer, all others as points at their exact coordinates.
  ///
  /// - Complexity: O(size of the result).
  public static func encode(_ content: TileContent) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 256 * content.count + 256)
    buffer.append("{\"type\":\"FeatureCollection\",\"features\":[")
    var isFirst = true
    func begin(_ id: UInt64, to buffer: inout OutputBuffer) {
      buffer.append(isFirst ? "\n" : ",\n")
      isFirst = false
      buffer.append("{\"type\":\"Feature\",\"id\":")
      buffer.append(id)
    }
    let scale = Degrees(digits: Self.digits(zoom: content.tile.zoom))
    for land in content.lands {
      begin(land.node.id, to: &buffer)
      buffer.append(",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[")
      let ring = content.points[land.ring]
      // On the tile it runs clockwise; RFC 7946 wants it the other way round.
      for point in ring.reversed() {
        put(content.tile.point(at: point), scale, to: &buffer)
        buffer.append(",")
      }
      if let last = ring.last { put(content.tile.point(at: last), scale, to: &buffer) }
      buffer.append("]]},\"properties\":{\"path\":\"")
      buffer.append(json: content.texts.span.extracting(land.path.range))
      put(land.node, name: land.name, of: content, to: &buffer)
      let label = Degrees(digits: land.digits).coordinate(land.label)
      buffer.append(",\"lon\":")
      buffer.append(degrees: label.longitude, digits: land.digits)
      buffer.append(",\"lat\":")
      buffer.append(degrees: label.latitude, digits: land.digits)
      putRest(land.node, raw: land.path.raw, of: content, to: &buffer)
    }
    for spot in content.spots {
      begin(spot.node.id, to: &buffer)
      buffer.append(",\"geometry\":{\"type\":\"Point\",\"coordinates\":")
      put(spot.place, Degrees(digits: spot.digits), to: &buffer)
      buffer.append("},\"properties\":{\"path\":\"")
      buffer.append(json: content.texts.span.extracting(spot.folder.range))
      buffer.append("/")
      buffer.append(json: content.texts.span.extracting(spot.name.range))
      put(spot.node, name: spot.name, of: content, to: &buffer)
      putRest(spot.node, raw: nil, of: content, to: &buffer)
    }
    buffer.append(content.isEmpty ? "]}\n" : "\n]}\n")
    return buffer.withBytes { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
  }

  /// Decimals that tell the units of a tile's grid apart.
  private static func digits(zoom: Int) -> UInt8 {
    // A unit is 0.088 degrees at zoom 0; three zooms are nearly one decimal.
    UInt8(clamping: max(6, 3 + (zoom * 31 + 99) / 100))
  }

  private static func put(_ point: PlanPoint, _ scale: Degrees, to buffer: inout OutputBuffer) {
    let coordinate = scale.coordinate(point)
    buffer.append("[")
    buffer.append(degrees: coordinate.longitude, digits: scale.digits)
    buffer.append(",")
    buffer.append(degrees: coordinate.latitude, digits: scale.digits)
    buffer.append("]")
  }

  private static func put(
    _ node: TileContent.Node, name: TileContent.Text, of content: TileContent,
    to buffer: inout OutputBuffer
  ) {
    buffer.append("\",\"name\":\"")
    buffer.append(json: content.texts.span.extracting(name.range))
    buffer.append("\",\"kind\":\"")
    buffer.append(node.kind.text)
    buffer.append("\",\"depth\":")
    buffer.append(UInt64(node.depth))
    if let size = node.size {
      buffer.append(",\"size\":")
      buffer.append(size)
    }
    put(node.below, to: &buffer)
    if let modified = node.modified {
      buffer.append(",\"modified\":")
      buffer.append(modified)
    }
    buffer.append(",\"minzoom\":")
    buffer.append(UInt64(node.minzoom))
  }

  private static func put(_ below: TileContent.Below?, to buffer: inout OutputBuffer) {
    guard let below else { return }
    buffer.append(",\"files\":")
    buffer.append(below.files)
    if let bytes = below.bytes {
      buffer.append(",\"bytes\":")
      buffer.append(bytes)
    }
    if let newest = below.newest {
      buffer.append(",\"newest\":")
      buffer.append(newest)
    }
    if let type = below.type {
      buffer.append(",\"type\":\"")
      buffer.append(type)
      buffer.append("\"")
    }
  }

  private static func putRest(
    _ node: TileContent.Node, raw: Range<Int>?, of content: TileContent,
    to buffer: inout OutputBuffer
  ) {
    content.difference(node.difference)?.writeMembers(
      kind: node.kind == .poi ? node.special ?? .regular : .directory, to: &buffer)
    if let special = node.special?.special {
      buffer.append(",\"special\":\"")
      buffer.append(special)
      buffer.append("\"")
    }
    if node.isUnreadable { buffer.append(",\"unreadable\":true") }
    if let raw {
      buffer.append(",\"rawPath\":\"")
      buffer.append(content.texts.span.extracting(raw))
      buffer.append("\"")
    }
    buffer.append("}}")
  }
}
