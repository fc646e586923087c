import GeoDiff
import GeoEmit
import GeoPath
import GeoProjection

/// Writes single nodes as features, as a whole map has them.
package struct NodeFeatures {
  private let writer: FeatureWriter
  private let engine: GeoProjectionEngine
  private var ring: [Coordinate] = []

  /// - Parameters:
  ///   - format: The format; the separator before the first feature is left to the caller.
  ///   - engine: Draws the coast lines.
  package init(format: OutputFormat, engine: GeoProjectionEngine) {
    writer = FeatureWriter(format: format)
    self.engine = engine
  }

  /// Writes the feature of a node.
  package mutating func write(_ node: MapNode, to buffer: inout OutputBuffer) {
    switch node.body {
    case .folder(let place, let entries, let modified, let isUnreadable):
      writer.enterFolder(path: node.path)
      engine.coastline(of: place, into: &ring)
      writer.writeFolder(
        FolderFeature(
          place: place, coordinate: engine.coordinate(of: place), entries: entries,
          modified: modified, isUnreadable: isUnreadable), ring: ring, to: &buffer)
    case .file(let place, let city, let facts):
      guard let parent = node.ancestors.last else { return }
      writer.enterFolder(path: parent.path)
      let names = NameTable([Array(node.name)], kind: facts.kind)
      _ = writer.writeFiles(
        names, 0..<1, places: [place], facts: [facts], depth: node.depth, digits: city.digits,
        minzoom: city.minzoom, to: &buffer)
    }
  }
}

/// Writes single nodes as GeoJSON, as a map of two states has them.
struct DifferenceFeatures {
  private var writer = MemberWriter(.geojsonl)
  private let engine: GeoProjectionEngine
  private let changes: ChangeTree

  init(_ changes: ChangeTree, engine: GeoProjectionEngine) {
    self.changes = changes
    self.engine = engine
  }

  /// How a node differs; nil if nothing is to be said of it.
  func difference(of node: MapNode) -> NodeDifference? {
    let names = node.path.components
    if case .folder = node.body { return changes.difference(ofFolder: changes.number(of: names)) }
    let name = Array(node.name)
    return changes.difference(
      ofFile: name.span, in: changes.number(of: Array(names.dropLast())))
  }

  /// Writes the feature of a node, as a line.
  mutating func write(_ node: MapNode, to buffer: inout OutputBuffer) {
    let difference = difference(of: node)
    switch node.body {
    case .folder(let place, let entries, let modified, let isUnreadable):
      var ring: [Coordinate] = []
      engine.coastline(of: place, into: &ring)
      writer.members = difference?.members(kind: .directory) ?? []
      writer.enterFolder(path: node.path)
      writer.writeFolder(
        FolderFeature(
          place: place, coordinate: engine.coordinate(of: place), entries: entries,
          modified: modified, isUnreadable: isUnreadable), ring: ring, to: &buffer)
    case .file(let place, let city, let facts):
      guard let parent = node.ancestors.last else { return }
      writer.members = difference?.members(kind: facts.kind) ?? []
      writer.enterFolder(path: parent.path)
      _ = writer.writeFile(
        NameTable([Array(node.name)], kind: facts.kind), 0, at: place, facts, depth: node.depth,
        digits: city.digits, minzoom: city.minzoom, to: &buffer)
    }
  }
}
