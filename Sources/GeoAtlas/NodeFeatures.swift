import GeoDiff
import GeoEmit
import GeoPath
import GeoProjection

/// Writes single nodes as GeoJSON, as a whole map has them, or a map of two states.
package struct NodeFeatures {
  private var writer: MemberWriter
  private let engine: GeoProjectionEngine
  private let changes: ChangeTree?
  private var ring: [Coordinate] = []

  /// - Parameters:
  ///   - format: The format; the separator before the first feature is left to the caller.
  ///   - engine: Draws the coast lines.
  ///   - changes: What differs, in a map of two states.
  package init(
    format: ChangeFormat, engine: GeoProjectionEngine, changes: ChangeTree? = nil
  ) {
    writer = MemberWriter(format)
    self.engine = engine
    self.changes = changes
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
      writer.enterFolder(path: node.path)
      engine.coastline(of: place, into: &ring)
      writer.writeFolder(
        FolderFeature(
          place: place, coordinate: engine.coordinate(of: place), entries: entries,
          modified: modified, isUnreadable: isUnreadable), ring: ring, to: &buffer)
    case .file(let place, let city, let facts):
      guard let parent = node.ancestors.last else { return }
      writer.members = difference?.members(kind: facts.kind) ?? []
      writer.enterFolder(path: parent.path)
      _ = writer.writeFile(
        NameTable([Array(node.name)], kind: facts.kind), 0, at: place, facts,
        FileBatch(depth: node.depth, digits: city.digits, minzoom: city.minzoom), to: &buffer)
    }
  }
}
