import GeoProjection

struct TileReach {
  let tile: TileAddress
  var zoom: Int { tile.zoom }
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

  func mayMeetFiles(of folder: TileContents) -> Bool {
    folder.quads.contains { $0.map(mayMeet) ?? false }
  }

  /// The number of files of a folder from which on they are separated before they are visible:
  /// else each tile of the zoom where that happens would look through all of them.
  private static let manyFiles = 256

  /// The indices of a folder's files that may be shown in this tile or within it; nil if they
  /// aren't told apart yet.
  func files(_ entry: TileScope.Entry, of folder: TileContents) -> [Int32]? {
    if entry.files?.isEmpty == true || !mayMeetFiles(of: folder) { return [] }
    if entry.files == nil, folder.listing.files.count < Self.manyFiles { return nil }
    return shown(entry, of: folder)
  }

  func shown(_ entry: TileScope.Entry, of folder: TileContents) -> [Int32] {
    if entry.files?.isEmpty == true { return [] }
    let spots = folder.spots
    func isShown(_ index: Int32) -> Bool {
      TileAddress.shown.contains(tile.place(of: spots[Int(index)]))
    }
    return entry.files?.filter(isShown) ?? (0..<Int32(spots.count)).filter(isShown)
  }
}
