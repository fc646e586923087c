import GeoCore
import GeoProjection
import GeoTree

/// All files and folders that differ, in the order of the map.
///
/// What moved comes once, at its new place.
package struct EveryChange {
  private let tree: ChangeTree
  private let engine: GeoProjectionEngine
  private let showsFolders: Bool
  private var places: ChangePlaces
  private let moves: FolderMoves
  /// The folder that moved as a whole and holds the next one, and where it was.
  private var move: (end: Int, path: [UInt8], old: [UInt8])?
  private var next = 0

  package init(_ tree: ChangeTree, by engine: GeoProjectionEngine, showsFolders: Bool) {
    (self.tree, self.engine, self.showsFolders) = (tree, engine, showsFolders)
    places = ChangePlaces(tree, engine)
    moves = FolderMoves(in: tree)
  }

  /// The next folder that differs or has files that do: the folder if it differs, then the files.
  /// Nil at the end.
  package mutating func nextFolder() -> [PlacedChange]? {
    while next < tree.folders.count {
      let index = next
      let folder = tree.folders[index]
      if !folder.holds && folder.known.change == .none || moves.left.contains(index) {
        next = Int(folder.end)
        continue
      }
      next += 1
      var changes = change(ofFolder: index).map { [$0] } ?? []
      let differing = folder.files.filter {
        ![.none, .left].contains(tree.files[Int($0)].change)
      }
      changes += tree.placed(differing.map { Int($0) }, in: &places)
      if !changes.isEmpty { return changes }
    }
    return nil
  }

  private mutating func change(ofFolder index: Int) -> PlacedChange? {
    let folder = tree.folders[index]
    if let end = move?.end, index >= end { move = nil }
    guard folder.known.change != .none else { return nil }
    let path = tree.path(of: index)
    if let origin = moves.origins[index] { move = (Int(folder.end), path, tree.path(of: origin)) }
    if !showsFolders { return nil }
    let place = places.place(ofFolder: index)
    return PlacedChange(
      path: path, from: move.map { $0.old + path.dropFirst($0.path.count) }, isFolder: true,
      change: move == nil ? folder.known.change : .moved, size: nil, was: nil,
      place: engine.coordinate(of: place).degrees(digits: place.digits))
  }
}
