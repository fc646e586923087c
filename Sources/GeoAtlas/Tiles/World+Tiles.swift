import GeoChange
import GeoTree

extension World {
  /// A tile of the world as it is now.
  package struct Tile: Sendable {
    /// What it shows.
    package let content: TileContent
    /// The folders that were read for it: as long as they are unchanged, so is it, but for sizes and
    /// times of files.
    package let folders: [FolderWitness]

    /// What a walk has collected; its listings are let go.
    init(_ walk: TileWalk) {
      content = walk.content
      folders = walk.folders.map(\.witness)
    }
  }

  /// Makes a tile, by reading only the folders whose contents it may show.
  ///
  /// - Parameters:
  ///   - totals: What is known of what is below folders.
  ///   - changes: What differs, in a world of two states.
  ///   - isUnwanted: Asked before each folder; once it is true, the work is broken off.
  /// - Returns: nil if it was broken off.
  package func tile(
    _ address: TileAddress, totals: TreeTotals? = nil, changes: ChangeTree? = nil,
    isUnwanted: @escaping () -> Bool = { false }
  ) -> Tile? {
    var walk = TileWalk(
      address, of: self, totals: totals, changes: changes, isUnwanted: isUnwanted)
    walk.run()
    return walk.isCancelled ? nil : Tile(walk)
  }
}
