import GeoProjection

extension World {
  /// The box around all that is on the map, which is the continents; nil if there are none.
  ///
  /// Reads nothing.
  package var bounds: BoundingBox? {
    var bounds: BoundingBox?
    var ring: [Coordinate] = []
    for root in engine.roots {
      engine.coastline(of: root, into: &ring)
      guard let (southWest, northEast) = Coordinate.corners(of: ring) else { continue }
      let (low, high) = (
        southWest.degrees(digits: root.digits), northEast.degrees(digits: root.digits)
      )
      bounds = BoundingBox(
        west: min(bounds?.west ?? low.longitude, low.longitude),
        south: min(bounds?.south ?? low.latitude, low.latitude),
        east: max(bounds?.east ?? high.longitude, high.longitude),
        north: max(bounds?.north ?? high.latitude, high.latitude))
    }
    return bounds
  }
}
