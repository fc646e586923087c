import GeoCore
import GeoFormats
import GeoProjection

/// Writes one layer of a vector tile (Mapbox Vector Tile specification 2.1, 4).
struct LayerWriter {
  private let name: StaticString
  private var features: [UInt8] = []
  private var keys: [StaticString] = []
  private var values = ValueTable()
  private var tags: [UInt8] = []
  private var geometry: [UInt8] = []
  private(set) var count = 0

  init(_ name: StaticString) { self.name = name }

  enum Geometry: UInt64 {
    case point = 1
    case polygon = 3
  }

  /// Adds a property to the current feature.
  mutating func put(_ key: StaticString, text: ArraySlice<UInt8>) {
    tag(key, values.index(ofText: text))
  }

  mutating func put(_ key: StaticString, word: StaticString) {
    let index = word.withUTF8Buffer { unsafe values.index(ofText: ArraySlice($0)) }
    tag(key, index)
  }

  mutating func put(_ key: StaticString, unsigned value: UInt64) {
    tag(key, values.index(field: 5, value))
  }

  mutating func put(_ key: StaticString, signed value: Int64) {
    tag(key, values.index(field: 6, value.zigzag))
  }

  mutating func put(_ key: StaticString, flag value: Bool) {
    tag(key, values.index(field: 7, value ? 1 : 0))
  }

  mutating func put(_ key: StaticString, double value: Double) {
    tag(key, values.index(ofDouble: value))
  }

  private mutating func tag(_ key: StaticString, _ value: UInt32) {
    // A dozen keys at most, each a pointer to the same literal.
    var index = 0
    while index < keys.count, unsafe keys[index].utf8Start != key.utf8Start { index += 1 }
    if index == keys.count { keys.append(key) }
    tags.append(varint: UInt64(index))
    tags.append(varint: UInt64(value))
  }

  /// Sets the geometry to a point.
  mutating func draw(_ point: TilePoint) {
    geometry.append(varint: 1 << 3 | 1)  // move, once
    geometry.append(varint: point.x.zigzag)
    geometry.append(varint: point.y.zigzag)
  }

  /// Sets the geometry to a ring, which is not closed.
  mutating func draw(_ ring: ArraySlice<TilePoint>) {
    guard var last = ring.first else { return }
    geometry.append(varint: 1 << 3 | 1)  // move, once
    geometry.append(varint: last.x.zigzag)
    geometry.append(varint: last.y.zigzag)
    geometry.append(varint: UInt64(ring.count - 1) << 3 | 2)  // line, to each of the others
    for point in ring.dropFirst() {
      geometry.append(varint: (point.x &- last.x).zigzag)
      geometry.append(varint: (point.y &- last.y).zigzag)
      last = point
    }
    geometry.append(varint: 1 << 3 | 7)  // close
  }

  /// Ends the current feature.
  mutating func end(id: UInt64, _ type: Geometry) {
    let length =
      1 + Self.length(of: id) + 1 + Self.length(of: UInt64(tags.count)) + tags.count + 2 + 1
      + Self.length(of: UInt64(geometry.count)) + geometry.count
    features.append(field: 2, .bytes)
    features.append(varint: UInt64(length))
    features.append(field: 1, number: id)
    features.append(field: 2, bytes: tags)
    features.append(field: 3, number: type.rawValue)
    features.append(field: 4, bytes: geometry)
    tags.removeAll(keepingCapacity: true)
    geometry.removeAll(keepingCapacity: true)
    count += 1
  }

  private static func length(of value: UInt64) -> Int {
    max(1, (64 - value.leadingZeroBitCount + 6) / 7)
  }

  /// Adds the layer to a tile, unless it is empty.
  func write(to tile: inout [UInt8]) {
    if count == 0 { return }
    var layer: [UInt8] = []
    layer.reserveCapacity(features.count + values.bytes.count + 256)
    layer.append(field: 15, number: 2)
    layer.append(field: 1, bytes: Self.bytes(of: name))
    layer.append(contentsOf: features)
    for key in keys { layer.append(field: 3, bytes: Self.bytes(of: key)) }
    values.write(to: &layer)
    layer.append(field: 5, number: UInt64(TileAddress.extent))
    tile.append(field: 3, bytes: layer)
  }

