/// Clips rings to a rectangle, by the method of Sutherland and Hodgman.
///
/// A ring that leaves and comes back several times becomes one ring that runs along the edge in
/// between; those parts are in the buffer, where no border is drawn.
struct RingClipper {
  private var input: [TilePoint] = []
  private var output: [TilePoint] = []

  private struct Edge {
    let limit: Int64
    let isVertical: Bool
    /// 1 if the greater coordinates are inside, else −1.
    let sign: Int64

    func holds(_ point: TilePoint) -> Bool {
      sign * (isVertical ? point.x : point.y) >= sign * limit
    }
  }

  /// Replaces a ring, which is not closed, by its part in the rectangle, without repeated vertices;
  /// empty if that has no area. O(vertices).
  mutating func clip(_ ring: inout [TilePoint], to rectangle: TileRectangle) {
    guard let box = TileRectangle(around: ring), box.meets(rectangle) else {
      return ring.removeAll(keepingCapacity: true)
    }
    if !rectangle.contains(box) {
      swap(&ring, &input)
      for edge in [
        Edge(limit: rectangle.west, isVertical: true, sign: 1),
        Edge(limit: rectangle.east, isVertical: true, sign: -1),
        Edge(limit: rectangle.north, isVertical: false, sign: 1),
        Edge(limit: rectangle.south, isVertical: false, sign: -1),
      ] {
        cut(at: edge)
        swap(&input, &output)
      }
      swap(&ring, &input)
    }
    Self.tidy(&ring, in: rectangle)
  }

  private mutating func cut(at edge: Edge) {
    output.removeAll(keepingCapacity: true)
    guard var previous = input.last else { return }
    var wasInside = edge.holds(previous)
    for point in input {
      let inside = edge.holds(point)
      if inside != wasInside { output.append(Self.crossing(previous, point, edge)) }
      if inside { output.append(point) }
      previous = point
      wasInside = inside
    }
  }

  /// The point where the line between two points crosses an edge. Coordinates have at most 43 bits,
  /// so doubles are exact, and the result is within a unit.
  private static func crossing(
    _ a: TilePoint, _ b: TilePoint, _ edge: Edge
  ) -> TilePoint {
    func along(_ from: Int64, _ to: Int64, _ start: Int64, _ end: Int64) -> Int64 {
      let fraction = Double(edge.limit - from) / Double(to - from)
      return Int64((Double(start) + fraction * Double(end - start) + 0.5).rounded(.down))
    }
    return edge.isVertical
      ? TilePoint(x: edge.limit, y: along(a.x, b.x, a.y, b.y))
      : TilePoint(x: along(a.y, b.y, a.x, b.x), y: edge.limit)
  }

  /// Removes repeated vertices, and all vertices of a ring without area. A ring around the whole
  /// rectangle becomes its four corners, so that tiles inside one land are equal, wherever its line
  /// begins.
  private static func tidy(_ ring: inout [TilePoint], in rectangle: TileRectangle) {
    var kept = 0
    for index in ring.indices where kept == 0 || ring[index] != ring[kept - 1] {
      ring[kept] = ring[index]
      kept += 1
    }
    while kept > 1, ring[kept - 1] == ring[0] { kept -= 1 }
    ring.removeLast(ring.count - kept)
    let area = doubledArea(of: ring)
    if area == 0 { return ring.removeAll(keepingCapacity: true) }
    guard abs(area) == rectangle.doubledArea else { return }
    ring.removeAll(keepingCapacity: true)
    ring.append(TilePoint(x: rectangle.west, y: rectangle.north))
    ring.append(TilePoint(x: rectangle.east, y: rectangle.north))
    ring.append(TilePoint(x: rectangle.east, y: rectangle.south))
    ring.append(TilePoint(x: rectangle.west, y: rectangle.south))
    if area < 0 { ring.reverse() }
  }

  static func isAll(_ ring: [TilePoint], of rectangle: TileRectangle) -> Bool {
    abs(doubledArea(of: ring)) == rectangle.doubledArea
  }

  /// Twice the area by the shoelace formula; positive if the ring runs clockwise on the screen, as
  /// y runs south.
  static func doubledArea(of ring: [TilePoint]) -> Int64 {
    guard var previous = ring.last else { return 0 }
    var sum: Int64 = 0
    for point in ring {
      // After clipping: 14 bits each.
      sum &+= previous.x &* point.y &- point.x &* previous.y
      previous = point
    }
    return sum
  }
}

extension TileRectangle {
  fileprivate var doubledArea: Int64 { 2 * (east - west) * (south - north) }
}
