import GeoProjection

/// Draws the lands of a tile: coast lines on the tile's grid, generalised and cut off.
struct LandShaper {
  private let tile: TileAddress
  private let engine: GeoProjectionEngine
  private var plan: [PlanPoint] = []
  private var clipper = RingClipper()
  /// What is kept of all that is drawn.
  let rectangle: TileRectangle

  /// How far apart the vertices of a coast line should be, in units of the grid: 4 of 512 pixels.
  private static let spacing: Int64 = 32
  /// The fewest vertices that a coast line is reduced to: a corner and a middle for each side.
  private static let fewest = 8

  /// - Parameter rectangle: What is kept of all that is drawn.
  init(
    _ tile: TileAddress, by engine: GeoProjectionEngine,
    within rectangle: TileRectangle = TileAddress.shown
  ) {
    self.tile = tile
    self.engine = engine
    self.rectangle = rectangle
  }

  /// The coast line of a folder on the tile's grid, with the buffer around it.
  ///
  /// A coarser picture of a coast line takes every second of its vertices; that is done as long as
  /// those that are left stand closer than a reader can tell.
  ///
  /// - Parameters:
  ///   - folder: A folder that owns land.
  ///   - coast: Its coast line, charted, if that is known.
  ///   - ring: Replaced by the ring, not closed, clockwise as it is seen; by nothing if the land
  ///     lies elsewhere.
  /// - Complexity: O(vertices of the coast line).
  mutating func draw(
    _ folder: FolderPlace, coast: [PlanPoint]? = nil, into ring: inout [TilePoint]
  ) {
    if coast == nil { engine.planCoastline(of: folder, into: &plan) }
    let count = coast?.count ?? plan.count
    draw(coast, every: step(of: folder, vertices: count), of: count, into: &ring)
  }

  /// The same with one of so many vertices of the coast line, or of the one that was planned last.
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

  /// How far apart the vertices of a cell's outline are at most, in units of the grid.
  private static let followed: Int64 = 96
  /// How often a side is halved at most.
  private static let halvings = 26

  /// The outline of the cell of a folder on the tile's grid, with the buffer around it.
  ///
  /// Its sides are curves on the chart: what is near the tile is followed closely, the rest is not.
  ///
  /// - Parameters:
  ///   - folder: A folder that owns land.
  ///   - ring: Replaced by the outline, like a coast line.
  /// - Complexity: O(vertices of the outline).
  mutating func drawCell(_ folder: FolderPlace, into ring: inout [TilePoint]) {
    guard let cell = engine.planCell(of: folder) else {
      return ring.removeAll(keepingCapacity: true)
    }
    draw(outlineOf: cell, into: &ring)
  }

  /// The outline of a part of the plan on the tile's grid, with the buffer around it.
  ///
  /// - Parameters:
  ///   - quad: The part.
  ///   - ring: Replaced by the outline, like a coast line.
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

  /// Adds what lies between two points of a cell's side.
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

  /// Of how many vertices of a coast line one is taken.
  func step(of folder: FolderPlace, vertices: Int) -> Int {
    let breadth = folder.land.breadth >> Int64(tile.unitBits)
    var step = 1
    // The length of the line is at least four times the breadth.
    while vertices / (2 * step) >= Self.fewest,
      4 * breadth * Int64(step) < Self.spacing * Int64(vertices)
    {
      step *= 2
    }
    return step
  }
}
