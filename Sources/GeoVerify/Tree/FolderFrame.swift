import GeoCore
import GeoProjection

/// A folder that a walk is in, with what its contents are checked against.
struct FolderFrame {
  /// Its number in the tree.
  let index: Int
  var node: FolderNode
  /// The first of its sub-folders whose name doesn't come before that of the last file.
  var folder: Int
  /// What it says of all that is below it.
  var totals: FolderTotals?
  /// The zoom of its files, which all have the same.
  var fileZoom: UInt8?
  /// Where its files are, once there is one.
  var city: City?
  /// Decimals of its files.
  var digits: UInt8 = 13
  /// Its coast line; nil if it has no land, or none that is known.
  var ring: ExactRing?
  /// The coast lines of its sub-folders so far.
  var neighbours = Neighbours()

  /// What is in it can't be seen before this zoom.
  var leastZoom: UInt8 { node.hasZoom || node.isWritten ? node.place.minzoom : 0 }

  init(_ index: Int, in tree: FolderTree) {
    self.index = index
    node = tree[index]
    folder = tree.firstFolder(in: index)
  }
}
