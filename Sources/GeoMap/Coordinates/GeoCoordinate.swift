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
