import GeoCore
import GeoProjection
import GeoTree

/// The folders of a sheet with their places and totals, each folder before its sub-folders.
package struct AtlasTree: Sendable {
  package private(set) var folders: [AtlasFolder] = []
  /// Whether amounts are room on disk, which all roots know, or bytes.
  package let isRoom: Bool
  /// The indices of the folders that are drawn as continents: the roots, or one folder.
  package private(set) var tops: [Int] = []
  package let engine: GeoProjectionEngine
  private let totals: TreeTotals

  /// Selects the folders of a world that are large enough to draw and in view.
  ///
  /// - Parameters:
  ///   - totals: The totals of all folders of the world.
  ///   - engine: The projection of the same roots, in the same order.
  ///   - tops: The numbers of the folders that are drawn as continents; nil for all roots.
  ///   - wantsRoom: Whether to measure room on disk if all roots know it.
  ///   - showsUnlisted: Whether to include folders with unknown contents.
  ///   - isSeen: Whether a folder's land is worth drawing. If not, its sub-folders are skipped,
  ///     too.
  package init(
    _ totals: TreeTotals, by engine: GeoProjectionEngine, tops wanted: Set<Int>?,
    wantsRoom: Bool = true, showsUnlisted: Bool = true,
    isSeen: (FolderPlace) -> Bool
  ) {
    self.engine = engine
    self.totals = totals
    let roots = totals.folders(in: nil)
    isRoom =
      wantsRoom
      && roots.numbers.allSatisfy { totals[$0].map { $0.allocated != nil } ?? true }
    let tints = engine.tintsOfRoots()
    for (index, number) in roots.numbers.enumerated() where index < engine.roots.count {
      add(
        number, roots.names.name(at: index), at: engine.roots[index], tint: tints[index], in: nil)
    }
    var next = 0
    while next < folders.count {
      let folder = folders[next]
      let below = totals.folders(in: folder.number)
      var own = (folder.totals?.files ?? 0, folder.amount ?? 0)
      for number in below.numbers {
        guard let totals = totals[number] else { continue }
        own = (
          TreeTotals.sum(own.0, -totals.files), TreeTotals.sum(own.1, -(amount(of: totals) ?? 0))
        )
      }
      // A hard-linked file counts once here but once in each sub-folder, so the rest can be
      // negative.
      let files = max(0, own.0)
      let placed = engine.contents(
        of: folder.place, folders: below.names, fileCount: Int(clamping: files))
      folders[next].ownFiles = files
      folders[next].ownBytes = max(0, own.1)
      folders[next].city = folder.place.isLanded ? placed.city : nil
      let tints = engine.tints(in: placed)
      for (index, place) in placed.folders.enumerated() where place.isLanded && isSeen(place) {
        if !showsUnlisted, totals[below.numbers[index]] == nil { continue }
        let path = folder.path.appending(component: below.names.name(at: index))
        folders[next].children.append(folders.count)
        add(below.numbers[index], path, at: place, tint: tints[index], in: next)
      }
      next += 1
    }
    tops = folders.indices.filter { index in
      if let wanted { wanted.contains(folders[index].number) } else { folders[index].parent == nil }
    }
  }

  private mutating func add(
    _ number: Int, _ path: [UInt8], at place: FolderPlace, tint: UInt8, in parent: Int?
  ) {
    let sums = totals[number]
    folders.append(
      AtlasFolder(
        number: number, parent: parent, place: place, tint: tint, path: path, totals: sums,
        details: totals.details(of: number), amount: sums.flatMap { amount(of: $0) }))
  }

  private func amount(of totals: FolderTotals) -> Int64? {
    isRoom ? totals.allocated : totals.bytes
  }

  /// The number of folders below a folder, drawn or not.
  package func count(below folder: Int) -> Int { totals.count(below: folders[folder].number) }

  /// The number of levels between a folder and its continent (0 for a continent); nil if it is in
  /// none.
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
