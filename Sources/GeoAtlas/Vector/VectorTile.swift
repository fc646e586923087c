import GeoCore
import GeoFormats
import GeoProjection

/// Writes tiles in the format of Mapbox Vector Tiles, version 2.1.
package struct VectorTile {
  private let content: TileContent
  private var land = LayerWriter("land")
  private var cells = LayerWriter("cells")
  private var towns = LayerWriter("towns")
  private var files = LayerWriter("files")
  private var labels = LayerWriter("labels")

  private init(_ content: TileContent) { self.content = content }

  /// Encodes a tile with its layers `land`, `cells`, `towns`, `files` and `labels`; empty ones are
  /// left out.
  ///
  /// - Complexity: O(size of the result).
  package static func encode(_ content: TileContent) -> [UInt8] {
    var tile = VectorTile(content)
    for land in content.lands { tile.add(land) }
    for margin in content.margins { tile.add(margin) }
    for (index, town) in content.towns.enumerated() { tile.add(town, number: index + 1) }
    for spot in content.spots { tile.add(spot) }
    var bytes: [UInt8] = []
    tile.land.write(to: &bytes)
    tile.cells.write(to: &bytes)
    tile.towns.write(to: &bytes)
    tile.files.write(to: &bytes)
    tile.labels.write(to: &bytes)
    return bytes
  }

  private mutating func add(_ item: TileContent.Land) {
    let record = item.node.record
    land.put(.path, content.texts, item.path, raw: .rawPath)
    land.put(.name, text: content.texts[item.name.range])
    Self.put(item.node, of: content, to: &land)
    land.put(.breadth, double: item.breadth)
    land.put(tint: item.node.tint)
    land.draw(content.points[item.ring])
    land.end(id: record.id, .polygon)
    if !item.cell.isEmpty {
      cells.put(.depth, record.value(.depth))
      cells.put(tint: item.node.tint)
      cells.draw(content.points[item.cell])
      cells.end(id: record.id, .polygon)
    }
    let place = content.tile.place(of: item.label)
    if TileAddress.proper.contains(place) { addLabel(of: item, at: place) }
  }

  private mutating func addLabel(of item: TileContent.Land, at place: TilePoint) {
    let record = item.node.record
    labels.put(.name, text: content.texts[item.name.range])
    labels.put(.path, content.texts, item.path, raw: .rawPath)
    labels.put(.kind, record.value(.kind))
    labels.put(.depth, record.value(.depth))
    labels.put(.minzoom, record.value(.minzoom))
    labels.put(.breadth, double: item.breadth)
    if let difference = content.difference(item.node.difference) {
      labels.put(.change, difference.value(.change, nowOf: record.entry))
    }
    labels.draw(place)
    labels.end(id: record.id, .point)
  }

  private mutating func add(_ margin: TileContent.Margin) {
    let record = margin.node.record
    cells.put(.depth, record.value(.depth))
    cells.put(.path, content.texts, margin.path, raw: .rawPath)
    cells.put(.minzoom, record.value(.minzoom))
    cells.put(.breadth, double: margin.breadth)
    cells.put(tint: margin.node.tint)
    cells.put(totalsOf: record)
    cells.put(content.difference(margin.node.difference), kind: record.entry)
    cells.draw(content.points[margin.cell])
    cells.end(id: record.id, .polygon)
  }

  private mutating func add(_ town: TileContent.Town, number: Int) {
    towns.put(.folder, content.texts, town.folder, raw: .rawFolder)
    towns.put(.files, .number(Int64(town.files)))
    towns.put(.minzoom, .number(Int64(town.minzoom)))
    towns.draw(content.points[town.ground])
    towns.end(id: UInt64(number), .polygon)
  }

  private mutating func add(_ spot: TileContent.Spot) {
    files.put(.name, content.texts, spot.name, raw: .rawName)
    files.put(.folder, content.texts, spot.folder, raw: .rawFolder)
    Self.put(spot.node, of: content, to: &files)
    files.draw(content.tile.place(of: spot.place))
    files.end(id: spot.node.record.id, .point)
  }

  private static func put(
    _ node: TileContent.Node, of content: TileContent, to layer: inout LayerWriter
  ) {
    layer.put(node.record)
    layer.put(content.difference(node.difference), kind: node.record.entry)
  }
}

