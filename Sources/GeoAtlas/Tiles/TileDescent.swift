import GeoChange
import GeoProjection
import GeoTree
import GeoSystem

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
