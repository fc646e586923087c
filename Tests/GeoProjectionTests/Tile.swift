import GeoProjection

/// A tile of the map, and the nodes it shows.
struct Tile {
  /// A node's bounding box in units of the world, and its minzoom.
  private struct Seen {
    var box: Box<Int64>
    var minzoom: Int
  }

  private var zoom: Int
  private var x: Int64
  private var y: Int64

  /// The tile with the most nodes, at any zoom.
  ///
  /// Tiles whose candidates can't exceed the maximum so far are skipped. Bounding boxes are
  /// counted, which are at least as many as the rings.
  static func mostCrowded(_ world: World) -> (count: Int, zoom: Int) {
    let seen = world.nodes.map { node in
      let plan = node.isLanded ? world.planRing(node) : [node.plan]
      let points = plan.map { IntegerPoint(world.engine.chart($0)) }
      return Seen(box: Box(points), minzoom: Int(node.minzoom))
    }
    var most = (count: 0, zoom: 0)
    Tile(zoom: 0, x: 0, y: 0).search(seen, &most)
    return most
  }

  private func search(_ candidates: [Seen], _ most: inout (count: Int, zoom: Int)) {
    let count = candidates.count { $0.minzoom <= zoom }
    if count > most.count { most = (count, zoom) }
    if zoom == 60 || candidates.count <= most.count { return }
    var quarters: [(Tile, [Seen])] = []
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] as [(Int64, Int64)] {
      let tile = Tile(zoom: zoom + 1, x: 2 * x + dx, y: 2 * y + dy)
      quarters.append((tile, candidates.filter(tile.shows)))
    }
    quarters.sort { $0.1.count > $1.1.count }
    for (tile, rest) in quarters where rest.count > most.count { tile.search(rest, &most) }
  }

  private func shows(_ node: Seen) -> Bool {
    let size: Int64 = 1 << Int64(62 - zoom)
    // North is up for these points: y runs from 0 down to −2^62.
    return node.box.west < (x + 1) * size && node.box.east >= x * size
      && -node.box.north < (y + 1) * size && -node.box.south >= y * size
  }
}
