import GeoProjection

/// Draws the lands of a tile: coast lines on the tile's grid, generalised and cut off.
struct LandShaper {
  private let tile: TileAddress
  private let engine: GeoProjectionEngine
  private var plan: [PlanPoint] = []
  private var clipper = RingClipper()

  /// How far apart the vertices of a coast line should be, in units of the grid: 4 of 512 pixels.
  private static let spacing: Int64 = 32
  /// The fewest vertices that a coast line is reduced to: a corner and a middle for each side.
  private static let fewest = 8

  init(_ tile: TileAddress, by engine: GeoProjectionEngine) {
    self.tile = tile
    self.engine = engine
  }

  /// The coast line of a folder on the tile's grid, with the buffer around it.
  ///
  /// A coarser picture of a coast line takes every second of its vertices; that is done as long as
  /// those that are left stand closer than a reader can tell.
  ///
  /// - Parameters:
  ///   - folder: A folder that owns land.
  ///   - ring: Replaced by the ring, not closed, clockwise as it is seen; by nothing if the land
  ///     lies elsewhere.
  /// - Complexity: O(vertices of the coast line).
  mutating func draw(_ folder: FolderPlace, into ring: inout [TilePoint]) {
    engine.planCoastline(of: folder, into: &plan)
    ring.removeAll(keepingCapacity: true)
    let step = Self.step(
      vertices: plan.count, breadth: folder.land.breadth >> Int64(tile.unitBits))
    for index in stride(from: 0, to: plan.count, by: step) {
      ring.append(tile.place(of: engine.chart(plan[index])))
    }
    clipper.clip(&ring, to: TileAddress.shown)
    // The coast line runs counter-clockwise.
    ring.reverse()
  }

  /// Which vertices to take.
  ///
  /// - Parameter breadth: How wide the land is, in units of the grid.
  private static func step(vertices: Int, breadth: Int64) -> Int {
    var step = 1
    // The length of the line is at least four times the breadth.
    while vertices / (2 * step) >= fewest,
      4 * breadth * Int64(step) < spacing * Int64(vertices)
    {
      step *= 2
    }
    return step
  }
}
