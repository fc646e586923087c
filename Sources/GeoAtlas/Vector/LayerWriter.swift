import GeoCore
import GeoFormats

/// Writes one layer of a vector tile (Mapbox Vector Tile specification 2.1, 4).
struct LayerWriter {
  private let name: StaticString
  private let columns: [LayerColumn]
  private var features: [UInt8] = []
  private var keys: [Key] = []
  private var values = ValueTable()
  private var tags: [UInt8] = []
  private var geometry: [UInt8] = []
  private(set) var count = 0

  init(_ name: StaticString, _ columns: [LayerColumn] = []) {
    (self.name, self.columns) = (name, columns)
  }

  private struct Key: Equatable {
    /// The number of the member, or after all of these that of the column.
    let number: Int

    init(_ member: FeatureMember) { number = Int(member.rawValue) }
    init(column: Int) { number = Self.firstColumn + column }

    private static let firstColumn = 256

    func name(_ columns: [LayerColumn]) -> [UInt8] {
      if number >= Self.firstColumn { return Array(columns[number - Self.firstColumn].name.utf8) }
      return FeatureMember(rawValue: UInt8(number))?.plainName.bytes ?? []
    }
  }

  enum Geometry: UInt64 {
    case point = 1
    case polygon = 3
  }

  mutating func put(_ member: FeatureMember, _ value: FeatureValue?) {
    if case .number(let number) = value {
      switch member.valueKind {
      case .int, .count:
        return tag(Key(member), values.index(field: 5, UInt64(max(number, 0))))
      default: break
      }
    }
    put(Key(member), value)
  }

  mutating func put(_ column: Int, _ value: FeatureValue?) { put(Key(column: column), value) }

  mutating func put(_ member: FeatureMember, text: ArraySlice<UInt8>) {
    tag(Key(member), values.index(ofText: text))
  }

  private mutating func put(_ key: Key, _ value: FeatureValue?) {
    switch value {
    case nil: break
    case .word(let word):
      tag(key, word.withUTF8Buffer { unsafe values.index(ofText: ArraySlice($0)) })
    case .number(let number): tag(key, values.index(field: 6, number.zigzag))
    case .decimal(let number): tag(key, values.index(ofDouble: number))
    case .flag: tag(key, values.index(field: 7, 1))
    case .text(let bytes):
      tag(key, values.index(ofText: Array(String(decoding: bytes, as: UTF8.self).utf8)[...]))
    case .percent(let bytes):
      var text: [UInt8] = []
      PercentText.append(bytes.span, to: &text)
      tag(key, values.index(ofText: text[...]))
    case .degrees, .time, .instant: preconditionFailure("no property of a tile")
    }
  }

  private mutating func tag(_ key: Key, _ value: UInt32) {
    // Some dozen keys at most.
    var index = 0
    while index < keys.count, keys[index] != key { index += 1 }
    if index == keys.count { keys.append(key) }
    tags.append(varint: UInt64(index))
    tags.append(varint: UInt64(value))
  }

  mutating func draw(_ point: TilePoint) {
    geometry.append(varint: 1 << 3 | 1)  // move, once
    geometry.append(zigzag: point.x)
    geometry.append(zigzag: point.y)
  }

  mutating func draw(_ ring: ArraySlice<TilePoint>) {
    guard var last = ring.first else { return }
    geometry.append(varint: 1 << 3 | 1)  // move, once
    geometry.append(zigzag: last.x)
    geometry.append(zigzag: last.y)
    geometry.append(varint: UInt64(ring.count - 1) << 3 | 2)  // line, to each of the others
    for point in ring.dropFirst() {
      geometry.append(zigzag: point.x &- last.x)
      geometry.append(zigzag: point.y &- last.y)
      last = point
    }
    geometry.append(varint: 1 << 3 | 7)  // close
  }

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

  func write(to tile: inout [UInt8]) {
    if count == 0 { return }
    var layer: [UInt8] = []
    layer.reserveCapacity(features.count + values.bytes.count + 256)
    layer.append(field: 15, number: 2)
    layer.append(field: 1, bytes: name.bytes)
    layer.append(contentsOf: features)
    for key in keys { layer.append(field: 3, bytes: key.name(columns)) }
    values.write(to: &layer)
    layer.append(field: 5, number: UInt64(TileAddress.extent))
    tile.append(field: 3, bytes: layer)
  }
}

extension LayerWriter {
  mutating func put(_ record: FeatureRecord) { record.eachOfTile { put($0, $1) } }

  mutating func put(totalsOf record: FeatureRecord) { record.eachOfTotals { put($0, $1) } }

  mutating func put(_ difference: NodeDifference?, kind: EntryKind) {
    difference?.eachOfTile(nowOf: kind) { put($0, $1) }
  }
}
