import GeoCore
import GeoFormats
import GeoProjection
import GeoTree

/// A file or folder that differs, with its place on the map of both states.
package struct PlacedChange: Sendable {
  package let path: [UInt8]
  package let from: [UInt8]?
  package let isFolder: Bool
  package let change: NodeChange
  /// Bytes of a file in the new state, or in the old one if it is gone; nil if unknown.
  package let size: Int64?
  package let was: Int64?
  /// Degrees east and north.
  package let place: (longitude: Double, latitude: Double)
}

package struct MovedNode: Sendable {
  package let from, to: [UInt8]
  package let files, bytes: Int64
}

extension ChangeTree {
  package func ownChanges(of folder: Int, by engine: GeoProjectionEngine) -> [PlacedChange] {
    guard folders.indices.contains(folder) else { return [] }
    let differing = folders[folder].files.filter { files[Int($0)].change != .none }
    var places = ChangePlaces(self, engine)
    return placed(differing.map { Int($0) }, in: &places)
  }

  /// The largest added files, without those in added folders.
  package func largestNewFiles(_ limit: Int, by engine: GeoProjectionEngine) -> [PlacedChange] {
    let rows = ChangeList(self, by: .size, kinds: [.added], limit: limit)
    var places = ChangePlaces(self, engine)
    return placed(rows.items.compactMap(\.file), in: &places)
  }

  func placed(_ numbers: [Int], in places: inout ChangePlaces) -> [PlacedChange] {
    numbers.map { number in
      let file = files[number]
      let (coordinate, digits) = places.place(ofFile: number)
      return PlacedChange(
        path: path(ofFile: number),
        from: file.partner < 0 ? nil : path(ofFile: Int(file.partner)), isFolder: false,
        change: file.change, size: size(of: file), was: file.sizeBefore(measure),
        place: coordinate.degrees(digits: digits))
    }
  }

  package func moves(_ limit: Int) -> [MovedNode] {
    ChangeList(self, by: .size, kinds: [.moved], limit: limit).items.compactMap { item in
      if let number = item.file {
        let partner = Int(files[number].partner)
        if partner < 0 { return nil }
        return MovedNode(
          from: path(ofFile: partner), to: path(ofFile: number), files: 1, bytes: item.weight)
      }
      return item.otherFolder.map {
        MovedNode(
          from: path(of: $0), to: path(of: item.folder), files: Int64(item.files),
          bytes: item.weight)
      }
    }
  }

  func names(ofChildren range: Range<Int32>) -> NameTable {
    var table = NameTable()
    for child in range {
      names.with(children[Int(child)]) { table.append($0, kind: .directory) }
    }
    return table
  }
}

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

/// Places of a comparison's folders and files on the map of both states.
///
/// The path to the last folder is cached, so lookups in the order of the map are fastest.
struct ChangePlaces {
  private let tree: ChangeTree
  private let engine: GeoProjectionEngine
  private var way: [(folder: Int, contents: PlacedFolder)] = []

  init(_ tree: ChangeTree, _ engine: GeoProjectionEngine) {
    (self.tree, self.engine) = (tree, engine)
  }

  /// - Complexity: O(sub-folders of those ancestors that are not cached).
  mutating func place(ofFolder index: Int) -> FolderPlace {
    let folder = tree.folders[index]
    guard folder.parent >= 0 else { return engine.roots[Int(folder.number)] }
    enter(Int(folder.parent))
    return way[way.count - 1].contents.folders[Int(folder.number)]
  }

  /// The place of a file, as integers of 10^-`digits` degrees.
  mutating func place(ofFile number: Int) -> (coordinate: Coordinate, digits: UInt8) {
    let file = tree.files[number]
    enter(Int(file.folder))
    let city = way[way.count - 1].contents.city
    let place = tree.names.with(file.name) { engine.placeFile($0, in: city) }
    return (place.coordinate, city.digits)
  }

  private mutating func enter(_ index: Int) {
    while let last = way.last, !(last.folder..<Int(tree.folders[last.folder].end)).contains(index) {
      way.removeLast()
    }
    var missing: [Int] = []
    var next = index
    while next >= 0, next != way.last?.folder {
      missing.append(next)
      next = Int(tree.folders[next].parent)
    }
    for index in missing.reversed() {
      let folder = tree.folders[index]
      let place =
        way.last.map { $0.contents.folders[Int(folder.number)] } ?? engine.roots[Int(folder.number)]
      let contents = engine.contents(
        of: place, folders: tree.names(ofChildren: folder.children),
        fileCount: folder.known.fileCount)
      way.append((index, contents))
    }
  }
}
