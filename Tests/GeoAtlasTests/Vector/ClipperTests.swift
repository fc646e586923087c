import TestSupport
import Testing

@testable import GeoAtlas

/// The clipped ring covers what the whole ring covers in the rectangle.
@Suite struct ClipperTests {
  private let rectangle = TileRectangle(west: -10, north: -10, east: 90, south: 90)

  /// A star-shaped ring around a centre, simple but not convex.
  private func star(_ generator: inout SeededGenerator) -> [TilePoint] {
    let centre = (generator.number(in: -150...230), generator.number(in: -150...230))
    let steps = generator.number(in: 2...12)
    // Around the four sides of a square, with each vertex at a random distance.
    var ring: [TilePoint] = []
    for side in 0..<4 {
      for step in 0..<steps {
        let along = 2 * Double(step) / Double(steps) - 1
        let (x, y) = [(along, -1.0), (1.0, along), (-along, 1.0), (-1.0, -along)][side]
        let reach = Double(generator.number(in: 15...200))
        ring.append(
          TilePoint(
            x: Int64(centre.0) + Int64(x * reach), y: Int64(centre.1) + Int64(y * reach)))
      }
    }
    return ring
  }

  private func covers(_ ring: [TilePoint], x: Double, y: Double) -> Bool {
    var isInside = false
    guard var before = ring.last else { return false }
    for point in ring {
      let (y0, y1) = (Double(before.y), Double(point.y))
      if (y1 > y) != (y0 > y) {
        let part = (y - y0) / (y1 - y0)
        if x < Double(before.x) + part * Double(point.x - before.x) { isInside.toggle() }
      }
      before = point
    }
    return isInside
  }

  /// The distance from a point to the nearest edge.
  private func distance(_ ring: [TilePoint], x: Double, y: Double) -> Double {
    guard var before = ring.last else { return .infinity }
    var least = Double.infinity
    for point in ring {
      let (dx, dy) = (Double(point.x - before.x), Double(point.y - before.y))
      let (px, py) = (x - Double(before.x), y - Double(before.y))
      let length = dx * dx + dy * dy
      let part = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
      let (ex, ey) = (px - part * dx, py - part * dy)
      least = min(least, (ex * ex + ey * ey).squareRoot())
      before = point
    }
    return least
  }

  @Test func clippedRingsCoverTheSameArea() throws {
    let property = Property<[TilePoint]>("clip") {
      star(&$0)
    } fault: { ring in
      var clipped = ring
      var clipper = RingClipper()
      clipper.clip(&clipped, to: rectangle)
      for point in clipped where !rectangle.contains(point) { return "\(point) lies outside" }
      for (a, b) in zip(clipped, clipped.dropFirst() + clipped.prefix(1)) where a == b {
        return "\(a) is doubled"
      }
      let sign = RingClipper.doubledArea(of: ring).signum()
      if !clipped.isEmpty, RingClipper.doubledArea(of: clipped).signum() != sign {
        return "it runs the other way round"
      }
      for x in stride(from: -9.5, to: 90, by: 7.3) {
        for y in stride(from: -9.5, to: 90, by: 7.3) where distance(ring, x: x, y: y) > 2 {
          if covers(ring, x: x, y: y) != covers(clipped, x: x, y: y) {
            return "(\(x), \(y)) is covered by one alone: \(clipped)"
          }
        }
      }
      return nil
    }
    let found = try property.counterexample(cases: 150)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }

  @Test func ringsInsideStayUnchanged() {
    let ring = [TilePoint(x: 0, y: 0), TilePoint(x: 50, y: 0), TilePoint(x: 0, y: 50)]
    var clipped = ring
    var clipper = RingClipper()
    clipper.clip(&clipped, to: rectangle)
    #expect(clipped == ring)
  }

  @Test func ringsAroundBecomeTheRectangle() {
    var ring = [
      TilePoint(x: -500, y: -500), TilePoint(x: 500, y: -500), TilePoint(x: 500, y: 500),
      TilePoint(x: -500, y: 500),
    ]
    var clipper = RingClipper()
    clipper.clip(&ring, to: rectangle)
    #expect(RingClipper.doubledArea(of: ring) == 2 * 100 * 100)
  }

  @Test func tilesHaveAnAddressWithinTheirZoom() {
    #expect(TileAddress(zoom: 0, x: 0, y: 0) != nil)
    #expect(TileAddress(zoom: 30, x: 1 << 30 - 1, y: 0) != nil)
    #expect(TileAddress(zoom: 31, x: 0, y: 0) == nil)
    #expect(TileAddress(zoom: 3, x: 8, y: 0) == nil)
    #expect(TileAddress(zoom: 3, x: 0, y: -1) == nil)
  }

  @Test func gridPointsRoundTrip() throws {
    let tile = try #require(TileAddress(zoom: 30, x: 999_999_999, y: 123_456))
    for (x, y) in [(0, 0), (4095, 17), (-64, 4160)] as [(Int64, Int64)] {
      #expect(tile.place(of: tile.point(at: TilePoint(x: x, y: y))) == TilePoint(x: x, y: y))
    }
  }
}
