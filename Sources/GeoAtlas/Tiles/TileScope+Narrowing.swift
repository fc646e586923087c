import GeoChange
import GeoCore
import GeoProjection
import GeoTree

extension TileScope {
  /// How deep folders without land are followed: their points lie all in one place.
  static let deepest = 200

  /// What may be shown in any tile.
  init(of world: World, totals: TreeTotals?, changes: ChangeTree? = nil) {
    let labels = NameTable(world.roots.map(\.label), kind: .directory)
    let numbers = totals?.numbers(of: labels, in: nil)
    let changeNumbers = changes?.numbers(of: labels, in: nil)
    roots = world.roots.indices.map { index in
      Entry(
        TileFolder(
          root: index, of: world, number: numbers?[index] ?? TreeTotals.missing,
          changeNumber: changeNumbers?[index] ?? ChangeTree.missing))
    }
  }

  /// What may be shown in a tile, as far as that can be told without a look at what is drawn.
  ///
  /// It is for tiles at whose zoom nothing comes into sight.
  func narrowed(to tile: TileAddress, of world: World) -> TileScope {
    let reach = TileReach(tile, world.engine)
    var scope = TileScope()
    for root in roots {
      if let entry = scope.narrow(root, reach, world.engine) { scope.roots.append(entry) }
    }
    return scope
  }

  /// What of a folder may be shown; takes account of what may come into sight.
  private mutating func narrow(
    _ entry: Entry, _ reach: TileReach, _ engine: GeoProjectionEngine
  ) -> Entry? {
    let place = entry.folder.place
    if !reach.mayMeet(place) { return nil }
    if !reach.admits(place.minzoom) {
      expect(at: Int(place.minzoom))
      return entry
    }
    guard let folder = entry.folder.listing, let children = entry.children else {
      if entry.folder.depth <= Self.deepest {
        expect(at: max(entry.folder.earliestZoom(by: engine), reach.zoom + 1))
      }
      return entry
    }
    let inner = Entry(entry.folder)
    inner.files = entry.files
    if !reach.admits(folder.city.minzoom), entry.files == nil {
      if reach.mayMeetFiles(of: folder, entry.folder) {
        expect(at: Int(folder.city.minzoom))
      } else {
        inner.files = []
      }
    }
    var kept: [Child] = []
    for child in children {
      if let known = child.entry {
        if let inner = narrow(known, reach, engine) {
          kept.append(Child(index: child.index, entry: inner))
        }
      } else {
        let place = folder.places[Int(child.index)]
        if !reach.mayMeet(place) { continue }
        expect(at: max(Int(place.minzoom), reach.zoom + 1))
        kept.append(child)
      }
    }
    inner.children = kept
    return inner
  }
}
