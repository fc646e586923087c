import GeoChange
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

/// The folders that may be shown in a tile, or in any tile within it. A walk through one of those
/// begins there, so that other folders are examined only once.
struct TileScope {
  /// A folder that may be shown.
  final class Entry {
    let folder: TileFolder
    /// The sub-folders that may be shown; nil if not examined.
    var children: [Child]?
    /// The indices of its files in the tile; nil if not examined.
    var files: [Int32]?

    init(_ folder: TileFolder) { self.folder = folder }

    /// Whether any of its contents may be shown.
    var mayShowContents: Bool { files?.isEmpty != true || children?.isEmpty != true }
  }

  /// A sub-folder that may be shown.
  struct Child {
    /// Its index in the listing.
    let index: Int32
    /// Its entry, once it is visible.
    let entry: Entry?
  }

  var roots: [Entry] = []
  /// The first zoom at which another node may become visible; nil if none does.
  private(set) var next: Int?

  /// Registers a node that may become visible at a zoom.
  mutating func expect(at zoom: Int) { next = min(next ?? zoom, zoom) }
}

extension TileScope {
  /// The maximum depth to which folders without land are followed, as their points are all in one
  /// place.
  static let deepest = 200

  /// The scope of all tiles.
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

  /// The part of the scope for a tile within, found without drawing.
  ///
  /// It is for tiles at whose zoom no node becomes visible.
  func narrowed(to tile: TileAddress, of world: World) -> TileScope {
    let reach = TileReach(tile, world.engine)
    var scope = TileScope()
    for root in roots {
      if let entry = scope.narrow(root, reach, world.engine) { scope.roots.append(entry) }
    }
    return scope
  }

