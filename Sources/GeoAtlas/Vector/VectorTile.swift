import GeoFormats

package struct VectorTile {
  private let content: TileContent
  private let columns: [LayerColumn]
  private var land: LayerWriter
  private var cells: LayerWriter
  private var towns = LayerWriter("towns")
  private var files: LayerWriter
  private var labels = LayerWriter("labels")

  private init(_ content: TileContent) {
    self.content = content
    columns = content.layers.columns
    land = LayerWriter("land", columns)
    cells = LayerWriter("cells", columns)
    files = LayerWriter("files", columns)
  }

  /// Writes a Mapbox Vector Tile, version 2.1; empty layers are left out.
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
    land.put(.breadth, .decimal(item.breadth))
    land.put(tint: item.node.tint)
    put(cellsOf: item.node, isFolder: true, to: &land)
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
    labels.put(.breadth, .decimal(item.breadth))
    if let difference = content.difference(of: item.node) {
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
    cells.put(.breadth, .decimal(margin.breadth))
    cells.put(tint: margin.node.tint)
    cells.put(totalsOf: record)
    cells.put(content.difference(of: margin.node), kind: record.entry)
    put(cellsOf: margin.node, isFolder: true, to: &cells)
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
    put(cellsOf: spot.node, isFolder: !spot.isFile, to: &files)
    files.draw(content.tile.place(of: spot.place))
    files.end(id: spot.node.record.id, .point)
  }

  private static func put(
    _ node: TileContent.Node, of content: TileContent, to layer: inout LayerWriter
  ) {
    layer.put(node.record)
    layer.put(content.difference(of: node), kind: node.record.entry)
  }

  private func put(
    cellsOf node: TileContent.Node, isFolder: Bool, to layer: inout LayerWriter
  ) {
    guard let cells = content.cells(of: node) else { return }
    for (number, column) in columns.enumerated() {
      layer.put(number, content.layers.value(column, of: cells, isFolder: isFolder))
    }
  }
}

extension LayerWriter {
  fileprivate mutating func put(
    _ member: FeatureMember, _ texts: [UInt8], _ text: TileContent.Text, raw: FeatureMember
  ) {
    put(member, text: texts[text.range])
    if let bytes = text.raw { put(raw, text: texts[bytes]) }
  }

  fileprivate mutating func put(tint: UInt8?) { put(.tint, FeatureValue(tint.map { Int64($0) })) }
}

/// The part of Protocol Buffers' wire format that tiles need.
extension [UInt8] {
  @inline(__always)
  mutating func append(field: UInt8, _ type: WireType) {
    append(field << 3 | type.rawValue)
  }

  mutating func append(field: UInt8, bytes: [UInt8]) {
    append(field: field, .bytes)
    append(text: bytes)
  }

  mutating func append(field: UInt8, number: UInt64) {
    append(field: field, .varint)
    append(varint: number)
  }
}

enum WireType: UInt8 {
  case varint = 0
  case eightBytes = 1
  case bytes = 2
}
