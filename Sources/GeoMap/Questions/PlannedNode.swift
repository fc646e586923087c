import GeoAtlas
import GeoProjection

/// A node that a path would have, whether or not anything is there.
public struct PlannedNode: Hashable, Sendable {
  /// The hash of the path, as in ``GeoNode/id``.
  public let id: UInt64
  /// Where it is.
  public let coordinate: GeoCoordinate
  /// Its rank on the map.
  public let nodeType: NodeKind
  /// 0 for a root, 1 for what is in it, and so on.
  public let depth: Int
  /// The first zoom at which it is visible; nil of a file, and of a folder without land, for it
  /// depends on how many files there are.
  public let minzoom: Int?
  /// Whether it owns land; if not it is a point.
  public let isLanded: Bool

  init(_ node: MapNode, engine: GeoProjectionEngine) {
    switch node.body {
    case .folder(let place, _, _, _): (id, isLanded) = (place.seed, place.isLanded)
    case .file(let place, _, _): (id, isLanded) = (place.seed, false)
    }
    coordinate = GeoCoordinate(node.coordinate(by: engine), digits: node.digits)
    nodeType = node.kind
    depth = node.depth
    minzoom = node.minzoom.map(Int.init)
  }
}

extension GeoLookup {
  /// The node that a path would have in layout `pinned`, without anything being read; nil in layout
  /// `settled`, or if there is no root of such a label.
  ///
  /// - Parameters:
  ///   - path: A root's label, then names, joined by `/`.
  ///   - isFolder: What is to be there; the label alone is a folder in any case.
  /// - Complexity: O(names).
  public func plannedNode(at path: [UInt8], isFolder: Bool) -> PlannedNode? {
    world.pinnedNode(at: path, isFolder: isFolder).map { PlannedNode($0, engine: world.engine) }
  }
}
