import GeoChange
import GeoCore
import GeoFormats
import GeoProjection

package struct MapNode: Sendable {
  package struct Ancestor: Sendable {
    package var path: [UInt8]
    package var place: FolderPlace
  }

  package enum Body: Sendable {
    case folder(FolderPlace, entries: Int?, modified: Int64?, isUnreadable: Bool)
    case file(FilePlace, City, EntryFacts)
  }

  package var path: [UInt8]
  /// The folders above it, the root first.
  package var ancestors: [Ancestor]
  package var body: Body

  package var depth: Int { ancestors.count }

  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }

  private var place: (id: UInt64, kind: NodeKind, minzoom: UInt8, digits: UInt8) {
    switch body {
    case .folder(let place, _, _, _): (place.id, place.kind, place.minzoom, place.digits)
    case .file(let place, let city, _): (place.id, .poi, city.minzoom, city.digits)
    }
  }

  package var id: UInt64 { place.id }
  package var kind: NodeKind { place.kind }
  /// The first zoom at which it is visible; nil if that needs a listing that was not read.
  package var minzoom: UInt8? { place.minzoom == Minzoom.unknown ? nil : place.minzoom }
  package var digits: UInt8 { place.digits }

  package func coordinate(by engine: GeoProjectionEngine) -> Coordinate {
    switch body {
    case .folder(let place, _, _, _): engine.coordinate(of: place)
    case .file(let place, _, _): place.coordinate
    }
  }
}

/// Writes single nodes as in a map, or as in a map of two states.
package struct NodeFeatures {
  private let writer: FeatureWriter
  private let engine: GeoProjectionEngine
  private let changes: ChangeTree?
  private var ring: [Coordinate] = []

  /// - Parameter writer: Its format has no index and cells; the caller removes the separator before
  ///   the first feature.
  package init(
    _ writer: FeatureWriter, engine: GeoProjectionEngine, changes: ChangeTree? = nil
  ) {
    (self.writer, self.engine, self.changes) = (writer, engine, changes)
  }

  private func difference(of node: MapNode) -> NodeDifference? {
    guard let changes else { return nil }
    let names = node.path.components
    if case .folder = node.body { return changes.difference(ofFolder: changes.number(of: names)) }
    let name = Array(node.name)
    return changes.difference(
      ofFile: name.span, in: changes.number(of: Array(names.dropLast())))
  }

  package mutating func write(
    _ node: MapNode, _ layers: LayerSchema = .none, _ cells: [LayerCell] = [],
    to buffer: inout OutputBuffer
  ) {
    let difference = difference(of: node)
    var isFolder = false
    if case .folder = node.body { isFolder = true }
    writer.setLayers(cells.isEmpty ? nil : LayerBatch(layers, cells: cells, areFolders: isFolder))
    switch node.body {
    case .folder(let place, let entries, let modified, let isUnreadable):
      engine.coastline(of: place, into: &ring)
      writer.enterFolder(path: node.path)
      writer.setParts(FeatureParts(of: .directory, difference))
      writer.writeFolder(
        FeatureRecord(
          place: place, coordinate: engine.coordinate(of: place), entries: entries,
          modified: modified, isUnreadable: isUnreadable), FolderShape(ring: ring), to: &buffer)
    case .file(let place, let city, let facts):
      guard let parent = node.ancestors.last else { return }
      writer.enterFolder(path: parent.path)
      writer.setParts(FeatureParts(of: facts.kind, difference))
      _ = writer.writeFiles(
        NameTable([Array(node.name)], kind: facts.kind), 0..<1, places: [place], facts: [facts],
        FileBatch(depth: node.depth, digits: city.digits, minzoom: city.minzoom), to: &buffer)
    }
  }
}

extension JSONBuilder {
  /// An object as a text.
  package static func object(_ body: (inout JSONBuilder) -> Void) -> [UInt8] {
    var json = JSONBuilder()
    json.object(body)
    return json.bytes
  }

  package mutating func member(_ name: String, _ body: (inout JSONBuilder) -> Void) {
    key(name)
    object(body)
  }

  /// Adds an array of objects.
  package mutating func member<Elements: Sequence>(
    _ name: String, objects elements: Elements,
    _ body: (Elements.Element, inout JSONBuilder) -> Void
  ) {
    member(name, each: elements) { element, json in json.object { body(element, &$0) } }
  }

  package mutating func member(_ name: String, path: [UInt8]) {
    member(name, text: path, raw: "rawPath")
  }

  package mutating func member(name: [UInt8]) {
    member("name", text: name, raw: "rawName")
  }

  package mutating func put(_ coordinate: Coordinate, digits: UInt8) {
    key("lon")
    value(degrees: coordinate.longitude, digits: digits)
    key("lat")
    value(degrees: coordinate.latitude, digits: digits)
  }

  /// Adds alternating longitudes and latitudes.
  mutating func member(_ name: String, degreesOf coordinates: [Coordinate], digits: UInt8) {
    member(name, each: coordinates) { coordinate, json in
      json.value(degrees: coordinate.longitude, digits: digits)
      json.value(degrees: coordinate.latitude, digits: digits)
    }
  }

  package mutating func put(boxFrom low: Coordinate, to high: Coordinate, digits: UInt8) {
    member("bbox", degreesOf: [low, high], digits: digits)
  }
}

extension NodeKind {
  package var bytes: [UInt8] { text.bytes }
}
