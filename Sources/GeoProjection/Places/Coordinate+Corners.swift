extension Coordinate {
  /// The south-western and the north-eastern corner of the box around some coordinates of the same
  /// number of decimals; nil if there are none.
  package static func corners(
    of coordinates: [Coordinate]
  ) -> (southWest: Coordinate, northEast: Coordinate)? {
    guard var low = coordinates.first else { return nil }
    var high = low
    for coordinate in coordinates {
      low.longitude = min(low.longitude, coordinate.longitude)
      low.latitude = min(low.latitude, coordinate.latitude)
      high.longitude = max(high.longitude, coordinate.longitude)
      high.latitude = max(high.latitude, coordinate.latitude)
    }
    return (low, high)
  }
}
