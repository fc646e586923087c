import GeoProjection

/// A place on the globe, in degrees.
public struct GeoCoordinate: Hashable, Sendable {
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
  ///
  /// Both the integer and the power of ten are exact in a double, so the quotient is rounded once.
  init(_ coordinate: Coordinate, digits: UInt8) {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    longitude = Double(coordinate.longitude) / scale
    latitude = Double(coordinate.latitude) / scale
  }
}
