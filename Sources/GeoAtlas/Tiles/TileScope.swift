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

/// Tests whether parts of the plan may be shown in a tile.
struct TileReach {
  let zoom: Int
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
    zoom = tile.zoom
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

    /// Creates a range.
    package init(complete: Int, deepest: Int) {
      self.complete = complete
      self.deepest = deepest
    }

    /// Creates the range of a world: complete while it has no more tiles than nodes.
    package init(nodes: Int, deepest: Int) {
      var zoom = 0
      while zoom < deepest, 1 << (2 * zoom + 2) <= nodes { zoom += 1 }
      self.init(complete: zoom, deepest: deepest)
    }
  }

  /// A tile that was made.
  package struct Tile {
    package var content: TileContent
    /// The maximum zoom to which it replaces all tiles within it; its own zoom for most.
    package var through: Int
    /// Whether a node becomes visible at its zoom.
    package var isNew: Bool
  }

  /// Samples tiles one zoom below the last complete one, to estimate the size of that zoom.
  package struct Probe {
    /// One in `share` tiles of the last complete zoom is sampled.
    package var share: UInt64
    /// Called with a sampled tile and the tiles within it that aren't empty. Tiles that equal all
    /// tiles within them are left out, as they are stored once.
    package var take: (TileContent, _ children: [TileContent]) -> Void

    /// Creates a probe.
    package init(share: UInt64, take: @escaping (TileContent, [TileContent]) -> Void) {
      self.share = share
      self.take = take
    }

    /// Whether it samples a tile, which depends on the tile only.
    func wants(_ tile: TileAddress) -> Bool {
      (HilbertCurve.number(of: tile) &* 0x9E37_79B9_7F4A_7C15) >> 32 % share == 0
    }
  }

  private let world: World
  private let reader: WorldReader
  private let totals: TreeTotals?
  private let changes: ChangeTree?
  private let range: Range
  private let take: (Tile) throws(Errno) -> Void
  private let probe: Probe?

  /// - Parameters:
  ///   - world: The world of the tiles; it must not change during the descent.
  ///   - totals: The totals of all folders, if known.
  ///   - changes: The differences, in a world of two states.
  ///   - range: The zooms.
  ///   - probe: Samples tiles below the complete zooms.
  ///   - take: Called with each tile, those of one zoom in the order of the curve. An error ends
  ///     the descent.
  package init(
    through world: World, totals: TreeTotals?, changes: ChangeTree? = nil, range: Range,
    probe: Probe? = nil, take: @escaping (Tile) throws(Errno) -> Void
  ) {
    self.world = world
    self.totals = totals
    self.changes = changes
    self.range = range
    self.probe = probe
    self.take = take
    reader = world.reader()
  }

  /// Makes a tile and those within it.
  package func run(from tile: TileAddress) throws(Errno) {
    try visit(tile, TileScope(of: world, totals: totals, changes: changes), isMade: false)
  }

  /// - Parameter isMade: Whether a tile around it replaces it, and all tiles within it down to the
  ///   complete zoom.
  private func visit(
    _ tile: TileAddress, _ outer: TileScope, isMade: Bool
  ) throws(Errno) {
    var (scope, isMade) = (outer, isMade)
    let complete = min(range.complete, range.deepest)
    if tile.zoom <= complete ? !isMade : outer.next.map({ $0 <= tile.zoom }) ?? true {
      let isProbed = tile.zoom == complete && probe?.wants(tile) ?? false
      let walk = walk(tile, outer, uniformZoom: isProbed ? complete + 1 : complete)
      isMade = walk.isUniform
      if !walk.content.isEmpty, tile.zoom <= complete || walk.showsNew {
        let through = isMade ? complete : tile.zoom
        try take(Tile(content: walk.content, through: through, isNew: walk.showsNew))
      }
      scope = walk.scope
      if isProbed, !isMade, !walk.content.isEmpty { look(into: walk) }
    } else {
      scope = outer.narrowed(to: tile, of: world)
    }
    if scope.roots.isEmpty || tile.zoom >= range.deepest { return }
    // If no further node becomes visible in it, deeper tiles aren't needed.
    if isMade || tile.zoom >= complete, scope.next.map({ $0 > range.deepest }) ?? true { return }
    for child in HilbertCurve.children(of: tile) { try visit(child, scope, isMade: isMade) }
  }

  private func walk(_ tile: TileAddress, _ outer: TileScope, uniformZoom: Int) -> TileWalk {
    var walk = TileWalk(
      tile, of: world, by: reader, isTracking: true, uniformZoom: uniformZoom, totals: totals,
      changes: changes, isUnwanted: { false })
    walk.run(within: outer)
    return walk
  }

  /// Calls the probe with a tile and those within it.
  private func look(into parent: TileWalk) {
    let walks = HilbertCurve.children(of: parent.tile).map {
      walk($0, parent.scope, uniformZoom: $0.zoom + 1)
    }
    probe?.take(
      parent.content, walks.filter { !$0.isUniform && !$0.content.isEmpty }.map(\.content))
  }
}
