/// A place on the globe, as integers of 10^-digits degrees.
///
/// How many digits is said by whom the coordinate belongs to: ``FolderPlace/digits`` or
/// ``City/digits``.
@frozen public struct Coordinate: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, times 10^digits; −180·10^digits to 180·10^digits.
  public var longitude: Int64
  /// Degrees north, times 10^digits; within ±84·10^digits for all land.
  public var latitude: Int64

  /// A coordinate of the given integers.
  @inlinable
  public init(longitude: Int64, latitude: Int64) {
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
