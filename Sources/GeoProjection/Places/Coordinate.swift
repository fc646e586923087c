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
}
