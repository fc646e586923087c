import GeoCore

/// The line that a name follows through a land: a parabola over the land's long axis.
package struct NameLine: Sendable, Hashable {
  /// Its middle, were it straight.
  package var middle: Point
  /// Its direction in radians.
  package var angle: Double
  /// How long it may be.
  package var length: Double
  /// How far the middle lies beside the straight line between the ends.
  package var sag: Double
  /// The length of that straight line.
  package var chord: Double
  /// How broad the land is across.
  package var breadth: Double

  /// How far a name may bend in all, in degrees, for a land so much longer than it is broad.
  static func mostBend(ratio: Double, isContinent: Bool) -> Double {
    if isContinent { return 52 }
    return ratio < 1.3 ? 16 : 30
  }

  /// The line through a land by the middles of the chords at 12, 50 and 88 % of its long axis, read
  /// from left to right; nil for a land without extent.
  package init?(through hull: Hull, isContinent: Bool) {
    guard let rectangle = hull.rectangle, rectangle.breadth >= 1 else { return nil }
    var angle = rectangle.angle
    let ratio = rectangle.length / rectangle.breadth
    let half = Double.pi / 2
    while angle > half + 0.01 { angle -= .pi }
    while angle <= -half + 0.01 { angle += .pi }
    // Nearly square lands read level.
    if ratio < 1.25 {
      while angle > .pi / 4 { angle -= half }
      while angle < -.pi / 4 { angle += half }
    }
    let (ux, uy) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
    var (low, high) = (Double.infinity, -Double.infinity)
    for point in hull.points {
      let u = point.x * ux + point.y * uy
      (low, high) = (min(low, u), max(high, u))
    }
    let length = high - low
    guard let first = hull.chordMiddle(ux, uy, at: low + 0.12 * length),
      let second = hull.chordMiddle(ux, uy, at: low + 0.5 * length),
      let last = hull.chordMiddle(ux, uy, at: low + 0.88 * length)
    else { return nil }
    let tilt = Trigonometry.angle(y: last - first, x: 0.76 * length)
    // A parabola with a sag of s over a chord c turns by about 8s/c from end to end.
    let chord = 0.76 * length / Trigonometry.cosine(tilt)
    let bend = Self.mostBend(ratio: ratio, isContinent: isContinent)
    let most = bend * .pi / 180 * chord / 8
    let sag = (second - (first + last) / 2) * Trigonometry.cosine(tilt)
    let (u, v) = (low + length / 2, (first + last) / 2)
    middle = Point(u * ux - v * uy, u * uy + v * ux)
    self.angle = angle + tilt
    self.length = length
    self.sag = max(-most, min(most, sag))
    self.chord = chord
    breadth = rectangle.breadth
  }

  /// The point and direction at a distance from the middle, moved aside by an offset.
  func point(at distance: Double, aside: Double) -> (point: Point, angle: Double) {
    // v = sag·(1 − (2u/c)²): the curve takes little more way than its chord, which is let pass.
    let part = (2 * distance) / chord
    let v = sag * (1 - part * part) + aside
    // The slope of −4·sag·part/chord.
    let turn = Trigonometry.angle(y: -4 * sag * part / chord, x: 1)
    let (ux, uy) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
    return (
      Point(middle.x + distance * ux - v * uy, middle.y + distance * uy + v * ux), angle + turn
    )
  }
}

/// The smallest convex polygon around some points, counter-clockwise where y runs up.
package struct Hull: Sendable {
  package let points: [Point]

  /// By Andrew's monotone chain (1979).
  ///
  /// - Complexity: O(n log n).
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

  /// Whether it holds a point.
  package func holds(_ point: Point) -> Bool {
    guard points.count > 2, var a = points.last else { return false }
    for b in points {
      if (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) < 0 { return false }
      a = b
    }
    return true
  }

  /// The smallest rectangle around it: the angle of its longer side, its length and its breadth.
  struct Rectangle {
    var area: Double
    var angle: Double
    var length: Double
    var breadth: Double
  }

  /// - Complexity: O(n²) for n vertices.
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

  /// The middle of the chord across it at a distance along an axis; nil where there is none.
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
