import GeoCore
import GeoFormats
import GeoProjection

package enum GeoJSONTile {
  /// The tile's nodes as a collection (RFC 7946): lands as polygons, generalised and clipped to the
  /// tile's buffer, others as points at their exact coordinates.
  package static func encode(_ content: TileContent) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 256 * content.count + 256)
    var collection = GeoJSONCollection()
    collection.begin(&buffer)
    let scale = Degrees(digits: Self.digits(zoom: content.tile.zoom))
    var members = LayerMembers(content.layers)
    for land in content.lands {
      collection.beginFeature("Polygon", id: land.node.record.id, to: &buffer)
      buffer.append("[[")
      let ring = content.points[land.ring]
      // On the tile it runs clockwise; RFC 7946 requires counter-clockwise.
      for point in ring.reversed() {
        put(content.tile.point(at: point), scale, to: &buffer)
        buffer.append(",")
      }
      if let last = ring.last { put(content.tile.point(at: last), scale, to: &buffer) }
      buffer.append("]]},\"properties\":{\"path\":\"")
      buffer.append(json: content.texts.span.extracting(land.path.range))
      var record = land.node.record
      record.position = Degrees(digits: land.digits).coordinate(land.label)
      record.digits = land.digits
      record.hasLonLat = true
      put(
        record, content.parts(of: land.node), name: land.name, raw: land.path.raw, of: content,
        to: &buffer)
      put(land.node, areFolders: true, of: content, &members, to: &buffer)
    }
    for spot in content.spots {
      collection.beginFeature("Point", id: spot.node.record.id, to: &buffer)
      put(spot.place, Degrees(digits: spot.digits), to: &buffer)
      buffer.append("},\"properties\":{\"path\":\"")
      buffer.append(json: content.texts.span.extracting(spot.folder.range))
      buffer.append("/")
      buffer.append(json: content.texts.span.extracting(spot.name.range))
      put(
        spot.node.record, content.parts(of: spot.node), name: spot.name, raw: nil, of: content,
        to: &buffer)
      put(spot.node, areFolders: !spot.isFile, of: content, &members, to: &buffer)
    }
    if content.isEmpty { buffer.append("]}\n") } else { collection.end(&buffer) }
    return buffer.bytes
  }

  /// Decimals that distinguish the units of a tile's grid.
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
    _ node: TileContent.Node, areFolders: Bool, of content: TileContent,
    _ members: inout LayerMembers, to buffer: inout OutputBuffer
  ) {
    if let cells = content.cells(of: node) {
      members.setLayers(LayerBatch(content.layers, cells: Array(cells), areFolders: areFolders))
      members.put(to: &buffer)
    }
    buffer.append("}}")
  }

  private static func put(
    _ record: FeatureRecord, _ parts: FeatureParts?, name: TileContent.Text, raw: Range<Int>?,
    of content: TileContent,
    to buffer: inout OutputBuffer
  ) {
    buffer.append("\",\"name\":\"")
    buffer.append(json: content.texts.span.extracting(name.range))
    buffer.append("\"")
    buffer.append(record, with: parts)
    if let raw {
      buffer.append(",\"rawPath\":\"")
      buffer.append(content.texts.span.extracting(raw))
      buffer.append("\"")
    }
  }
}
