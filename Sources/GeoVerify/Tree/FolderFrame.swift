import GeoProjection

/// A folder that a walk is in, with what its contents are checked against.
struct FolderFrame {
  var node: FolderNode
  /// Where its files are, once there is one.
  var city: City?
  /// Decimals of its files.
  var digits: UInt8 = 13
  /// Its coast line; nil if it has no land, or none that is known.
  var ring: ExactRing?
  /// The coast lines of its sub-folders so far.
  var inner: [(name: [UInt8], line: Int, ring: ExactRing)] = []
}
