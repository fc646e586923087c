import GeoCore
import GeoProjection
import GeoTree

/// A folder of an atlas: where it is and what is below it.
package struct AtlasFolder: Sendable {
  /// Its number in the totals.
  package let number: Int
  /// The index of the folder that it is in; nil for a root.
  package let parent: Int?
  /// Where it is.
  package let place: FolderPlace
  /// The root's label, then names, joined by `/`.
  package let path: [UInt8]
  /// What is below it; nil where it could not be listed.
  package let totals: FolderTotals?
  /// What else is known of that.
  package let details: FolderDetails?
  /// How many files it has itself, as far as they are not below others as well.
  package var ownFiles: Int64 = 0
  /// The bytes of those.
  package var ownBytes: Int64 = 0
  /// Its sub-folders that are worth drawing, in the order of their names.
  package var children: [Int] = []
  /// Where its own files are.
  package var city: City?

  /// The last component of its path.
  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }

  /// Bytes below it, 0 where nobody knows.
  var bytes: Double { Double(totals?.bytes ?? 0) }
}

/// What a sheet is about: folders with their places and totals, a folder before what is in it.
package struct AtlasTree: Sendable {
  package private(set) var folders: [AtlasFolder] = []
  /// The folders that are drawn as continents: the roots, or one folder.
  package private(set) var tops: [Int] = []
  package let engine: GeoProjectionEngine
  private let totals: TreeTotals

  /// The folders of a world that are large enough, and meet what is to be seen.
  ///
  /// - Parameters:
  ///   - totals: Of all folders of the world.
  ///   - engine: Of the same roots, in the same order.
  ///   - top: The number of the folder that is drawn as a continent; nil for all roots.
  ///   - showsUnlisted: Whether folders are drawn of which nobody knows what is below them.
  ///   - isSeen: Whether a folder's land is worth drawing; what is in it is not asked otherwise.
  package init(
    _ totals: TreeTotals, by engine: GeoProjectionEngine, top: Int?, showsUnlisted: Bool = true,
    isSeen: (FolderPlace) -> Bool
  ) {
    self.engine = engine
    self.totals = totals
    let roots = totals.folders(in: nil)
    for (index, number) in roots.numbers.enumerated() where index < engine.roots.count {
      add(number, roots.names.name(at: index), at: engine.roots[index], in: nil)
    }
    var next = 0
    var places: [FolderPlace] = []
    while next < folders.count {
      let folder = folders[next]
      let below = totals.folders(in: folder.number)
      var own = (folder.totals?.files ?? 0, folder.totals?.bytes ?? 0)
      for number in below.numbers {
        guard let totals = totals[number] else { continue }
        own = (own.0 - totals.files, own.1 - (totals.bytes ?? 0))
      }
      // A file with names in two of them counts once in this one.
      let files = max(0, own.0)
      let city = engine.placeFolders(
        below.names, in: folder.place, fileCount: Int(clamping: files), into: &places)
      folders[next].ownFiles = files
      folders[next].ownBytes = max(0, own.1)
      folders[next].city = folder.place.isLanded ? city : nil
      for (index, place) in places.enumerated() where place.isLanded && isSeen(place) {
        if !showsUnlisted, totals[below.numbers[index]] == nil { continue }
        let path = folder.path.appending(component: below.names.name(at: index))
        folders[next].children.append(folders.count)
        add(below.numbers[index], path, at: place, in: next)
      }
      next += 1
    }
    tops = folders.indices.filter { index in
      if let top { folders[index].number == top } else { folders[index].parent == nil }
    }
  }

  private mutating func add(
    _ number: Int, _ path: [UInt8], at place: FolderPlace, in parent: Int?
  ) {
    folders.append(
      AtlasFolder(
        number: number, parent: parent, place: place, path: path, totals: totals[number],
        details: totals.details(of: number)))
  }

  /// How many folders are below a folder, drawn or not.
  package func count(below folder: Int) -> Int { totals.count(below: folders[folder].number) }

  /// How many levels a folder lies below a top: 0 for a top; nil if it isn't in one.
  func rank(of folder: Int) -> Int? {
    var rank = 0
    var at = folder
    while !tops.contains(at) {
      guard let parent = folders[at].parent else { return nil }
      at = parent
      rank += 1
    }
    return rank
  }
}

extension GeoProjectionEngine {
  /// The place of a folder, by the names of all folders around it; nil where there is none, or none
  /// with land.
  ///
  /// - Parameters:
  ///   - number: The folder's number in the totals.
  ///   - names: The root's label, then names.
  package func place(
    of names: [ArraySlice<UInt8>], in totals: TreeTotals
  ) -> (number: Int, place: FolderPlace)? {
    var found: (number: Int, place: FolderPlace)?
    var places = roots
    for name in names {
      let below = totals.folders(in: found?.number)
      if let around = found?.place {
        placeFolders(below.names, in: around, fileCount: 0, into: &places)
      }
      guard let index = below.names.index(of: Array(name)), index < places.count else {
        return nil
      }
      found = (below.numbers[index], places[index])
    }
    return found
  }
}
