extension GeoProjectionEngine {
  /// Where a folder's label belongs: the charted centre of its territory, or the place in a city of
  /// a folder without land.
  public func coordinate(of folder: FolderPlace) -> Coordinate {
    Degrees(digits: folder.digits).coordinate(chart(planCentre(of: folder)))
  }

  /// The same point before it is charted.
  package func planCentre(of folder: FolderPlace) -> PlanPoint {
    if folder.isLanded { return folder.land.centre }
    return Frame(folder.land).point(of: folder.seed)
  }

  /// How many vertices the coast line of a folder with land has, at a depth.
  package static func coastCount(atDepth depth: Int32) -> Int { Coastline.count(atDepth: depth) }

  /// The coast line of a folder: a simple ring, counter-clockwise, not closed.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - ring: Replaced by 256, 128, 64 or 32 vertices at depth 0, 1, 2 or 3, by 16 below, and by
  ///     none for a folder without land.
  /// - Complexity: O(vertices), two to three dozen nanoseconds each.
  public func coastline(of folder: FolderPlace, into ring: inout [Coordinate]) {
    guard folder.isLanded else { return ring.removeAll(keepingCapacity: true) }
    Coastline(territory: folder.land, seed: folder.seed, depth: folder.depth).draw(into: &ring)
    let degrees = Degrees(digits: folder.digits)
    var span = ring.mutableSpan
    for first in stride(from: 0, to: span.count, by: 4) {
      var four = FourPoints(span[first], span[first + 1], span[first + 2], span[first + 3])
      chart.chart(&four)
      (span[first], span[first + 1], span[first + 2], span[first + 3]) =
        degrees.coordinates(four)
    }
  }

  /// The coast line on the plan, before it is charted.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - ring: Replaced by the vertices, as many as the coast line has.
  public func planCoastline(of folder: FolderPlace, into ring: inout [PlanPoint]) {
    ring.removeAll(keepingCapacity: true)
    guard folder.isLanded else { return }
    var vertices: [Coordinate] = []
    Coastline(territory: folder.land, seed: folder.seed, depth: folder.depth)
      .draw(into: &vertices)
    for vertex in vertices {
      ring.append(PlanPoint(x: vertex.longitude, y: vertex.latitude))
    }
  }

  /// The outline of the cell that a folder was given, of which its land leaves a strip on all sides.
  ///
  /// Cells of siblings adjoin where their lands are neighbours, and are cut out of what their parent
  /// has to give: a drawing that fills them leaves no gaps. The corners are those of the territory
  /// moved out again, exact but for a few units of the plan.
  ///
  /// - Returns: The cell on the plan, before it is charted; nil for a folder without land.
  public func planCell(of folder: FolderPlace) -> Quad? {
    folder.isLanded ? Ground.cell(around: folder.land) : nil
  }

  /// The outline of a folder's cell on the map, for drawings without gaps; see ``planCell(of:)``.
  ///
  /// Its sides are curves there, which are followed by a quarter as many points as the coast line has.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - ring: Replaced by the outline, counter-clockwise, not closed; by nothing for a folder without
  ///     land.
  /// - Complexity: O(vertices).
  public func cellOutline(of folder: FolderPlace, into ring: inout [Coordinate]) {
    ring.removeAll(keepingCapacity: true)
    guard let cell = planCell(of: folder) else { return }
    let steps = Int64(max(1, Self.coastCount(atDepth: folder.depth) / 16))
    ring = outline(of: cell, steps: steps, Degrees(digits: folder.digits))
  }

  /// The outline of a part of the plan, counter-clockwise, not closed.
  ///
  /// - Parameter steps: By how many straight pieces a side is followed.
  func outline(of quad: Quad, steps: Int64, _ degrees: Degrees) -> [Coordinate] {
    var ring: [Coordinate] = []
    ring.reserveCapacity(4 * Int(steps))
    // The corners run clockwise on the map.
    let corners = [quad.q3, quad.q2, quad.q1, quad.q0]
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      for step in 0..<steps {
        let point = PlanPoint(
          x: Self.part(step, of: steps, from: a.x, to: b.x),
          y: Self.part(step, of: steps, from: a.y, to: b.y))
        ring.append(degrees.coordinate(chart(point)))
      }
    }
    return ring
  }

  /// A number so many steps on the way from one to another, of which there are few; lengths on the plan
  /// have 62 bits.
  private static func part(_ step: Int64, of steps: Int64, from a: Int64, to b: Int64) -> Int64 {
    let (whole, rest) = (b - a).quotientAndRemainder(dividingBy: steps)
    return a + whole * step + rest * step / steps
  }
}
