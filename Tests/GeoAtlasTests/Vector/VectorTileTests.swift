import GeoProjection
import TestSupport
import Testing

@testable import GeoAtlas

/// A reader by the specification finds in a vector tile what was written.
@Suite struct VectorTileTests {
  private typealias Value = DecodedTile.Value

  @Test func tilesRoundTrip() throws {
    let property = Property<RandomContent>("vector tile") {
      try RandomContent(using: &$0)
    } fault: { made in
      let tile = try DecodedTile(VectorTile.encode(made.content))
      let expected = [
        ("land", expectedLands(made)), ("cells", cells(made)), ("files", expectedSpots(made)),
        ("labels", labels(made)),
      ].filter { !$0.1.isEmpty }
      if tile.layers.map(\.name) != expected.map(\.0) { return "layers \(tile.layers.map(\.name))" }
      for (layer, (name, features)) in zip(tile.layers, expected) {
        if layer.extent != 4096 { return "\(name): extent \(layer.extent)" }
        if layer.features.count != features.count { return "\(name): \(layer.features.count)" }
        for (found, feature) in zip(layer.features, features) where found != feature {
          return "\(name): \(found), not \(feature)"
        }
      }
      return nil
    }
    let found = try property.counterexample(cases: 300)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }

  /// The text, and also its raw bytes if they aren't valid UTF-8.
  private func put(
    _ bytes: [UInt8], _ key: String, raw: String, to properties: inout [String: Value]
  ) {
    properties[key] = .text(String(decoding: bytes, as: UTF8.self))
    if String(validating: bytes, as: UTF8.self) != nil { return }
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    properties[raw] = .text(
      bytes.map { byte in
        if plain.contains(byte) { return String(UnicodeScalar(byte)) }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined())
  }

  private func properties(of node: TileContent.Node) -> [String: Value] {
    var properties: [String: Value] = [
      "kind": .text("\(node.record.kind.text)"), "depth": .unsigned(UInt64(node.record.depth)),
      "minzoom": .unsigned(UInt64(node.record.minzoom)),
    ]
    properties["size"] = node.record.size.map { .unsigned(UInt64($0)) }
    properties["modified"] = node.record.modified.map { .signed($0) }
    properties["special"] = node.record.entry.special == nil ? nil : .text("symlink")
    properties["unreadable"] = node.record.isUnreadable ? .flag(true) : nil
    guard let totals = node.record.totals else { return properties }
    properties["files"] = .unsigned(UInt64(totals.files))
    if let bytes = totals.bytes { properties["bytes"] = .unsigned(UInt64(bytes)) }
    properties["newest"] = node.record.newest.map { .signed($0) }
    properties["type"] = node.record.type.map { .text("\($0)") }
    return properties
  }

  private func expectedLands(_ made: RandomContent) -> [DecodedTile.Feature] {
    zip(made.content.lands, made.landPaths).map { land, path in
      var properties = properties(of: land.node)
      put(path, "path", raw: "rawPath", to: &properties)
      properties["name"] = name(of: path)
      properties["breadth"] = .double(land.breadth)
      properties["tint"] = land.node.tint.map { .unsigned(UInt64($0)) }
      let ring = made.content.points[land.ring].map { DecodedTile.Point(x: $0.x, y: $0.y) }
      return DecodedTile.Feature(
        id: land.node.record.id, geometry: .polygon([ring]), properties: properties)
    }
  }

  /// The cells that the lands were cut from; a root has none.
  private func cells(_ made: RandomContent) -> [DecodedTile.Feature] {
    made.content.lands.compactMap { land in
      if land.node.record.depth == 0 { return nil }
      let ring = made.content.points[land.cell].map { DecodedTile.Point(x: $0.x, y: $0.y) }
      var properties: [String: Value] = ["depth": .unsigned(UInt64(land.node.record.depth))]
      properties["tint"] = land.node.tint.map { .unsigned(UInt64($0)) }
      return DecodedTile.Feature(
        id: land.node.record.id, geometry: .polygon([ring]), properties: properties)
    }
  }

  private func labels(_ made: RandomContent) -> [DecodedTile.Feature] {
    zip(made.content.lands, made.landPaths).compactMap { land, path in
      let place = made.content.tile.place(of: land.label)
      guard (0..<4096).contains(place.x), (0..<4096).contains(place.y) else { return nil }
      var properties = properties(of: land.node)
      for key in ["size", "modified", "unreadable", "files", "bytes", "newest", "type"] {
        properties[key] = nil
      }
      put(path, "path", raw: "rawPath", to: &properties)
      properties["name"] = name(of: path)
      properties["breadth"] = .double(land.breadth)
      return DecodedTile.Feature(
        id: land.node.record.id, geometry: .points([DecodedTile.Point(x: place.x, y: place.y)]),
        properties: properties)
    }
  }

  private func name(of path: [UInt8]) -> Value {
    .text(String(decoding: path.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self))
  }

  private func expectedSpots(_ made: RandomContent) -> [DecodedTile.Feature] {
    zip(made.content.spots, made.spotNames).map { spot, name in
      var properties = properties(of: spot.node)
      put(name, "name", raw: "rawName", to: &properties)
      properties["folder"] = text(spot.folder.range, of: made)
      properties["rawFolder"] = spot.folder.raw.map { text($0, of: made) }
      let place = made.content.tile.place(of: spot.place)
      return DecodedTile.Feature(
        id: spot.node.record.id, geometry: .points([DecodedTile.Point(x: place.x, y: place.y)]),
        properties: properties)
    }
  }

  private func text(_ range: Range<Int>, of made: RandomContent) -> Value {
    .text(String(decoding: made.content.texts[range], as: UTF8.self))
  }

  @Test func equalValuesAreStoredOnce() throws {
    var layer = LayerWriter("many")
    for number in 0..<5000 {
      layer.put(.size, .number(Int64(number % 1777)))
      layer.put(.name, text: Array("\(number % 991)".utf8)[...])
      layer.draw(TilePoint(x: Int64(number), y: -Int64(number)))
      layer.end(id: UInt64(number), .point)
    }
    var bytes: [UInt8] = []
    layer.write(to: &bytes)
    // The reader refuses a value that is stored twice.
    let read = try #require(try DecodedTile(bytes)["many"])
    for (number, feature) in read.features.enumerated() {
      #expect(
        feature.properties == [
          "size": .unsigned(UInt64(number % 1777)), "name": .text("\(number % 991)"),
        ])
      #expect(
        feature.geometry
          == .points([DecodedTile.Point(x: Int64(number), y: -Int64(number))]))
    }
  }

  @Test func emptyTilesHaveNoBytes() throws {
    let made = TileContent(
      try #require(TileAddress(zoom: 3, x: 0, y: 0)),
      by: try GeoProjectionEngine(layout: .settled, labels: .init([[97]], kind: .directory)))
    #expect(VectorTile.encode(made).isEmpty)
    #expect(try DecodedTile([]).layers.isEmpty)
  }

  @Test(
    arguments: [
      [0x1A, 0x01], [0x1A, 0x02, 0x78, 0x01], [0x08, 0x01],
      [0x1A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
    ] as [[UInt8]])
  func theReaderItselfIsStrict(bytes: [UInt8]) {
    #expect(throws: (any Error).self) { try DecodedTile(bytes) }
  }
}
