import GeoCore
import GeoProjection

/// A folder that a map speaks of: all that is kept of it.
struct FolderNode: Sendable {
  // The large parts come first, so that nothing is lost between them.

  /// Where it is; only the seed and the depth hold unless ``isPlaced``.
  var place = FolderPlace(
    seed: 0, land: Quad.nowhere, depth: 0, digits: 13, minzoom: 0, isLanded: false)
  /// Where its name begins among those of all folders.
  var nameStart: Int
  /// How many entries it says it has; −1 if it doesn't say.
  var entries: Int64 = -1
  var nameLength: Int32
  /// The number of the folder that it is in; −1 for a root.
  var parent: Int32
  /// Entries of the map that are in it.
  var files: Int32 = 0
  var folders: Int32 = 0
  /// The lots that those folders have.
  var taken = LotSet()
  /// Whether it has a feature of its own.
  var isWritten = false
  /// Whether it says that it is one of its own ancestors, reached by a link.
  var isLoop = false
  /// Whether its place follows from what is in the map.
  var isPlaced = false
  /// Whether its zoom does, too.
  var hasZoom = false

  init(in parent: Int, nameStart: Int, nameLength: Int) {
    self.parent = Int32(parent)
    self.nameStart = nameStart
    self.nameLength = Int32(clamping: nameLength)
  }

  /// More entries than this no listing has: the names of as many fill what a ``NameTable`` holds.
  static let mostEntries: Int64 = 1 << 39

  /// Whether all its entries are in the map.
  var isComplete: Bool { entries == Int64(files) + Int64(folders) }
}

extension Quad {
  /// The land of a folder of which no land is known.
  static var nowhere: Quad {
    let point = PlanPoint(x: 0, y: 0)
    return Quad(point, point, point, point)
  }
}
