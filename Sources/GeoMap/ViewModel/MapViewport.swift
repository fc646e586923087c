import Foundation
import GeoProjection

/// What a map shows of the world: a box, at a zoom.
public struct MapViewport: Hashable, Sendable {
  /// The part of the world; nil for all of it.
  public var box: BoundingBox?
  /// The zoom, by which nodes are filtered: those whose `minzoom` is not above it are visible.
  public var zoom: Int

  /// The whole world at zoom 0.
  public static let world = MapViewport(zoom: 0)

  /// A viewport of the given parts.
  public init(box: BoundingBox? = nil, zoom: Int) {
    self.box = box
    self.zoom = zoom
  }

  /// What a window shows.
  ///
  /// - Parameters:
  ///   - center: The place in its middle.
  ///   - zoom: The zoom of a web map with tiles of 512 pixels; what is between two zooms shows what the
  ///     lower one does.
  ///   - width: The window's width in pixels.
  ///   - height: The window's height in pixels.
  public init(center: GeoCoordinate, zoom: Double, width: Double, height: Double) {
    let world = MapTile.size * exp2(zoom)
    let (x, y) = center.webMercator
    let (halfWidth, halfHeight) = (width / world / 2, height / world / 2)
    let north = GeoCoordinate(webMercatorX: x, y: max(0, y - halfHeight)).latitude
    let south = GeoCoordinate(webMercatorX: x, y: min(1, y + halfHeight)).latitude
    // A window that is wider than the world shows all of it.
    let isWhole = halfWidth >= 0.5
    func wrapped(_ x: Double) -> Double { (x - x.rounded(.down) - 0.5) * 360 }
    self.init(
      box: BoundingBox(
        west: isWhole ? -180 : wrapped(x - halfWidth), south: south,
        east: isWhole ? 180 : wrapped(x + halfWidth), north: north),
      zoom: max(0, Int(zoom.rounded(.down))))
  }

  /// Which nodes are visible in it.
  public var filter: MapFilter { MapFilter(zoom: zoom, box: box) }
}
