import GeoCore

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

  /// Adds a property to the feature that is ended next.
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
    // A dozen keys at most, each a pointer to the same text.
    var index = 0
    while index < keys.count, unsafe keys[index].utf8Start != key.utf8Start { index += 1 }
    if index == keys.count { keys.append(key) }
    tags.append(varint: UInt64(index))
    tags.append(varint: UInt64(value))
  }

  /// Sets the geometry to one point.
  mutating func draw(_ point: TilePoint) {
    geometry.append(varint: 1 << 3 | 1)  // move, once
    geometry.append(varint: point.x.zigzag)
    geometry.append(varint: point.y.zigzag)
  }

  /// Sets the geometry to one ring, which is not closed.
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

  /// Ends a feature.
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
