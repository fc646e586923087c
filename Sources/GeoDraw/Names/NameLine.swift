import GeoCore

/// The line that a name follows through a land: a parabola along the land's long axis.
package struct NameLine: Sendable, Hashable {
  /// The middle of the straight line between its ends.
  package var middle: Point
  /// Its direction in radians.
  package var angle: Double
  package var length: Double
  /// The distance between the parabola's middle and the chord's.
  package var sag: Double
  package var chord: Double
  package var breadth: Double

  /// The largest total bend of a name in degrees, by the land's ratio of length to breadth.
  static func maximumBend(ratio: Double, isContinent: Bool) -> Double {
    if isContinent { return 52 }
    return ratio < 1.3 ? 16 : 30
  }

  /// Fits the line to the middles of a land's cross-sections at 12, 50 and 88 % of its long axis,
  /// to be read from left to right; nil for a land without extent.
  package init?(through hull: Hull, isContinent: Bool) {
    guard let rectangle = hull.rectangle, rectangle.breadth >= 1 else { return nil }
    var angle = rectangle.angle
    let ratio = rectangle.length / rectangle.breadth
    let half = Double.pi / 2
    while angle > half + 0.01 { angle -= .pi }
    while angle <= -half + 0.01 { angle += .pi }
    // Nearly square lands get the axis that is closer to level.
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
    let bend = Self.maximumBend(ratio: ratio, isContinent: isContinent)
    let maximum = bend * .pi / 180 * chord / 8
    let sag = (second - (first + last) / 2) * Trigonometry.cosine(tilt)
    let (u, v) = (low + length / 2, (first + last) / 2)
    middle = Point(u * ux - v * uy, u * uy + v * ux)
    self.angle = angle + tilt
    self.length = length
    self.sag = max(-maximum, min(maximum, sag))
    self.chord = chord
    breadth = rectangle.breadth
  }

  /// The angle in radians up to which letters are as good as level.
  static let level = 0.2

  var isLevel: Bool {
    abs(angle) <= Self.level && abs(8 * sag / max(chord, 1)) <= 2 * Self.level
  }

  /// A level line through the middle of a land; nil for a land without extent.
  init?(across hull: Hull) {
    guard let box = Box(around: hull.points), box.height >= 1,
      let middle = hull.chordMiddle(0, 1, at: box.middle.y)
    else { return nil }
    // Its direction is that of a line that runs down.
    self.middle = Point(-middle, box.middle.y)
    (angle, length, sag, chord) = (0, box.width, 0, max(box.width, 1))
    breadth = box.height
  }

  func point(at distance: Double, aside: Double) -> (point: Point, angle: Double) {
    // v = sag·(1 − (2u/c)²). The curve is a little longer than its chord, which is neglected.
    let fraction = (2 * distance) / chord
    let v = sag * (1 - fraction * fraction) + aside
    // The slope of −4·sag·fraction/chord.
    let turn = Trigonometry.angle(y: -4 * sag * fraction / chord, x: 1)
    let (ux, uy) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
    return (
      Point(middle.x + distance * ux - v * uy, middle.y + distance * uy + v * ux), angle + turn
    )
  }
}

package struct PlacedLetter: Sendable {
  /// The middle of its box.
  package var point: Point
  package var angle: Double
  package var corners: [Point]

  /// The box with sides parallel to the axes around the letter's own.
  package var box: Box {
    Box(around: corners) ?? Box(left: point.x, top: point.y, right: point.x, bottom: point.y)
  }

  init(at point: Point, angle: Double, width: Double, size: Double) {
    self.point = point
    self.angle = angle
    let (ux, uy) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
    let (hw, hh) = (width / 2 + 0.5, size * 0.42)
    corners = [(-hw, -hh), (hw, -hh), (hw, hh), (-hw, hh)].map { (u, v) in
      Point(point.x + u * ux - v * uy, point.y + u * uy + v * ux)
    }
  }
}
