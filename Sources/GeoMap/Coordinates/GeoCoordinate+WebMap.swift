import Foundation

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