extension LayerWriter {
  /// Adds a text, and its raw bytes if they are not UTF-8.
  fileprivate mutating func put(
    _ member: FeatureMember, _ texts: [UInt8], _ text: TileContent.Text, raw: FeatureMember
  ) {
    put(member, text: texts[text.range])
    if let bytes = text.raw { put(raw, text: texts[bytes]) }
  }

  /// Adds the tint of a land.
  fileprivate mutating func put(tint: UInt8?) { put(.tint, FeatureValue(tint.map { Int64($0) })) }
}

/// The values of a layer, each once, in the order in which they were added.
struct ValueTable {
  /// The values as messages, one after the other.
  private(set) var bytes: [UInt8] = []
  private var starts: [Int] = [0]
  /// Open addressing: the index of a value plus 1, or 0.
  private var slots = [UInt32](repeating: 0, count: 256)

  private var count: Int { starts.count - 1 }

  /// The index of a text.
  mutating func index(ofText text: ArraySlice<UInt8>) -> UInt32 {
    bytes.append(field: 1, .bytes)
    bytes.append(varint: UInt64(text.count))
    bytes.append(contentsOf: text)
    return settle()
  }

  /// The index of an integer value.
  mutating func index(field: UInt8, _ number: UInt64) -> UInt32 {
    bytes.append(field: field, number: number)
    return settle()
  }

  /// The index of a floating-point value.
  mutating func index(ofDouble value: Double) -> UInt32 {
    bytes.append(field: 3, .eightBytes)
    var bits = value.bitPattern
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
    return settle()
  }

  /// The index of the value at the end, which is removed if it is in the table already.
  private mutating func settle() -> UInt32 {
    let start = starts[count]
    let mask = slots.count - 1
    var slot = hash(start..<bytes.count) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      let other = starts[index]..<starts[index + 1]
      if other.count == bytes.count - start, bytes[other] == bytes[start...] {
        bytes.removeLast(bytes.count - start)
        return UInt32(index)
      }
      slot = (slot + 1) & mask
    }
    starts.append(bytes.count)
    slots[slot] = UInt32(count)
    if count * 2 > slots.count { grow() }
    return UInt32(count - 1)
  }

  private func hash(_ range: Range<Int>) -> Int {
    Int(truncatingIfNeeded: XXH64.hash(bytes.span.extracting(range), seed: 0))
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 4)
    let mask = slots.count - 1
    for index in 0..<count {
      var slot = hash(starts[index]..<starts[index + 1]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  func write(to layer: inout [UInt8]) {
    for index in 0..<count {
      let value = bytes[starts[index]..<starts[index + 1]]
      layer.append(field: 4, .bytes)
      layer.append(varint: UInt64(value.count))
      layer.append(contentsOf: value)
    }
  }
}

/// The part of Protocol Buffers' wire format that tiles need.
extension [UInt8] {
  /// Adds the key of a field.
  @inline(__always)
  mutating func append(field: UInt8, _ type: WireType) {
    append(field << 3 | type.rawValue)
  }

  /// Adds a field with bytes or a message.
  mutating func append(field: UInt8, bytes: [UInt8]) {
    append(field: field, .bytes)
    append(varint: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  /// Adds a field with a number.
  mutating func append(field: UInt8, number: UInt64) {
    append(field: field, .varint)
    append(varint: number)
  }
}

/// How the value of a field is stored.
enum WireType: UInt8 {
  case varint = 0
  case eightBytes = 1
  case bytes = 2
}
