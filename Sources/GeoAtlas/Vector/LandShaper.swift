import GeoProjection

/// Draws the lands of a tile: coast lines on the tile's grid, generalised and clipped.
struct LandShaper {
  private let tile: TileAddress
  private let engine: GeoProjectionEngine
  private var plan: [PlanPoint] = []
  private var clipper = RingClipper()
  let rectangle: TileRectangle

  /// The target distance between vertices of a coast line, in units of the grid: 4 of 512 pixels.
  private static let spacing: Int64 = 32
  /// The minimum number of vertices of a coast line: a corner and a middle for each side.
  private static let fewest = 8

  init(
    _ tile: TileAddress, by engine: GeoProjectionEngine,
    within rectangle: TileRectangle = TileAddress.shown
  ) {
    (self.tile, self.engine, self.rectangle) = (tile, engine, rectangle)
  }

  /// Draws the coast line of a folder: a ring that is not closed, clockwise on the screen; empty if
  /// the land is outside.
  ///
  /// Every second vertex is dropped, repeatedly, while the remaining ones are closer than a reader
  /// can see. O(vertices of the coast line).
  mutating func draw(
    _ folder: FolderPlace, coast: [PlanPoint]? = nil, into ring: inout [TilePoint]
  ) {
    if coast == nil { engine.planCoastline(of: folder, into: &plan) }
    let count = coast?.count ?? plan.count
    draw(coast, every: step(of: folder, vertices: count), of: count, into: &ring)
  }

  mutating func draw(
    _ coast: [PlanPoint]?, every step: Int, of count: Int, into ring: inout [TilePoint]
  ) {
    ring.removeAll(keepingCapacity: true)
    for index in stride(from: 0, to: count, by: step) {
      ring.append(tile.place(of: coast?[index] ?? engine.chart(plan[index])))
    }
    clipper.clip(&ring, to: rectangle)
    // The coast line runs counter-clockwise.
    ring.reverse()
  }

  /// The maximum distance between vertices of a cell's outline, in units of the grid.
  private static let followed: Int64 = 96
  private static let halvings = 26

  /// Draws the outline of a folder's cell, like a coast line. Its sides are curves on the chart,
  /// followed closely only near the tile.
  mutating func drawCell(_ folder: FolderPlace, into ring: inout [TilePoint]) {
    guard let cell = engine.planCell(of: folder) else {
      return ring.removeAll(keepingCapacity: true)
    }
    draw(outlineOf: cell, into: &ring)
  }

  mutating func draw(outlineOf quad: Quad, into ring: inout [TilePoint]) {
    ring.removeAll(keepingCapacity: true)
    let corners = [quad.q0, quad.q1, quad.q2, quad.q3]
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      let (from, to) = (tile.place(of: engine.chart(a)), tile.place(of: engine.chart(b)))
      ring.append(from)
      follow(a, from, b, to, Self.halvings, into: &ring)
    }
    clipper.clip(&ring, to: rectangle)
  }

  private func follow(
    _ a: PlanPoint, _ from: TilePoint, _ b: PlanPoint, _ to: TilePoint, _ halvings: Int,
    into ring: inout [TilePoint]
  ) {
    let length = max(abs(to.x - from.x), abs(to.y - from.y))
    if length <= Self.followed || halvings == 0 { return }
    // The curve leaves the straight line by less than a quarter of its length.
    let reach = TileRectangle(
      west: min(from.x, to.x) - length / 4, north: min(from.y, to.y) - length / 4,
      east: max(from.x, to.x) + length / 4, south: max(from.y, to.y) + length / 4)
    if !reach.meets(rectangle) { return }
    let middle = a.mid(b)
    let place = tile.place(of: engine.chart(middle))
    follow(a, from, middle, place, halvings - 1, into: &ring)
    ring.append(place)
    follow(middle, place, b, to, halvings - 1, into: &ring)
  }

  func step(of folder: FolderPlace, vertices: Int) -> Int {
    let breadth = folder.land.breadth >> Int64(tile.unitBits)
    var step = 1
    // The line is at least four times as long as the breadth.
    while vertices / (2 * step) >= Self.fewest,
      4 * breadth * Int64(step) < Self.spacing * Int64(vertices)
    {
      step *= 2
    }
    return step
  }
}

extension LandShaper {
  /// The share of a rectangle that a land or a cell covers, unless it is a part.
  enum Share {
    case nothing
    case all

    init?(of ring: [TilePoint], in rectangle: TileRectangle) {
      if ring.isEmpty {
        self = .nothing
      } else if RingClipper.isAll(ring, of: rectangle) {
        self = .all
      } else {
        return nil
      }
    }
  }

  /// The share that a land covers, at this zoom and all deeper ones; nil if the coast line crosses
  /// the rectangle. O(vertices of the coast line).
  mutating func share(of folder: FolderPlace, coast: [PlanPoint]) -> Share? {
    var ring: [TilePoint] = []
    var share: Share?
    var step = step(of: folder, vertices: coast.count)
    while step > 0 {
      draw(coast, every: step, of: coast.count, into: &ring)
      guard let found = Share(of: ring, in: rectangle), found == share ?? found else { return nil }
      share = found
      step /= 2
    }
    return share
  }

  /// The share that the cell of a folder covers; nil if its outline crosses the rectangle.
  mutating func shareOfCell(of folder: FolderPlace) -> Share? {
    var ring: [TilePoint] = []
    drawCell(folder, into: &ring)
    return Share(of: ring, in: rectangle)
  }
}
