import GeoCore
import GeoProjection
import GeoTree

/// The folders of a sheet with their places and totals, each folder before its sub-folders.
package struct SheetTree: Sendable {
  package private(set) var folders: [SheetFolder] = []
  /// Whether amounts are room on disk, which all roots know, or bytes.
  package let isRoom: Bool
  let measure: SheetMeasure
  private let layers: LayerSchema
  /// The indices of the folders that are drawn as continents: the roots, or one folder.
  package private(set) var tops: [Int] = []
  package let engine: GeoProjectionEngine
  private let totals: TreeTotals

  /// Selects the folders of a world that are large enough to draw and in view. `tops` has the
  /// numbers of those that are drawn as continents; nil for all roots. A folder whose land isn't
  /// `isSeen` is skipped with all in it.
  package init(
    _ totals: TreeTotals, by engine: GeoProjectionEngine, tops wanted: Set<Int>?,
    measure: SheetMeasure = .bytes, _ layers: LayerSchema = .none, wantsRoom: Bool = true,
    showsUnlisted: Bool = true,
    isSeen: (FolderPlace) -> Bool
  ) {
    self.engine = engine
    self.totals = totals
    (self.measure, self.layers) = (measure, layers)
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
      var own = (folder.totals?.files ?? 0, folder.amount ?? 0, folder.size ?? 0)
      for number in below.numbers {
        guard let totals = totals[number] else { continue }
        own = (
          TreeTotals.sum(own.0, -totals.files), own.1 - (amount(of: number, totals) ?? 0),
          own.2 - (size(of: totals) ?? 0)
        )
      }
      // A hard-linked file counts once here but once in each sub-folder, so the rest can be
      // negative.
      let files = max(0, own.0)
      let placed = engine.contents(
        of: folder.place, folders: below.names, fileCount: Int(clamping: files))
      folders[next].ownFiles = files
      (folders[next].ownAmount, folders[next].ownSize) = (max(0, own.1), max(0, own.2))
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
      SheetFolder(
        number: number, parent: parent, place: place, tint: tint, path: path, totals: sums,
        details: totals.details(of: number), cells: totals.cells(of: number),
        size: sums.flatMap { size(of: $0) }, amount: sums.flatMap { amount(of: number, $0) }))
  }

  private func size(of totals: FolderTotals) -> Double? {
    (isRoom ? totals.allocated : totals.bytes).map { Double($0) }
  }

  private func amount(of folder: Int, _ sums: FolderTotals) -> Double? {
    switch measure {
    case .bytes: return size(of: sums)
    case .files: return Double(sums.files)
    case .layer: return value(totals.cells(of: folder))
    }
  }

  func amount(of file: PosterFile) -> Double {
    switch measure {
    case .bytes: return max(0, Double((isRoom ? file.allocated : file.bytes) ?? 0))
    case .files: return 1
    case .layer: return value(file.cells)
    }
  }

  /// The value of the layer that is measured; 0 without one, or below 0.
  private func value(_ cells: [LayerCell]) -> Double {
    guard case .layer(let layer) = measure, !cells.isEmpty else { return 0 }
    return max(0, layers.layers[layer].number(of: cells[layer]) ?? 0)
  }

  func text(_ amount: Double) -> String {
    switch measure {
    case .bytes: SheetText.bytes(amount)
    case .files: SheetText.files(Int64(amount))
    case .layer(let layer): SheetText.number(amount) + " " + layers.layers[layer].name
    }
  }

  func column(_ size: Double?, _ amount: Double?) -> String? {
    if case .layer = measure { return amount.map { SheetText.number($0) } }
    return size.map { SheetText.bytes($0) }
  }

  /// What ``column(_:_:)`` has: room on disk, bytes, or a layer.
  var heading: String {
    if case .layer(let layer) = measure { return layers.layers[layer].name }
    return isRoom ? "on disk" : "apparent size"
  }

  func bound(_ amount: Double) -> String {
    measure == .bytes ? SheetText.bound(amount) : SheetText.number(amount)
  }

  /// The number of folders below a folder, drawn or not.
  package func count(below folder: Int) -> Int { totals.count(below: folders[folder].number) }
}
