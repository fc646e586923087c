import GeoProjection

/// What files of one folder that are written at once have in common.
public struct FileBatch: Sendable, Equatable {
  /// Their depth, one more than their folder's.
  public var depth: Int
  /// Decimals of their coordinates, at most 13.
  public var digits: UInt8
  /// The first zoom at which they are visible.
  public var minzoom: UInt8
  /// The ground on which the folder's files stand, where the format has a place for it; else empty.
  public var towns: [TownGround]

  /// A batch of the given parts.
  public init(depth: Int, digits: UInt8, minzoom: UInt8, towns: [TownGround] = []) {
    self.depth = depth
    self.digits = digits
    self.minzoom = minzoom
    self.towns = towns
  }
}
