import GeoAtlas
import GeoMap
import GeoPipeline
import GeoProjection

/// The node that a path would have, whether or not it exists.
public struct PlannedNode: Hashable, Sendable {
  /// The hash of the path, equal to `GeoNode.id`.
  public let id: UInt64
  /// The place on the map.
  public let coordinate: GeoCoordinate
  /// Its rank on the map.
  public let nodeType: NodeKind
  /// The depth: 0 for a root, 1 for its contents, and so on.
  public let depth: Int
  /// The first zoom at which it is visible. It is nil for files and folders without land, for which
  /// it depends on the number of files.
  public let minimumZoom: Int?
  /// Whether it is a folder that owns land; otherwise it is a point.
  public let isLanded: Bool

  fileprivate init(_ node: MapNode, engine: GeoProjectionEngine) {
    switch node.body {
    case .folder(let place, _, _, _): (id, isLanded) = (place.seed, place.isLanded)
    case .file(let place, _, _): (id, isLanded) = (place.seed, false)
    }
    coordinate = GeoCoordinate(node.coordinate(by: engine), digits: node.digits)
    nodeType = node.kind
    depth = node.depth
    minimumZoom = node.minzoom.map(Int.init)
  }
}

extension GeoReader {
  /// Returns the node that a path would have in layout `pinned`, without reading anything; nil in
  /// layout `settled`, or if no root has the path's label.
  ///
  /// - Parameters:
  ///   - path: The path, which need not exist.
  ///   - isFolder: Whether the node is a folder; a label alone always is.
  /// - Complexity: O(names in the path).
  public func plannedNode(at path: some MapPath, isFolder: Bool) -> PlannedNode? {
    let world = lookup.world
    return path.bytes(in: lookup).flatMap { world.pinnedNode(at: $0, isFolder: isFolder) }
      .map { PlannedNode($0, engine: world.engine) }
  }
}
