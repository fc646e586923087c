import GeoChange
import GeoFormats
import GeoCore
import GeoProjection

/// Writes single nodes as a whole map has them, or a map of two states.
package struct NodeFeatures {
  private var writer: MemberWriter
  /// What writes them instead, where nothing is said of two states.
  private let plain: FeatureWriter?
  private let engine: GeoProjectionEngine
  private let changes: ChangeTree?
  private var ring: [Coordinate] = []

  /// - Parameters:
  ///   - format: The format; the separator before the first feature is left to the caller.
  ///   - engine: Draws the coast lines.
  ///   - changes: What differs, in a map of two states.
  package init(
    format: FileFormat, engine: GeoProjectionEngine, changes: ChangeTree? = nil
  ) {
    writer = MemberWriter(format)
    plain = nil
    self.engine = engine
    self.changes = changes
  }

  /// - Parameters:
  ///   - writer: Writes the features, in a format that needs neither an index nor cells.
  ///   - engine: Draws the coast lines.
  package init(_ writer: FeatureWriter, engine: GeoProjectionEngine) {
    self.writer = MemberWriter(.geojson)
    plain = writer
    self.engine = engine
    changes = nil
  }

  /// How a node differs; nil if nothing is to be said of it.
  private func difference(of node: MapNode) -> NodeDifference? {
    guard let changes else { return nil }
    let names = node.path.components
    if case .folder = node.body { return changes.difference(ofFolder: changes.number(of: names)) }
    let name = Array(node.name)
    return changes.difference(
      ofFile: name.span, in: changes.number(of: Array(names.dropLast())))
  }

  /// Writes the feature of a node.
  package mutating func write(_ node: MapNode, to buffer: inout OutputBuffer) {
    let difference = difference(of: node)
    switch node.body {
    case .folder(let place, let entries, let modified, let isUnreadable):
      writer.members = difference?.members(kind: .directory) ?? []
      engine.coastline(of: place, into: &ring)
      let folder = FolderFeature(
        place: place, coordinate: engine.coordinate(of: place), entries: entries,
        modified: modified, isUnreadable: isUnreadable)
      if let plain {
        plain.enterFolder(path: node.path)
        return plain.writeFolder(folder, ring: ring, to: &buffer)
      }
      writer.enterFolder(path: node.path)
      writer.writeFolder(folder, ring: ring, to: &buffer)
    case .file(let place, let city, let facts):
      guard let parent = node.ancestors.last else { return }
      writer.members = difference?.members(kind: facts.kind) ?? []
      let names = NameTable([Array(node.name)], kind: facts.kind)
      let batch = FileBatch(depth: node.depth, digits: city.digits, minzoom: city.minzoom)
      if let plain {
        plain.enterFolder(path: parent.path)
        _ = plain.writeFiles(names, 0..<1, places: [place], facts: [facts], batch, to: &buffer)
        return
      }
      writer.enterFolder(path: parent.path)
      _ = writer.writeFile(names, 0, at: place, facts, batch, to: &buffer)
    }
  }
}
