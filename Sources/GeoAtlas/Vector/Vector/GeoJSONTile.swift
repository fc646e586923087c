import GeoFormats
import GeoCore
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
      var members = members(of: land.node, in: content)
      members.label = (Degrees(digits: land.digits).coordinate(land.label), land.digits)
      put(members, name: land.name, raw: land.path.raw, of: content, to: &buffer)
    }
    for spot in content.spots {
      begin(spot.node.id, to: &buffer)
      buffer.append(",\"geometry\":{\"type\":\"Point\",\"coordinates\":")
      put(spot.place, Degrees(digits: spot.digits), to: &buffer)
      buffer.append("},\"properties\":{\"path\":\"")
      buffer.append(json: content.texts.span.extracting(spot.folder.range))
      buffer.append("/")
      buffer.append(json: content.texts.span.extracting(spot.name.range))
      let members = members(of: spot.node, in: content)
      put(members, name: spot.name, raw: nil, of: content, to: &buffer)
    }
    buffer.append(content.isEmpty ? "]}\n" : "\n]}\n")
    return buffer.bytes
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

  private static func members(
    of node: TileContent.Node, in content: TileContent
  ) -> FeatureMembers {
    var members = FeatureMembers(kind: node.kind, depth: node.depth, minzoom: node.minzoom)
    members.size = node.size
    if let below = node.below {
      members.totals = FolderTotals(files: below.files, bytes: below.bytes, allocated: nil)
      members.newest = below.newest
      members.type = below.type
    }
    members.modified = node.modified
    if let difference = content.difference(node.difference) {
      members.others = difference.members(
        kind: node.kind == .poi ? node.special ?? .regular : .directory)
    }
    members.special = node.special?.special
    members.isUnreadable = node.isUnreadable
    return members
  }

  /// Puts what follows the path, up to the end of the feature.
  private static func put(
    _ members: FeatureMembers, name: TileContent.Text, raw: Range<Int>?, of content: TileContent,
    to buffer: inout OutputBuffer
  ) {
    buffer.append("\",\"name\":\"")
    buffer.append(json: content.texts.span.extracting(name.range))
    buffer.append("\"")
    buffer.append(members)
    if let raw {
      buffer.append(",\"rawPath\":\"")
      buffer.append(content.texts.span.extracting(raw))
      buffer.append("\"")
    }
    buffer.append("}}")
  }
}
