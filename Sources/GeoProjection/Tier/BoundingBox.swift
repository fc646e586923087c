/// A box of the map, between two meridians and two parallels, which belong to it.
///
/// A box whose western edge lies east of its eastern one crosses the antimeridian, as in RFC 7946.
public struct BoundingBox: Sendable, Hashable {
  /// Degrees east of the western edge, −180 to 180.
  public var west: Double
  /// Degrees north of the southern edge, −90 to 90.
  public var south: Double
  /// Degrees east of the eastern edge, −180 to 180.
  public var east: Double
  /// Degrees north of the northern edge, not below ``south``.
  public var north: Double

  /// A box of the given edges, in degrees.
  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// Whether a point, as it is printed, is in the box.
  public func meets(_ point: Coordinate, digits: UInt8) -> Bool {
    let place = point.degrees(digits: digits)
    return meets(
      west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude)
  }

  /// Whether the bounding box of a ring, as it is printed, meets the box.
  ///
  /// - Parameter ring: At least one vertex.
  public func meets(_ ring: [Coordinate], digits: UInt8) -> Bool {
    guard let corners = Coordinate.corners(of: ring) else { return false }
    let southWest = corners.southWest.degrees(digits: digits)
    let northEast = corners.northEast.degrees(digits: digits)
    return meets(
      west: southWest.longitude, south: southWest.latitude,
      east: northEast.longitude, north: northEast.latitude)
  }

  private func meets(west x0: Double, south y0: Double, east x1: Double, north y1: Double) -> Bool {
    guard y0 <= north, y1 >= south else { return false }
    if west <= east { return x0 <= east && x1 >= west }
    return x1 >= west || x0 <= east
  }
}
