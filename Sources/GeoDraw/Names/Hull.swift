import GeoCore

/// The convex hull of some points, counter-clockwise where y runs up.
package struct Hull: Sendable {
  package let points: [Point]

  /// By Andrew's monotone chain (1979).
  package init(_ all: [Point]) {
    let sorted = all.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    if sorted.count < 3 {
      points = sorted
      return
    }
    func half(_ all: some Sequence<Point>) -> [Point] {
      var chain: [Point] = []
      for p in all {
        while chain.count > 1 {
          let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
          if (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 1e-9 { break }
          chain.removeLast()
        }
        chain.append(p)
      }
      chain.removeLast()
      return chain
    }
    points = half(sorted) + half(sorted.reversed())
  }

  package func holds(_ point: Point) -> Bool {
    guard points.count > 2, var a = points.last else { return false }
    for b in points {
      if (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) < 0 { return false }
      a = b
    }
    return true
  }

  /// A rectangle around the hull: the angle of its longer side, its length and its breadth.
  struct Rectangle {
    var area, angle, length, breadth: Double
  }

  /// The smallest rectangle around the hull; nil for fewer than two distinct points.
  var rectangle: Rectangle? {
    var best: Rectangle?
    guard var a = points.last else { return nil }
    for b in points {
      defer { a = b }
      let length = a.distance(to: b)
      if length < 1e-9 { continue }
      let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length)
      var (u0, u1, v0, v1) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
      for p in points {
        let (u, v) = (p.x * ux + p.y * uy, p.y * ux - p.x * uy)
        (u0, u1, v0, v1) = (min(u0, u), max(u1, u), min(v0, v), max(v1, v))
      }
      let area = (u1 - u0) * (v1 - v0)
      if let best, area >= best.area { continue }
      let isAlong = u1 - u0 >= v1 - v0
      best = Rectangle(
        area: area, angle: Trigonometry.angle(y: uy, x: ux) + (isAlong ? 0 : .pi / 2),
        length: max(u1 - u0, v1 - v0), breadth: min(u1 - u0, v1 - v0))
    }
    return best
  }

  /// The middle of the hull's cross-section at a distance along an axis; nil outside of the hull.
  func chordMiddle(_ ux: Double, _ uy: Double, at distance: Double) -> Double? {
    guard var from = points.last else { return nil }
    var (low, high) = (Double.infinity, -Double.infinity)
    for to in points {
      defer { from = to }
      let (a, b) = (from.x * ux + from.y * uy, to.x * ux + to.y * uy)
      if (a - distance) * (b - distance) > 0 || a == b { continue }
      let t = (distance - a) / (b - a)
      let (x, y) = (from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t)
      let v = y * ux - x * uy
      (low, high) = (min(low, v), max(high, v))
    }
    return low > high ? nil : (low + high) / 2
  }
}
