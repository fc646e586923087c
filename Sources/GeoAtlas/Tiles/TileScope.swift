import GeoChange
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

/// What of a world may be shown in a tile, or in any tile within it: where a walk through one of those
/// begins, so that what lies elsewhere is looked at once and not for every tile.
struct TileScope {
  /// A folder of which something may be shown.
  final class Entry {
    let folder: TileFolder
    /// Its sub-folders of which something may be shown; nil if nobody has looked.
    var children: [Child]?
    /// Its files that are in the tile; nil if nobody has looked.
    var files: [Int32]?

    init(_ folder: TileFolder) { self.folder = folder }

    /// Whether anything in the folder may be shown.
    var mayShowContents: Bool { files?.isEmpty != true || children?.isEmpty != true }
  }

  /// A sub-folder of which something may be shown.
  struct Child {
    /// Which one it is.
    let index: Int32
    /// What is known of it, if it came into sight.
    let entry: Entry?
  }

  var roots: [Entry] = []
  /// The first zoom at which something may come into sight that isn't shown yet; nil if nothing does.
  private(set) var next: Int?

  /// Takes account of something that may come into sight.
  mutating func expect(at zoom: Int) { next = min(next ?? zoom, zoom) }
}

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

/// What a tile is reached by: whether something on the plan may be shown in it.
struct TileReach {
  let zoom: Int
  /// What the tile's zoom shows, as a map of that zoom does.
  private let filter: MapFilter
  private let engine: GeoProjectionEngine
  private let centre: PlanPoint
  /// From the centre to the edge of what is shown, in units of the plan.
  private let reach: Int64

  /// The most that the chart stretches a length, and a little more for rounding.
  private static let stretch = 2.48

  init(_ tile: TileAddress, _ engine: GeoProjectionEngine) {
    self.engine = engine
    zoom = tile.zoom
    filter = MapFilter(zoom: tile.zoom)
    centre = tile.point(at: TilePoint(x: 2048, y: 2048))
    let corner = tile.point(at: TilePoint(x: 0, y: 0))
    // A thirtieth more than half a side: the buffer.
    let half = max(centre.x - corner.x, centre.y - corner.y)
    reach = half + half / 30
  }

  /// Whether what comes into sight at a zoom is shown.
  func admits(_ minzoom: UInt8) -> Bool { filter.admits(minzoom: minzoom) }

  /// Whether a part of a folder may be shown, or of what is in it: what its land was cut out of, which
  /// drawings fill, comes near enough; for one without land, the ground that it stands on.
  func mayMeet(_ place: FolderPlace) -> Bool {
    mayMeet(engine.planCell(of: place) ?? place.land)
  }

  /// Whether a part of a quad may be shown: a circle around it, stretched by as much as the chart
  /// does at most, comes near enough.
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

/// Goes from a tile to all within it, in the order of a Hilbert curve, and makes those that show
/// something.
///
/// Down to one zoom all are made that aren't empty; where all within one are the same as it is, that one
/// stands for them. Deeper ones are made only where a node comes into
/// sight at their zoom: all others show what the nearest tile around them shows, and a client that draws
/// that larger misses nothing. So the work grows with the nodes, and not with the tiles.
package struct TileDescent {
  /// How far it goes.
  package struct Range: Sendable {
    /// Down to which zoom all tiles are made.
    package var complete: Int
    /// The deepest zoom.
    package var deepest: Int

    /// A range of the given zooms.
    package init(complete: Int, deepest: Int) {
      self.complete = complete
      self.deepest = deepest
    }

    /// The range of a world: complete as long as the world has no more tiles than nodes.
    package init(nodes: Int, deepest: Int) {
      var zoom = 0
      while zoom < deepest, 1 << (2 * zoom + 2) <= nodes { zoom += 1 }
      self.init(complete: zoom, deepest: deepest)
    }
  }

  /// A tile that was made.
  package struct Tile {
    package var content: TileContent
    /// The zoom down to which it stands for all tiles within it, which is its own for most.
    package var through: Int
    /// Whether a node comes into sight at its zoom.
    package var isNew: Bool
  }

  /// Looks at some tiles one zoom below the last complete one, to estimate the size of that zoom.
  package struct Probe {
    /// Each so many-th tile of the last complete zoom is looked into.
    package var share: UInt64
    /// Gets such a tile, and those within it that aren't empty. Tiles that show the same as all tiles
    /// within them are left out: they are kept once.
    package var take: (TileContent, _ children: [TileContent]) -> Void

    /// A probe of the given parts.
    package init(share: UInt64, take: @escaping (TileContent, [TileContent]) -> Void) {
      self.share = share
      self.take = take
    }

    /// Whether it looks into a tile, which depends on the tile alone.
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
  ///   - world: What the tiles show; it must not change meanwhile.
  ///   - totals: What is known of what is below folders.
  ///   - changes: What differs, in a world of two states.
  ///   - range: How far it goes.
  ///   - probe: Looks at some tiles below those that are complete.
  ///   - take: Gets each tile, those of one zoom in the order of the curve. What it throws ends the descent.
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

  /// Makes a tile, and those within it.
  package func run(from tile: TileAddress) throws(Errno) {
    try visit(tile, TileScope(of: world, totals: totals, changes: changes), isMade: false)
  }

  /// - Parameter isMade: Whether a tile around it stands for it, and for all within it down to the zoom
  ///   that is complete.
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
    // What is nowhere in it to come into sight needn't be looked for below.
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

  /// Tells the probe of a tile and of those within it.
  private func look(into parent: TileWalk) {
    let walks = HilbertCurve.children(of: parent.tile).map {
      walk($0, parent.scope, uniformZoom: $0.zoom + 1)
    }
    probe?.take(
      parent.content, walks.filter { !$0.isUniform && !$0.content.isEmpty }.map(\.content))
  }
}
