import Foundation
import GeoProjection

/// A tile of a web map: at zoom z the square of Web Mercator is cut into 2^z × 2^z of them.
public struct MapTile: Hashable, Sendable {
  /// Pixels on each side, by which the zooms of this library are counted.
  public static let size = 512.0
  /// The deepest zoom at which tiles are numbered.
  public static let maximumZoom = 60

  /// The zoom, 0 to ``maximumZoom``.
  public let zoom: Int
  /// The column, from 0 in the west to 2^zoom − 1.
  public let x: Int
  /// The row, from 0 in the north to 2^zoom − 1.
  public let y: Int

  /// A tile of the given numbers; nil if there is none.
  public init?(checking zoom: Int, x: Int, y: Int) {
    guard 0...Self.maximumZoom ~= zoom, 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else {
      return nil
    }
    self.init(zoom: zoom, x: x, y: y)
  }

  init(zoom: Int, x: Int, y: Int) {
    self.zoom = zoom
    self.x = x
    self.y = y
  }

  /// The part of the world that it shows.
  public var box: BoundingBox {
    let count = Double(1 << zoom)
    let northWest = GeoCoordinate(webMercatorX: Double(x) / count, y: Double(y) / count)
    let southEast = GeoCoordinate(webMercatorX: Double(x + 1) / count, y: Double(y + 1) / count)
    return BoundingBox(
      west: northWest.longitude, south: southEast.latitude,
      east: southEast.longitude, north: northWest.latitude)
  }

  /// The tile of the zoom before, a quarter of which it is; nil at zoom 0.
  public var parent: MapTile? {
    zoom == 0 ? nil : MapTile(zoom: zoom - 1, x: x / 2, y: y / 2)
  }
}
