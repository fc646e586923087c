import GeoCore

/// A place on the globe, as integers of 10^-digits degrees.
///
/// The number of digits is ``FolderPlace/digits`` or ``City/digits`` of the place it belongs to.
@frozen public struct Coordinate: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, times 10^digits; −180·10^digits to 180·10^digits.
  @usableFromInline package var longitude: Int64
  /// Degrees north, times 10^digits; within ±84·10^digits for all land.
  @usableFromInline package var latitude: Int64

  @inlinable
  package init(longitude: Int64, latitude: Int64) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The degrees that a reader of the printed decimals gets, to the bit.
  ///
  /// A reader takes the double nearest to the decimal number. The integer, below 2^53, and
  /// 10^digits are both exact as doubles, and their quotient is rounded once: to that same double.
  ///
  /// - Parameter digits: 0 to 13.
  public func degrees(digits: UInt8) -> (longitude: Double, latitude: Double) {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return (Double(longitude) / scale, Double(latitude) / scale)
  }
}

extension Coordinate {
  /// The south-western and the north-eastern corner of the box around coordinates with the same
  /// number of decimals; nil without coordinates.
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
