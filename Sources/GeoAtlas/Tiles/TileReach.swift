import GeoProjection

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
