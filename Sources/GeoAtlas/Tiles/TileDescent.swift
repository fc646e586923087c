import GeoChange
import GeoSystem
import GeoTree

/// Visits a tile and those within it, in the order of a Hilbert curve, and makes those that show
/// something.
///
/// Down to a given zoom all tiles are made that aren't empty; a tile that equals all tiles within
/// it replaces them. Deeper ones are made only if a node becomes visible at their zoom. All others
/// show the same as the nearest tile around them, which clients enlarge. So the work grows with the
/// nodes, not with the tiles.
package struct TileDescent {
  package struct Range: Sendable {
    package var complete: Int
    package var maximumZoom: Int

    /// The deepest zoom at which a world of many nodes has all tiles: most of the next zooms show
    /// only coast lines, at more expense than all deeper tiles in which a node appears.
    private static let maximumComplete = 8

    package init(complete: Int, maximumZoom: Int) {
      self.complete = complete
      self.maximumZoom = maximumZoom
    }

    /// Creates the range of a world: complete while it has no more tiles than nodes, at most to
    /// zoom 8.
    package init(nodes: Int, maximumZoom: Int) {
      var zoom = 0
      let limit = min(maximumZoom, Self.maximumComplete)
      while zoom < limit, 1 << (2 * zoom + 2) <= nodes { zoom += 1 }
      self.init(complete: zoom, maximumZoom: maximumZoom)
    }
  }

  package struct Tile {
    package var content: TileContent
    /// The maximum zoom to which it replaces all tiles within it; its own zoom for most.
    package var through: Int
  }

  package static let deepestNode = TileScope.maximumDepth + 1

  private let source: TileSource
  private let body: (Tile) throws(Errno) -> Void
  /// The tiles around the last one, from zoom 0 down, with their scopes. The next tile is mostly
  /// near, so that few folders are looked for again.
  private var around: [(tile: TileAddress, scope: TileScope)] = []

  /// - Parameter body: Called with each tile, those of one zoom in the order of the curve. The world
  ///   must not change meanwhile.
  package init(
    through world: World, totals: TreeTotals?, changes: ChangeTree? = nil,
    body: @escaping (Tile) throws(Errno) -> Void
  ) {
    source = TileSource(world, Knowledge(totals, changes))
    self.body = body
  }

  package mutating func run(from tile: TileAddress, _ range: Range) throws(Errno) {
    try visit(tile, scope(around: tile), range, isMade: false)
  }

  private mutating func scope(around tile: TileAddress) -> TileScope {
    while let last = around.last?.tile,
      last.zoom >= tile.zoom || tile.ancestor(at: last.zoom) != last
    { around.removeLast() }
    var scope = around.last?.scope ?? TileScope(roots: source.roots)
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
    let complete = min(range.complete, range.maximumZoom)
    if tile.zoom <= complete ? !isMade : outer.next.map({ $0 <= tile.zoom }) ?? true {
      let walk = walk(tile, outer, uniformZoom: complete)
      isMade = walk.isUniform
      if !walk.content.isEmpty, tile.zoom <= complete || walk.showsNew {
        try body(Tile(content: walk.content, through: isMade ? complete : tile.zoom))
      }
      scope = walk.scope
    } else {
      scope = outer.narrowed(to: tile, of: source.world)
    }
    if scope.roots.isEmpty || tile.zoom >= range.maximumZoom { return }
    // If no further node becomes visible in it, deeper tiles aren't needed.
    if isMade || tile.zoom >= complete, scope.next.map({ $0 > range.maximumZoom }) ?? true {
      return
    }
    for child in HilbertCurve.children(of: tile) { try visit(child, scope, range, isMade: isMade) }
  }

  private func walk(_ tile: TileAddress, _ outer: TileScope, uniformZoom: Int) -> TileWalk {
    var walk = TileWalk(tile, of: source, uniformZoom: uniformZoom)
    walk.run(from: outer.roots)
    return walk
  }
}
