import GeoCore
import GeoFormats
import GeoProjection

/// Writes one layer of a vector tile (Mapbox Vector Tile specification 2.1, 4).
struct LayerWriter {
  private let name: StaticString
  private var features: [UInt8] = []
  private var keys: [FeatureMember] = []
  private var values = ValueTable()
  private var tags: [UInt8] = []
  private var geometry: [UInt8] = []
  private(set) var count = 0

  init(_ name: StaticString) { self.name = name }

  enum Geometry: UInt64 {
    case point = 1
    case polygon = 3
  }

  /// Adds a member to the current feature, if it has a value.
  mutating func put(_ member: FeatureMember, _ value: FeatureValue?) {
    switch value {
    case nil: break
    case .word(let word): put(member, word: word)
    case .number(let number):
      switch member.valueKind {
      case .int, .count: put(member, unsigned: UInt64(max(number, 0)))
      default: tag(member, values.index(field: 6, number.zigzag))
      }
    case .flag: tag(member, values.index(field: 7, 1))
    case .text(let bytes):
      put(member, text: Array(String(decoding: bytes, as: UTF8.self).utf8)[...])
    case .percent(let bytes):
      var text: [UInt8] = []
      PercentText.append(bytes.span, to: &text)
      put(member, text: text[...])
    case .degrees, .time, .instant: preconditionFailure("no property of a tile")
    }
  }

  mutating func put(_ member: FeatureMember, text: ArraySlice<UInt8>) {
    tag(member, values.index(ofText: text))
  }

  private mutating func put(_ member: FeatureMember, word: StaticString) {
    let index = word.withUTF8Buffer { unsafe values.index(ofText: ArraySlice($0)) }
    tag(member, index)
  }

  mutating func put(_ member: FeatureMember, unsigned value: UInt64) {
    tag(member, values.index(field: 5, value))
  }

  mutating func put(_ member: FeatureMember, double value: Double) {
    tag(member, values.index(ofDouble: value))
  }

  private mutating func tag(_ key: FeatureMember, _ value: UInt32) {
    // A dozen keys at most.
    var index = 0
    while index < keys.count, keys[index] != key { index += 1 }
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
    layer.append(field: 1, bytes: name.bytes)
    layer.append(contentsOf: features)
    for key in keys { layer.append(field: 3, bytes: key.plainName.bytes) }
    values.write(to: &layer)
    layer.append(field: 5, number: UInt64(TileAddress.extent))
    tile.append(field: 3, bytes: layer)
  }
}

extension LayerWriter {
  /// Adds the members of a node.
  mutating func put(_ record: FeatureRecord) { record.eachOfTile { put($0, $1) } }

  /// Adds the totals of a folder.
  mutating func put(totalsOf record: FeatureRecord) { record.eachOfTotals { put($0, $1) } }

  /// Adds the difference of a node between two states.
  ///
  /// - Parameter kind: The node's kind now.
  mutating func put(_ difference: NodeDifference?, kind: EntryKind) {
    difference?.eachOfTile(nowOf: kind) { put($0, $1) }
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
    buffer.append("}}")
  }
}