  private static func bytes(of text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { unsafe Array($0) }
  }
}

extension LayerWriter {
  /// Adds the difference of a node between two states: the members of a feature. Nested members get
  /// combined names, as properties here are plain values.
  ///
  /// - Parameter kind: The node's kind now.
  mutating func put(_ difference: NodeDifference, kind: EntryKind) {
    if let text = difference.change.text { put("change", word: text) }
    if let was = difference.was { put(was: was, nowOf: kind) }
    if let path = difference.otherPath {
      let isLeft = difference.change == .left
      let text = Array(String(decoding: path, as: UTF8.self).utf8)
      put(isLeft ? "to" : "from", text: text[...])
      if !path.span.isValidUTF8 {
        var raw: [UInt8] = []
        PercentText.append(path.span, to: &raw)
        put(isLeft ? "rawTo" : "rawFrom", text: raw[...])
      }
    }
    guard let below = difference.below else { return }
    put(nonzero: "below_added", Int64(below.counts.added))
    put(nonzero: "below_removed", Int64(below.counts.removed))
    put(nonzero: "below_changed", Int64(below.counts.changed))
    put(nonzero: "below_moved", Int64(below.counts.moved))
    put(nonzero: "below_bytes", below.bytes ?? 0)
  }

  private mutating func put(was facts: EntryFacts, nowOf kind: EntryKind) {
    if facts.status == .known || facts.status == .sized { put("was_size", signed: facts.size) }
    if facts.status == .known { put("was_modified", signed: facts.modified) }
    if let special = NodeDifference.special(of: facts, nowOf: kind) {
      put("was_special", word: special)
    }
  }

  private mutating func put(nonzero key: StaticString, _ number: Int64) {
    if number != 0 { put(key, signed: number) }
  }
}

/// Writes tiles as GeoJSON (RFC 7946).
package enum GeoJSONTile {
  /// The tile's nodes as a collection: lands as polygons, generalised and clipped to the tile's
  /// buffer, others as points at their exact coordinates.
  ///
  /// - Complexity: O(size of the result).
  package static func encode(_ content: TileContent) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 256 * content.count + 256)
    var collection = GeoJSONCollection()
    collection.begin(&buffer)
    let scale = Degrees(digits: Self.digits(zoom: content.tile.zoom))
    for land in content.lands {
      collection.beginFeature("Polygon", id: land.node.id, to: &buffer)
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
      var record = content.record(of: land.node)
      record.position = Degrees(digits: land.digits).coordinate(land.label)
      record.digits = land.digits
      record.hasLonLat = true
      put(record, name: land.name, raw: land.path.raw, of: content, to: &buffer)
    }
    for spot in content.spots {
      collection.beginFeature("Point", id: spot.node.id, to: &buffer)
      put(spot.place, Degrees(digits: spot.digits), to: &buffer)
      buffer.append("},\"properties\":{\"path\":\"")
      buffer.append(json: content.texts.span.extracting(spot.folder.range))
      buffer.append("/")
      buffer.append(json: content.texts.span.extracting(spot.name.range))
      put(content.record(of: spot.node), name: spot.name, raw: nil, of: content, to: &buffer)
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

  /// Puts the members after the path, up to the end of the feature.
  private static func put(
    _ record: FeatureRecord, name: TileContent.Text, raw: Range<Int>?, of content: TileContent,
    to buffer: inout OutputBuffer
  ) {
    buffer.append("\",\"name\":\"")
    buffer.append(json: content.texts.span.extracting(name.range))
    buffer.append("\"")
    buffer.append(record)
    if let raw {
      buffer.append(",\"rawPath\":\"")
      buffer.append(content.texts.span.extracting(raw))
      buffer.append("\"")
    }
    buffer.append("}}")
  }
}
