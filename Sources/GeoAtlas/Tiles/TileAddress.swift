import GeoCore
import GeoProjection

/// The address of a square of the map: 2^zoom columns and rows, counted from the north-west.
///
/// The numbering is that of XYZ tiles in Web Mercator; a tile has 512 pixels a side.
package struct TileAddress: Hashable, Sendable {
  package static let maximumZoom = 30
  /// The number of units of a tile's grid on each side.
  package static let extent = 4096
  /// The width of the buffer around a tile, whose contents it shows, too, in units of its grid.
  package static let buffer = 64

  package let zoom: Int
  package let x: Int
  package let y: Int

  package init?(zoom: Int, x: Int, y: Int) {
    guard (0...Self.maximumZoom).contains(zoom) else { return nil }
    let count = 1 << zoom
    guard (0..<count).contains(x), (0..<count).contains(y) else { return nil }
    (self.zoom, self.x, self.y) = (zoom, x, y)
  }

  package func ancestor(at zoom: Int) -> TileAddress? {
    zoom > self.zoom
      ? nil : TileAddress(zoom: zoom, x: x >> (self.zoom - zoom), y: y >> (self.zoom - zoom))
  }

  /// The base-2 logarithm of the world's width in units of the plan.
  static let worldBits = 62
  /// The base-2 logarithm of a unit of the tile's grid in units of the plan: 20 to 50.
  var unitBits: Int { Self.worldBits - 12 - zoom }

  // No shift exceeds 62 bits, so shifts go unchecked.

  var origin: PlanPoint {
    let bits = Int64(Self.worldBits - zoom)
    return PlanPoint(x: Int64(x) &<< bits, y: Int64(y) &<< bits)
  }

  func place(of point: PlanPoint) -> TilePoint {
    let origin = origin
    let bits = Int64(unitBits)
    let half: Int64 = 1 &<< (bits - 1)
    // Both are coordinates of the world, with 62 bits.
    return TilePoint(
      x: (point.x &- origin.x &+ half) &>> bits, y: (point.y &- origin.y &+ half) &>> bits)
  }

  /// The charted point of a position on the grid, within the world.
  func point(at place: TilePoint) -> PlanPoint {
    let origin = origin
    let bits = Int64(unitBits)
    let limit: Int64 = 1 << Int64(Self.worldBits)
    return PlanPoint(
      x: min(max(origin.x &+ place.x << bits, 0), limit),
      y: min(max(origin.y &+ place.y << bits, 0), limit))
  }

  /// The visible part of the grid: the tile with its buffer.
  static let shown = around(by: buffer)

  /// The visible part with another buffer around it: lands outside of it are shown in no tile
  /// within this one, however fine their lines are there.
  static let surroundings = around(by: 2 * buffer)

  private static func around(by width: Int) -> TileRectangle {
    let (low, high) = (Int64(-width), Int64(extent + width))
    return TileRectangle(west: low, north: low, east: high, south: high)
  }

  /// The tile itself, without its eastern and southern edges, which belong to its neighbours.
  static let proper = TileRectangle(
    west: 0, north: 0, east: Int64(extent - 1), south: Int64(extent - 1))
}

/// A position on the grid of a tile; x runs east, y south.
struct TilePoint: BitwiseCopyable, Hashable, Sendable {
  var x: Int64
  var y: Int64
}

struct TileRectangle: BitwiseCopyable, Hashable, Sendable {
  var west: Int64
  var north: Int64
  var east: Int64
  var south: Int64

  func contains(_ point: TilePoint) -> Bool {
    point.x >= west && point.x <= east && point.y >= north && point.y <= south
  }

  func contains(_ other: TileRectangle) -> Bool {
    other.west >= west && other.east <= east && other.north >= north && other.south <= south
  }

  func meets(_ other: TileRectangle) -> Bool {
    other.west <= east && other.east >= west && other.north <= south && other.south >= north
  }
}

extension TileRectangle {
  init?(around points: [TilePoint]) {
    guard let first = points.first else { return nil }
    self.init(west: first.x, north: first.y, east: first.x, south: first.y)
    for point in points {
      west = min(west, point.x)
      north = min(north, point.y)
      east = max(east, point.x)
      south = max(south, point.y)
    }
  }
}

/// The order of tiles along Hilbert curves, zoom by zoom, as in the PMTiles specification (version
/// 3, 4.1): near tiles mostly have near numbers.
package enum HilbertCurve {
  /// The number of the first tile of a zoom, which is the number of tiles of all lower zooms.
  package static func first(ofZoom zoom: Int) -> UInt64 { ((1 << UInt64(2 * zoom)) - 1) / 3 }

  /// O(zoom), like ``tile(_:)``.
  package static func number(of tile: TileAddress) -> UInt64 {
    var (x, y) = (tile.x, tile.y)
    var number: UInt64 = 0
    for bit in (0..<tile.zoom).reversed() {
      let side = 1 << bit
      let (isEast, isSouth) = (x & side != 0, y & side != 0)
      number = number << 2 | (isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0))
      x &= side - 1
      y &= side - 1
      if isSouth { continue }
      if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
      swap(&x, &y)
    }
    return first(ofZoom: tile.zoom) + number
  }

  package static func tile(_ number: UInt64) -> TileAddress? {
    guard number < first(ofZoom: TileAddress.maximumZoom + 1) else { return nil }
    var zoom = 0
    while first(ofZoom: zoom + 1) <= number { zoom += 1 }
    var rest = number - first(ofZoom: zoom)
    var (x, y) = (0, 0)
    for bit in 0..<zoom {
      let side = 1 << bit
      let part = rest & 3
      rest >>= 2
      let (isEast, isSouth) = (part >= 2, part == 1 || part == 2)
      if !isSouth {
        if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
        swap(&x, &y)
      }
      if isEast { x += side }
      if isSouth { y += side }
    }
    return TileAddress(zoom: zoom, x: x, y: y)
  }

  package static func children(of tile: TileAddress) -> [TileAddress] {
    let parts = [(0, 0), (0, 1), (1, 1), (1, 0)].compactMap { (x, y) in
      TileAddress(zoom: tile.zoom + 1, x: 2 * tile.x + x, y: 2 * tile.y + y)
    }
    return parts.sorted { number(of: $0) < number(of: $1) }
  }
}

/// A format of tiles.
public struct TileFormat: Sendable, Hashable {
  package let file: FileFormat

  /// A Mapbox Vector Tile, version 2.1.
  public static let vector = TileFormat(file: .mvt)
  /// A GeoJSON feature collection (RFC 7946).
  public static let geojson = TileFormat(file: .geojson)

  package static let allCases = FileFormat.holding(.tile).map { TileFormat(file: $0) }

  package func encode(_ content: TileContent) -> [UInt8] {
    self == .vector ? VectorTile.encode(content) : GeoJSONTile.encode(content)
  }
}
