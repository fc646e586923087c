import GeoProjection

/// Places of a comparison's folders and files on the map of both states.
///
/// The path to the last folder is cached, so lookups in the order of the map are fastest.
struct ChangePlaces {
  private struct Step {
    var folder: Int
    var contents: PlacedFolder
  }

  private let tree: ChangeTree
  private let engine: GeoProjectionEngine
  private var way: [Step] = []

  init(_ tree: ChangeTree, _ engine: GeoProjectionEngine) {
    self.tree = tree
    self.engine = engine
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
      way.append(Step(folder: index, contents: contents))
    }
  }
}
