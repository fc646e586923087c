import GeoDiff
import GeoProjection
import GeoScan
import GeoSystem
import GeoTile

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

  private let world: World
  private let reader: WorldReader
  private let totals: TreeTotals?
  private let changes: ChangeTree?
  private let range: Range
  /// What is told of each tile.
  private let take: (TileContent, _ through: Int) throws(Errno) -> Void

  /// - Parameters:
  ///   - world: What the tiles show; it must not change meanwhile.
  ///   - totals: What is known of what is below folders.
  ///   - changes: What differs, in a world of two states.
  ///   - range: How far it goes.
  ///   - take: Gets each tile, those of one zoom in the order of the curve, and the zoom down to which
  ///     it stands for all tiles within it, which is its own for most. What it throws ends the descent.
  package init(
    through world: World, totals: TreeTotals?, changes: ChangeTree? = nil, range: Range,
    take: @escaping (TileContent, _ through: Int) throws(Errno) -> Void
  ) {
    self.world = world
    self.totals = totals
    self.changes = changes
    self.range = range
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
      var walk = TileWalk(
        tile, of: world, by: reader, isTracking: true, uniformZoom: complete, totals: totals,
        changes: changes, isUnwanted: { false })
      walk.run(within: outer)
      isMade = walk.isUniform
      if !walk.content.isEmpty, tile.zoom <= complete || walk.showsNew {
        try take(walk.content, isMade ? complete : tile.zoom)
      }
      scope = walk.scope
    } else {
      scope = outer.narrowed(to: tile, of: world)
    }
    if scope.roots.isEmpty || tile.zoom >= range.deepest { return }
    // What is nowhere in it to come into sight needn't be looked for below.
    if isMade || tile.zoom >= complete, scope.next.map({ $0 > range.deepest }) ?? true { return }
    for child in HilbertCurve.children(of: tile) { try visit(child, scope, isMade: isMade) }
  }
}
