import Foundation
import GeoProjection

/// A place on the globe, in degrees.
public struct GeoCoordinate: Hashable, Sendable, Codable {
  /// Degrees east, −180 to 180.
  public let longitude: Double
  /// Degrees north, −84 to 84.
  public let latitude: Double

  /// A place of the given degrees.
  public init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The place that a reader of the printed decimals gets.
  init(_ coordinate: Coordinate, digits: UInt8) {
    (longitude, latitude) = coordinate.degrees(digits: digits)
  }
}

#if canImport(CoreLocation)
  import CoreLocation

  extension CLLocationCoordinate2D {
    /// The same place for Core Location.
    public init(_ coordinate: GeoCoordinate) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }

  extension GeoCoordinate {
    /// The same place as Core Location tells it.
    public init(_ coordinate: CLLocationCoordinate2D) {
      self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
    }
  }
#endif

#if canImport(MapKit)
  import MapKit

  extension MKMapPoint {
    /// The same place on MapKit's flat map.
    public init(_ coordinate: GeoCoordinate) { self.init(CLLocationCoordinate2D(coordinate)) }
  }
#endif

extension GeoCoordinate {
  /// Where it is in the square of Web Mercator: 0 to 1 from west to east, 0 to 1 from north to south.
  ///
  /// The source of the formula is OGC 17-083r4, annex D, where the square is cut at 85.0511° north and
  /// south.
  public var webMercator: (x: Double, y: Double) {
    let sine = sin(latitude * .pi / 180)
    return (longitude / 360 + 0.5, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi))
  }

  /// The place of a position in the square of Web Mercator.
  ///
  /// - Parameters:
  ///   - x: 0 to 1 from west to east.
  ///   - y: 0 to 1 from north to south.
  public init(webMercatorX x: Double, y: Double) {
    self.init(
      longitude: (x - 0.5) * 360, latitude: atan(sinh((1 - 2 * y) * .pi)) * 180 / .pi)
  }

  /// The tile of a web map that it is in.
  ///
  /// - Parameter zoom: 0 to ``MapTile/maximumZoom``; what is beyond counts as these.
  public func tile(zoom: Int) -> MapTile {
    let zoom = min(max(zoom, 0), MapTile.maximumZoom)
    let count = Double(1 << zoom)
    let (x, y) = webMercator
    func number(_ fraction: Double) -> Int { Int(min(max(fraction * count, 0), count - 1)) }
    return MapTile(zoom: zoom, x: number(x), y: number(y))
  }

  /// Where it is in a tile, in pixels from the tile's north-west corner; beyond its edges if it is in
  /// another one.
  ///
  /// - Parameters:
  ///   - tile: The tile.
  ///   - size: How many pixels a tile has on each side.
  public func pixel(in tile: MapTile, size: Double = MapTile.size) -> (x: Double, y: Double) {
    let count = Double(1 << tile.zoom)
    let (x, y) = webMercator
    return ((x * count - Double(tile.x)) * size, (y * count - Double(tile.y)) * size)
  }

  /// Where it is on a web map of the whole world, in pixels from the north-west corner.
  ///
  /// - Parameters:
  ///   - zoom: Any, fractions too.
  ///   - size: How many pixels a tile has on each side.
  public func pixel(zoom: Double, size: Double = MapTile.size) -> (x: Double, y: Double) {
    let pixels = size * exp2(zoom)
    let (x, y) = webMercator
    return (x * pixels, y * pixels)
  }
}

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
