import Foundation
import GeoProjection

/// A place on the globe, in degrees.
public struct GeoCoordinate: Hashable, Sendable, Codable {
  /// Degrees east, −180 to 180.
  public let longitude: Double
  /// Degrees north, −90 to 90; every node is between −84 and 84.
  public let latitude: Double

  /// Makes a place from degrees.
  public init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// With its printed number of decimals.
  package init(_ coordinate: Coordinate, digits: UInt8) {
    (longitude, latitude) = coordinate.degrees(digits: digits)
  }
}

#if canImport(CoreLocation)
  import CoreLocation

  extension CLLocationCoordinate2D {
    /// Converts a place for Core Location.
    public init(_ coordinate: GeoCoordinate) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }

  extension GeoCoordinate {
    /// Converts a place from Core Location.
    public init(_ coordinate: CLLocationCoordinate2D) {
      self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
    }
  }
#endif

#if canImport(MapKit)
  import MapKit

  extension MKMapPoint {
    /// Converts a place to a point of MapKit's flat map.
    public init(_ coordinate: GeoCoordinate) { self.init(CLLocationCoordinate2D(coordinate)) }
  }
#endif

extension GeoCoordinate {
  /// In the Web Mercator square: x from 0 in the west to 1 in the east, y from 0 in the north to 1
  /// in the south. The formula is from OGC 17-083r4, annex D, which cuts the square at 85.0511°
  /// north and south.
  package var webMercator: (x: Double, y: Double) {
    let sine = sin(latitude * .pi / 180)
    return (longitude / 360 + 0.5, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi))
  }

  package init(webMercatorX x: Double, y: Double) {
    self.init(
      longitude: (x - 0.5) * 360, latitude: atan(sinh((1 - 2 * y) * .pi)) * 180 / .pi)
  }

  /// The web map tile that contains the place.
  ///
  /// - Parameter zoom: 0 to 60; other values are clamped.
  public func tile(zoom: Int) -> MapTile {
    let zoom = min(max(zoom, 0), MapTile.maximumZoom)
    let count = Double(1 << zoom)
    let (x, y) = webMercator
    func number(_ fraction: Double) -> Int { Int(min(max(fraction * count, 0), count - 1)) }
    return MapTile(zoom: zoom, x: number(x), y: number(y))
  }

  /// In pixels from the north-west corner of the whole world, for tiles of 512 pixels.
  package func pixel(zoom: Double) -> (x: Double, y: Double) {
    let pixels = MapTile.size * exp2(zoom)
    let (x, y) = webMercator
    return (x * pixels, y * pixels)
  }
}

/// A tile of a web map: zoom z divides the Web Mercator square into 2^z × 2^z tiles.
public struct MapTile: Hashable, Sendable {
  /// Pixels on each side of a tile. All zooms of this library refer to this size.
  package static let size = 512.0
  package static let maximumZoom = 60

  /// The zoom, 0 to 60.
  public let zoom: Int
  /// The column, from 0 in the west to 2^zoom − 1.
  public let x: Int
  /// The row, from 0 in the north to 2^zoom − 1.
  public let y: Int

  /// Makes a tile; nil if the zoom, column or row is out of range.
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

  /// The tile's extent in degrees.
  public var box: BoundingBox {
    let count = Double(1 << zoom)
    let northWest = GeoCoordinate(webMercatorX: Double(x) / count, y: Double(y) / count)
    let southEast = GeoCoordinate(webMercatorX: Double(x + 1) / count, y: Double(y + 1) / count)
    return BoundingBox(
      uncheckedWest: northWest.longitude, south: southEast.latitude,
      east: southEast.longitude, north: northWest.latitude)
  }
}

extension BoundingBox {
  /// Edges included.
  func contains(_ place: GeoCoordinate) -> Bool {
    guard south...max(south, north) ~= place.latitude else { return false }
    return west <= east
      ? west...east ~= place.longitude : place.longitude >= west || place.longitude <= east
  }
}

/// The visible part of the world: a box and a zoom.
public struct MapViewport: Hashable, Sendable {
  /// The visible box; nil for the whole world.
  public var box: BoundingBox?
  /// The zoom: nodes with a ``GeoNode/minimumZoom`` of at most this are visible.
  public var zoom: Int

  /// Makes a viewport from a box and a zoom.
  public init(box: BoundingBox? = nil, zoom: Int) {
    self.box = box
    self.zoom = zoom
  }

  /// Makes the viewport of a window.
  ///
  /// - Parameters:
  ///   - center: The place in the window's middle.
  ///   - zoom: The zoom of a web map with tiles of 512 pixels; fractions are rounded down.
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
        uncheckedWest: isWhole ? -180 : wrapped(x - halfWidth), south: south,
        east: isWhole ? 180 : wrapped(x + halfWidth), north: north),
      zoom: max(0, Int(zoom.rounded(.down))))
  }

  package var filter: MapFilter { MapFilter(zoom: zoom, box: box) }
}
