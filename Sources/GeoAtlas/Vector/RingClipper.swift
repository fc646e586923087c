/// Clips rings to a rectangle, by the method of Sutherland and Hodgman.
///
/// A ring that leaves and comes back several times becomes one ring that runs along the edge in
/// between; those parts are in the buffer, where no border is drawn.
struct RingClipper {
  private var input: [TilePoint] = []
  private var output: [TilePoint] = []

  private enum Edge: CaseIterable {
    case west, east, north, south
  }

  /// Replaces a ring, which is not closed, by its part in the rectangle, without repeated vertices;
  /// empty if that has no area. O(vertices).
  mutating func clip(_ ring: inout [TilePoint], to rectangle: TileRectangle) {
    guard let box = TileRectangle(around: ring), box.meets(rectangle) else {
      return ring.removeAll(keepingCapacity: true)
    }
    if !rectangle.contains(box) {
      swap(&ring, &input)
      for edge in Edge.allCases {
        cut(at: edge, of: rectangle)
        swap(&input, &output)
      }
      swap(&ring, &input)
    }
    Self.tidy(&ring, in: rectangle)
  }

  private mutating func cut(at edge: Edge, of rectangle: TileRectangle) {
    output.removeAll(keepingCapacity: true)
    guard var previous = input.last else { return }
    var wasInside = Self.isInside(previous, edge, rectangle)
    for point in input {
      let inside = Self.isInside(point, edge, rectangle)
      if inside != wasInside { output.append(Self.crossing(previous, point, edge, rectangle)) }
      if inside { output.append(point) }
      previous = point
      wasInside = inside
    }
  }

  private static func isInside(
    _ point: TilePoint, _ edge: Edge, _ rectangle: TileRectangle
  ) -> Bool {
    switch edge {
    case .west: point.x >= rectangle.west
    case .east: point.x <= rectangle.east
    case .north: point.y >= rectangle.north
    case .south: point.y <= rectangle.south
    }
  }

  /// The point where the line between two points crosses an edge. Coordinates have at most 43 bits,
  /// so doubles are exact, and the result is within a unit.
  private static func crossing(
    _ a: TilePoint, _ b: TilePoint, _ edge: Edge, _ rectangle: TileRectangle
  ) -> TilePoint {
    func along(_ from: Int64, _ to: Int64, at: Int64, _ start: Int64, _ end: Int64) -> Int64 {
      let fraction = Double(at - from) / Double(to - from)
      return Int64((Double(start) + fraction * Double(end - start) + 0.5).rounded(.down))
    }
    switch edge {
    case .west, .east:
      let x = edge == .west ? rectangle.west : rectangle.east
      return TilePoint(x: x, y: along(a.x, b.x, at: x, a.y, b.y))
    case .north, .south:
      let y = edge == .north ? rectangle.north : rectangle.south
      return TilePoint(x: along(a.y, b.y, at: y, a.x, b.x), y: y)
    }
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
