import Foundation
import GeoProjection

extension GeoMapViewModel {
  /// The visible node of an id.
  ///
  /// - Complexity: O(1).
  public func node(_ id: GeoNode.ID) -> GeoNode? { positions[id].map { visibleNodes[$0] } }

  /// Selects a node; nil selects none.
  ///
  /// The selection stays when the viewport leaves the node, and ends when the node is gone from disk.
  public func select(_ node: GeoNode?) { selection = node }

  /// The visible ancestors of a node, the root first.
  ///
  /// - Complexity: O(visible nodes).
  public func ancestors(of node: GeoNode) -> [GeoNode] {
    visibleNodes.filter { $0.isAncestor(of: node) }.sorted { $0.depth < $1.depth }
  }

  /// The visible nodes that are directly in a folder.
  ///
  /// - Complexity: O(visible nodes).
  public func children(of node: GeoNode) -> [GeoNode] {
    visibleNodes.filter { $0.depth == node.depth + 1 && node.isAncestor(of: $0) }
  }

  /// The visible folder with land, or file, that a pointer is nearest to.
  ///
  /// - Parameters:
  ///   - coordinate: Where the pointer is.
  ///   - zoom: The zoom at which the map is drawn.
  ///   - pixels: How far it may be from a node's coordinate.
  /// - Complexity: O(visible nodes).
  public func node(near coordinate: GeoCoordinate, zoom: Double, within pixels: Double) -> GeoNode?
  {
    let place = coordinate.pixel(zoom: zoom)
    func distance(_ node: GeoNode) -> Double {
      let other = node.coordinate.pixel(zoom: zoom)
      return hypot(other.x - place.x, other.y - place.y)
    }
    let nearest = visibleNodes.lazy.map { (node: $0, distance: distance($0)) }
      .min { ($0.distance, $0.node.id) < ($1.distance, $1.node.id) }
    guard let nearest, nearest.distance <= pixels else { return nil }
    return nearest.node
  }

  /// Tells the model that something has changed on disk.
  ///
  /// What is visible is read again, once for all changes that are reported within ``changeDelay``, if
  /// the place lies below a root; nodes that are new or different are then in ``changedNodes``.
  ///
  /// - Parameter url: The entry that was made, changed or removed, or the folder that it is in.
  public func noteChange(at url: URL) {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    let isBelow = world.roots.contains { root in
      let folder = root.folder.standardizedFileURL.path(percentEncoded: false)
      return path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
        || path + "/" == folder
    }
    guard isBelow, pendingChange == nil else { return }
    pendingChange = Task { [weak self, delay = changeDelay] in
      try? await Task.sleep(for: delay)
      guard let self, !Task.isCancelled else { return }
      pendingChange = nil
      load(forgetting: false, marking: true)
    }
  }
}

extension GeoNode {
  /// Whether another node's path begins with this one's.
  func isAncestor(of other: GeoNode) -> Bool {
    depth < other.depth && other.rawPath.isPath(atOrBelow: rawPath)
  }
}

extension BoundingBox {
  /// Whether a place is in the box, its edges included.
  func contains(_ place: GeoCoordinate) -> Bool {
    guard south...max(south, north) ~= place.latitude else { return false }
    return west <= east
      ? west...east ~= place.longitude : place.longitude >= west || place.longitude <= east
  }
}
