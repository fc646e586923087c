/// Where a file is.
@frozen public struct FilePlace: BitwiseCopyable, Hashable, Sendable {
  /// The hash of its path.
  public var seed: UInt64
  /// Its coordinate, in integers of 10^-digits degrees of its ``City``.
  public var coordinate: Coordinate

  /// A place of the given seed and coordinate.
  @inlinable
  public init(seed: UInt64, coordinate: Coordinate) {
    self.seed = seed
    self.coordinate = coordinate
  }

  /// The node's 53-bit identifier, exact in a JSON number.
  @inlinable public var id: UInt64 { seed >> 11 }
}