  /// The entry of a folder for a tile; registers nodes that may become visible.
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
    inner.files = reach.files(entry, of: folder)
    if !reach.admits(folder.city.minzoom), inner.files?.isEmpty != true {
      expect(at: Int(folder.city.minzoom))
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

/// Tests whether parts of the plan may be shown in a tile.
struct TileReach {
  let tile: TileAddress
  var zoom: Int { tile.zoom }
  /// The filter of a map at the tile's zoom.
  private let filter: MapFilter
  private let engine: GeoProjectionEngine
  private let centre: PlanPoint
  /// From the centre to the edge of the visible part, in units of the plan.
  private let reach: Int64

  /// The maximum factor by which the chart stretches a length, and a little more for rounding.
  private static let stretch = 2.48

  init(_ tile: TileAddress, _ engine: GeoProjectionEngine) {
    self.engine = engine
    self.tile = tile
    filter = MapFilter(zoom: tile.zoom)
    centre = tile.point(at: TilePoint(x: 2048, y: 2048))
    let corner = tile.point(at: TilePoint(x: 0, y: 0))
    // A thirtieth more than half a side, for the buffer.
    let half = max(centre.x - corner.x, centre.y - corner.y)
    reach = half + half / 30
  }

  /// Whether nodes with a minimum zoom are visible.
  func admits(_ minzoom: UInt8) -> Bool { filter.admits(minzoom: minzoom) }

  /// Whether any part of a folder or its contents may be shown: tests its cell, or its ground if it
  /// has no land.
  func mayMeet(_ place: FolderPlace) -> Bool {
    mayMeet(engine.planCell(of: place) ?? place.land)
  }

  /// Whether any part of a quad may be shown: tests a circle around it, enlarged by the chart's
  /// maximum stretch.
  func mayMeet(_ quad: Quad) -> Bool {
    let middle = quad.centre
    var radius: Int64 = 0  // sums within the plan, which has 62 bits
    for corner in [quad.q0, quad.q1, quad.q2, quad.q3] {
      radius = max(radius, abs(corner.x - middle.x) &+ abs(corner.y - middle.y))
    }
    let limit = Double(reach) + Double(radius) * Self.stretch
    let charted = engine.chart(middle)
    return Double(abs(charted.x - centre.x)) <= limit
      && Double(abs(charted.y - centre.y)) <= limit
  }

  /// Whether any of a folder's files may be shown.
  func mayMeetFiles(of folder: WorldFolder, _ known: TileFolder) -> Bool {
    !folder.files.isEmpty && known.ground(of: folder).quads.contains { $0.map(mayMeet) ?? false }
  }

  /// The number of files of a folder from which on they are told apart before they are visible:
  /// else each tile of the zoom where that happens would look through all of them.
  private static let manyFiles = 256

  /// The indices of a folder's files that may be shown in this tile or within it; nil if they
  /// aren't told apart yet.
  func files(_ entry: TileScope.Entry, of folder: WorldFolder) -> [Int32]? {
    if entry.files?.isEmpty == true || !mayMeetFiles(of: folder, entry.folder) { return [] }
    if entry.files == nil, folder.files.count < Self.manyFiles { return nil }
    return shown(entry, of: folder)
  }

  /// The indices of a folder's files in this tile.
  func shown(_ entry: TileScope.Entry, of folder: WorldFolder) -> [Int32] {
    if entry.files?.isEmpty == true { return [] }
    let spots = entry.folder.spots(in: folder, by: engine)
    func isShown(_ index: Int) -> Bool { TileAddress.shown.contains(tile.place(of: spots[index])) }
    if let files = entry.files { return files.filter { isShown(Int($0)) } }
    var shown: [Int32] = []
    for index in spots.indices where isShown(index) {
      shown.append(Int32(truncatingIfNeeded: index))
    }
    return shown
  }
}

/// Visits a tile and those within it, in the order of a Hilbert curve, and makes those that show
/// something.
///
/// Down to a given zoom all tiles are made that aren't empty; a tile that equals all tiles within
/// it replaces them. Deeper ones are made only if a node becomes visible at their zoom. All others
/// show the same as the nearest tile around them, which clients enlarge. So the work grows with the
/// nodes, not with the tiles.
package struct TileDescent {
  /// The zooms of a descent.
  package struct Range: Sendable {
    /// The maximum zoom at which all tiles are made.
    package var complete: Int
    /// The maximum zoom.
    package var deepest: Int

    /// The deepest zoom at which a world of many nodes has all tiles: most of the next zooms show
    /// only coast lines, at more expense than all deeper tiles in which a node appears.
    private static let mostComplete = 8

    /// Creates a range.
    package init(complete: Int, deepest: Int) {
      self.complete = complete
      self.deepest = deepest
    }

    /// Creates the range of a world: complete while it has no more tiles than nodes, at most to
    /// zoom 8.
    package init(nodes: Int, deepest: Int) {
      var zoom = 0
      while zoom < min(deepest, Self.mostComplete), 1 << (2 * zoom + 2) <= nodes { zoom += 1 }
      self.init(complete: zoom, deepest: deepest)
    }
  }

  /// A tile that was made.
  package struct Tile {
    package var content: TileContent
    /// The maximum zoom to which it replaces all tiles within it; its own zoom for most.
    package var through: Int
  }

  /// The maximum depth in the tree of the nodes that tiles show.
  package static let deepestNode = TileScope.deepest + 1

  private let world: World
  private let reader: WorldReader
  private let totals: TreeTotals?
  private let changes: ChangeTree?
  private let take: (Tile) throws(Errno) -> Void
  /// The tiles around the last one, from zoom 0 down, with their scopes. The next tile is mostly
  /// near, so that few folders are looked for again.
  private var around: [(tile: TileAddress, scope: TileScope)] = []

  /// - Parameters:
  ///   - world: The world of the tiles; it must not change during the descent.
  ///   - totals: The totals of all folders, if known.
  ///   - changes: The differences, in a world of two states.
  ///   - take: Called with each tile, those of one zoom in the order of the curve. An error ends
  ///     the descent.
  package init(
    through world: World, totals: TreeTotals?, changes: ChangeTree? = nil,
    take: @escaping (Tile) throws(Errno) -> Void
  ) {
    self.world = world
    self.totals = totals
    self.changes = changes
    self.take = take
    reader = world.reader()
  }

  /// Makes a tile and those within it.
  package mutating func run(from tile: TileAddress, _ range: Range) throws(Errno) {
    try visit(tile, scope(around: tile), range, isMade: false)
  }

  /// The scope of the tiles around a tile.
  private mutating func scope(around tile: TileAddress) -> TileScope {
    while let last = around.last?.tile,
      last.zoom >= tile.zoom || tile.ancestor(at: last.zoom) != last
    { around.removeLast() }
    var scope =
      around.last?.scope ?? TileScope(of: world, totals: totals, changes: changes)
    for zoom in around.count..<tile.zoom {
      guard let outer = tile.ancestor(at: zoom) else { break }
      scope = walk(outer, scope, uniformZoom: zoom).scope
      around.append((outer, scope))
    }
    return scope
  }

  /// - Parameter isMade: Whether a tile around it replaces it, and all tiles within it down to the
  ///   complete zoom.
  private func visit(
    _ tile: TileAddress, _ outer: TileScope, _ range: Range, isMade: Bool
  ) throws(Errno) {
    var (scope, isMade) = (outer, isMade)
    let complete = min(range.complete, range.deepest)
    if tile.zoom <= complete ? !isMade : outer.next.map({ $0 <= tile.zoom }) ?? true {
      let walk = walk(tile, outer, uniformZoom: complete)
      isMade = walk.isUniform
      if !walk.content.isEmpty, tile.zoom <= complete || walk.showsNew {
        try take(Tile(content: walk.content, through: isMade ? complete : tile.zoom))
      }
      scope = walk.scope
    } else {
      scope = outer.narrowed(to: tile, of: world)
    }
    if scope.roots.isEmpty || tile.zoom >= range.deepest { return }
    // If no further node becomes visible in it, deeper tiles aren't needed.
    if isMade || tile.zoom >= complete, scope.next.map({ $0 > range.deepest }) ?? true { return }
    for child in HilbertCurve.children(of: tile) { try visit(child, scope, range, isMade: isMade) }
  }

  private func walk(_ tile: TileAddress, _ outer: TileScope, uniformZoom: Int) -> TileWalk {
    var walk = TileWalk(
      tile, of: world, by: reader, isTracking: true, uniformZoom: uniformZoom, totals: totals,
      changes: changes, isUnwanted: { false })
    walk.run(within: outer)
    return walk
  }
}
