import GeoCore
import GeoFormats
import GeoProjection

/// A file that differs, with its place on the map of both states.
package struct PlacedChange: Sendable {
  package let path: [UInt8]
  package let change: NodeChange
  /// Bytes in the new state, or in the old one if it is gone; nil if unknown.
  package let size: Int64?
  /// Bytes in the old state of a changed file; nil if unknown.
  package let was: Int64?
  /// Degrees east and north.
  package let place: (longitude: Double, latitude: Double)
}

/// A file or a whole folder that moved.
package struct MovedNode: Sendable {
  package let from: [UInt8]
  package let to: [UInt8]
  package let files: Int64
  package let bytes: Int64
}

/// What the signs of a map show.
extension ChangeTree {
  /// A folder's own files that differ.
  ///
  /// - Parameter folder: Its number.
  package func ownChanges(of folder: Int, by engine: GeoProjectionEngine) -> [PlacedChange] {
    guard folders.indices.contains(folder) else { return [] }
    let differing = folders[folder].files.filter { files[Int($0)].change != .none }
    return placed(differing.map { Int($0) }, by: engine)
  }

  /// The largest added files, without those in added folders.
  package func largestNewFiles(_ limit: Int, by engine: GeoProjectionEngine) -> [PlacedChange] {
    let rows = ChangeList(self, by: .size, kinds: [.added], limit: limit)
    return placed(rows.items.compactMap(\.file), by: engine)
  }

  private func placed(_ numbers: [Int], by engine: GeoProjectionEngine) -> [PlacedChange] {
    var places = ChangePlaces(self, engine)
    return numbers.map { number in
      let file = files[number]
      let (coordinate, digits) = places.place(ofFile: number)
      return PlacedChange(
        path: path(ofFile: number), change: file.change,
        size: size(of: file), was: file.sizeBefore(measure),
        place: coordinate.degrees(digits: digits))
    }
  }

  /// The largest moved files and folders.
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
          from: path(ofFolder: $0), to: path(ofFolder: item.folder), files: Int64(item.files),
          bytes: item.weight)
      }
    }
  }
}

/// Places of a comparison's folders and files on the map of both states.
///
/// The path to the last folder is cached, so lookups in the order of the map are fastest.
struct ChangePlaces {
  private struct Step {
    var folder: Int
    /// The places of its sub-folders.
    var inner: [FolderPlace]
    var city: City
  }

  private let tree: ChangeTree
  private let engine: GeoProjectionEngine
  private var way: [Step] = []

  init(_ tree: ChangeTree, _ engine: GeoProjectionEngine) {
    self.tree = tree
    self.engine = engine
  }

  /// The place of a folder.
  ///
  /// - Complexity: O(sub-folders of those ancestors that are not cached).
  mutating func place(ofFolder index: Int) -> FolderPlace {
    let folder = tree.folders[index]
    guard folder.parent >= 0 else { return engine.roots[Int(folder.number)] }
    enter(Int(folder.parent))
    return way[way.count - 1].inner[Int(folder.number)]
  }

  /// The place of a file, as integers of 10^-`digits` degrees.
  mutating func place(ofFile number: Int) -> (coordinate: Coordinate, digits: UInt8) {
    let file = tree.files[number]
    enter(Int(file.folder))
    let city = way[way.count - 1].city
    let place = tree.names.with(file.name) { engine.placeFile($0, in: city) }
    return (place.coordinate, city.digits)
  }

  /// Makes a folder the last of the cached path.
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
      let place = way.last.map { $0.inner[Int(folder.number)] } ?? engine.roots[Int(folder.number)]
      var inner: [FolderPlace] = []
      let city = engine.placeFolders(
        tree.names(ofChildren: folder.children), in: place, fileCount: folder.known.fileCount,
        into: &inner)
      way.append(Step(folder: index, inner: inner, city: city))
    }
  }
}

extension ChangeTree {
  /// The names of sub-folders in a range of ``children``.
  func names(ofChildren range: Range<Int32>) -> NameTable {
    var table = NameTable()
    for child in range {
      names.with(children[Int(child)]) { table.append($0, kind: .directory) }
    }
    return table
  }
}
