import GeoCore

/// The line that a name follows through a land: a parabola along the land's long axis.
package struct NameLine: Sendable, Hashable {
  /// The middle of the straight line between its ends.
  package var middle: Point
  /// Its direction in radians.
  package var angle: Double
  /// The length of the land along the line.
  package var length: Double
  /// The distance between the parabola's middle and the chord's.
  package var sag: Double
  /// The length of the chord that the sag belongs to.
  package var chord: Double
  /// The breadth of the land.
  package var breadth: Double

  /// The largest total bend of a name in degrees, by the land's ratio of length to breadth.
  static func mostBend(ratio: Double, isContinent: Bool) -> Double {
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
    // v = sag·(1 − (2u/c)²). The curve is a little longer than its chord, which is neglected.
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

/// The convex hull of some points, counter-clockwise where y runs up.
package struct Hull: Sendable {
  package let points: [Point]

  /// Computes the hull by Andrew's monotone chain (1979).
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

  /// Whether a point is in the hull or on its edge.
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
    var area: Double
    var angle: Double
    var length: Double
    var breadth: Double
  }

  /// The smallest rectangle around the hull; nil for fewer than two distinct points.
  ///
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

/// A placed letter of a name.
package struct PlacedLetter: Sendable {
  /// The middle of its box.
  package var point: Point
  /// Its direction in radians.
  package var angle: Double
  /// The corners of its box.
  package var corners: [Point]

  /// The box with sides parallel to the axes around the letter's own.
  package var box: Box {
    Box(around: corners) ?? Box(left: point.x, top: point.y, right: point.x, bottom: point.y)
  }

  /// A letter at a point, with the width and size in units.
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

/// The placed letters of a name along a line through a land.
package struct PlacedLetters: Sendable {
  package var size: Double
  /// The space between letters, in multiples of the size.
  package var track: Double
  package var letters: [PlacedLetter]
  /// The offset of the letters across the line, in units.
  package var aside: Double
  /// The offset of their middle along the line, in units.
  package var middle: Double

  /// The offsets of letters across the line, in multiples of the size, in the order to try.
  package static let asides = [0, -0.7, 0.7, -1.5, 1.5, -2.4, 2.4]
  private static let alongs = [0, -0.25, 0.25, -0.45, 0.45]

  /// Finds room for a name; nil if it doesn't fit.
  ///
  /// - Parameters:
  ///   - widths: The letters' widths at a size of 1.
  ///   - sizes: In the order to try.
  ///   - tracks: Spaces between letters, in multiples of the size, in the order to try.
  ///   - asides: Offsets across the line, in multiples of the size, in the order to try.
  ///   - middle: The offset of the name's middle along the line, in units; nil to try several.
  ///   - isFree: Whether a letter's place is free.
  package init?(
    in hull: Hull, along line: NameLine, widths: [Double], sizes: [Double], tracks: [Double],
    asides: [Double] = Self.asides, middle: Double? = nil, isFree: (PlacedLetter) -> Bool
  ) {
    let sum = widths.reduce(0, +)
    for size in sizes where size * 1.05 <= line.breadth {
      for track in tracks {
        let length = size * (sum + track * Double(widths.count - 1))
        if length > line.length * 0.94 { continue }
        let slack = line.length * 0.9 - length
        for aside in asides {
          for along in slack > size && middle == nil ? Self.alongs : [0] {
            let middle = middle ?? along * slack
            let placed = Self.letters(
              in: hull, along: line, widths, size: size, track: track,
              from: middle - length / 2, aside: aside * size, isFree)
            if let placed {
              self.size = size
              self.track = track
              letters = placed
              self.aside = aside * size
              self.middle = middle
              return
            }
          }
        }
      }
    }
    return nil
  }

  private static func letters(
    in hull: Hull, along line: NameLine, _ widths: [Double], size: Double, track: Double,
    from start: Double, aside: Double, _ isFree: (PlacedLetter) -> Bool
  ) -> [PlacedLetter]? {
    var letters: [PlacedLetter] = []
    var at = start
    for width in widths {
      let w = width * size
      let (point, angle) = line.point(at: at + w / 2, aside: aside)
      let letter = PlacedLetter(at: point, angle: angle, width: w, size: size)
      guard letter.corners.allSatisfy(hull.holds), isFree(letter) else { return nil }
      letters.append(letter)
      at += w + track * size
    }
    return letters
  }
}
