import GeoFormats
import GeoCore
import GeoProjection

/// Writes tiles in the format of Mapbox Vector Tiles, version 2.1.
public struct VectorTile {
  private let content: TileContent
  private var land = LayerWriter("land")
  private var cells = LayerWriter("cells")
  private var towns = LayerWriter("towns")
  private var files = LayerWriter("files")
  private var labels = LayerWriter("labels")

  private init(_ content: TileContent) { self.content = content }

  /// The tile with its layers `land`, `cells`, `towns`, `files` and `labels`; those that are empty are left out.
  ///
  /// - Complexity: O(size of the result).
  public static func encode(_ content: TileContent) -> [UInt8] {
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
    land.draw(content.points[item.ring])
    land.end(id: item.node.id, .polygon)
    if !item.cell.isEmpty {
      cells.put("depth", unsigned: UInt64(item.node.depth))
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
    if let newest = below.newest { layer.put("newest", signed: newest) }
    if let type = below.type { layer.put("type", word: type) }
  }
}

extension LayerWriter {
  /// Adds a text, and the bytes after it if they are no text.
  fileprivate mutating func put(
    _ key: StaticString, _ texts: [UInt8], _ text: TileContent.Text, raw rawKey: StaticString
  ) {
    put(key, text: texts[text.range])
    if let raw = text.raw { put(rawKey, text: texts[raw]) }
  }
}
