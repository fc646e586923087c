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
    land.put("path", content.texts, item.path, raw: "rawPath")
    land.put("name", text: content.texts[item.name.range])
    Self.put(item.node, of: content, to: &land)
    land.put("breadth", double: item.breadth)
    land.put(tint: item.node.tint)
    land.draw(content.points[item.ring])
    land.end(id: item.node.id, .polygon)
    if !item.cell.isEmpty {
      cells.put("depth", unsigned: UInt64(item.node.depth))
      cells.put(tint: item.node.tint)
      cells.draw(content.points[item.cell])
      cells.end(id: item.node.id, .polygon)
    }
    let place = content.tile.place(of: item.label)
    if TileAddress.proper.contains(place) { addLabel(of: item, at: place) }
  }

  private mutating func addLabel(of item: TileContent.Land, at place: TilePoint) {
    labels.put("name", text: content.texts[item.name.range])
    labels.put("path", content.texts, item.path, raw: "rawPath")
    labels.put("kind", word: item.node.kind.text)
    labels.put("depth", unsigned: UInt64(item.node.depth))
    labels.put("minzoom", unsigned: UInt64(item.node.minzoom))
    labels.put("breadth", double: item.breadth)
    if let change = content.difference(item.node.difference)?.change.text {
      labels.put("change", word: change)
    }
    labels.draw(place)
    labels.end(id: item.node.id, .point)
  }

  private mutating func add(_ margin: TileContent.Margin) {
    cells.put("depth", unsigned: UInt64(margin.depth))
    cells.put("path", content.texts, margin.path, raw: "rawPath")
    cells.put("minzoom", unsigned: UInt64(margin.minzoom))
    cells.put("breadth", double: margin.breadth)
    cells.put(tint: margin.tint)
    Self.put(margin.below, to: &cells)
    if let difference = content.difference(margin.difference) {
      cells.put(difference, kind: .directory)
    }
    cells.draw(content.points[margin.cell])
    cells.end(id: margin.id, .polygon)
  }

  private mutating func add(_ town: TileContent.Town, number: Int) {
    towns.put("folder", content.texts, town.folder, raw: "rawFolder")
    towns.put("files", unsigned: UInt64(town.files))
    towns.put("minzoom", unsigned: UInt64(town.minzoom))
    towns.draw(content.points[town.ground])
    towns.end(id: UInt64(number), .polygon)
  }

  private mutating func add(_ spot: TileContent.Spot) {
    files.put("name", content.texts, spot.name, raw: "rawName")
    files.put("folder", content.texts, spot.folder, raw: "rawFolder")
    Self.put(spot.node, of: content, to: &files)
    files.draw(content.tile.place(of: spot.place))
    files.end(id: spot.node.id, .point)
  }

  private static func put(
    _ node: TileContent.Node, of content: TileContent, to layer: inout LayerWriter
  ) {
    layer.put("kind", word: node.kind.text)
    layer.put("depth", unsigned: UInt64(node.depth))
    layer.put("minzoom", unsigned: UInt64(node.minzoom))
    if let size = node.size { layer.put("size", unsigned: UInt64(max(size, 0))) }
    if let modified = node.modified { layer.put("modified", signed: modified) }
    if let special = node.special?.special { layer.put("special", word: special) }
    if node.isUnreadable { layer.put("unreadable", flag: true) }
    put(node.below, to: &layer)
    if let difference = content.difference(node.difference) {
      layer.put(difference, kind: node.kind == .poi ? node.special ?? .regular : .directory)
    }
  }

  private static func put(_ below: TileContent.Below?, to layer: inout LayerWriter) {
    guard let below else { return }
    layer.put("files", unsigned: UInt64(max(below.files, 0)))
    if let bytes = below.bytes { layer.put("bytes", unsigned: UInt64(max(bytes, 0))) }
    if let room = below.allocated { layer.put("allocated", unsigned: UInt64(max(room, 0))) }
    if let newest = below.newest { layer.put("newest", signed: newest) }
    if let type = below.type { layer.put("type", word: type) }
  }
}

extension LayerWriter {
  /// Adds a text, and its raw bytes if they are not UTF-8.
  fileprivate mutating func put(
    _ key: StaticString, _ texts: [UInt8], _ text: TileContent.Text, raw rawKey: StaticString
  ) {
    put(key, text: texts[text.range])
    if let raw = text.raw { put(rawKey, text: texts[raw]) }
  }

  /// Adds the tint of a land.
  fileprivate mutating func put(tint: UInt8?) {
    if let tint { put("tint", unsigned: UInt64(tint)) }
  }
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
