/// The folders that may be shown in a tile, or in any tile within it. A walk through one of those
/// begins there, so that other folders are examined only once.
struct TileScope {
  final class Entry {
    let folder: TileFolder
    /// The sub-folders that may be shown; nil if not examined.
    var children: [Child]?
    /// The indices of its files in the tile; nil if not examined.
    var files: [Int32]?

    init(_ folder: TileFolder) { self.folder = folder }

    func children(in listing: WorldFolder) -> some Sequence<Child> {
      (0..<(children?.count ?? listing.places.count)).lazy.map { [children] index in
        children?[index] ?? Child(index: Int32(index), entry: nil)
      }
    }

    /// Whether any of its contents may be shown.
    var mayShowContents: Bool { files?.isEmpty != true || children?.isEmpty != true }
  }

  struct Child {
    let index: Int32
    /// Its entry, once it is visible.
    let entry: Entry?
  }

  var roots: [Entry] = []
  /// The first zoom at which another node may become visible; nil if none does.
  private(set) var next: Int?

  mutating func expect(at zoom: Int) { next = min(next ?? zoom, zoom) }
}

extension TileScope {
  /// The maximum depth to which folders without land are followed, as their points are all in one
  /// place.
  static let maximumDepth = 200

  /// The part of the scope for a tile within, found without drawing.
  ///
  /// It is for tiles at whose zoom no node becomes visible.
  func narrowed(to tile: TileAddress, of world: World) -> TileScope {
    let reach = TileReach(tile, world.engine)
    var scope = TileScope()
    scope.roots = roots.compactMap { scope.narrow($0, reach) }
    return scope
  }

  private mutating func narrow(_ entry: Entry, _ reach: TileReach) -> Entry? {
    let place = entry.folder.place
    if !reach.mayMeet(place) { return nil }
    if !reach.admits(place.minzoom) {
      expect(at: Int(place.minzoom))
      return entry
    }
    guard let folder = entry.folder.contents, let children = entry.children else {
      if entry.folder.depth <= Self.maximumDepth {
        expect(at: max(entry.folder.earliestZoom, reach.zoom + 1))
      }
      return entry
    }
    let inner = Entry(entry.folder)
    inner.files = reach.files(entry, of: folder)
    if !reach.admits(folder.listing.city.minzoom), inner.files?.isEmpty != true {
      expect(at: Int(folder.listing.city.minzoom))
    }
    var kept: [Child] = []
    for child in children {
      if let known = child.entry {
        if let inner = narrow(known, reach) {
          kept.append(Child(index: child.index, entry: inner))
        }
      } else {
        let place = folder.listing.places[Int(child.index)]
        if !reach.mayMeet(place) { continue }
        expect(at: max(Int(place.minzoom), reach.zoom + 1))
        kept.append(child)
      }
    }
    inner.children = kept
    return inner
  }
}
