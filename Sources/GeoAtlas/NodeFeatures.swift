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
