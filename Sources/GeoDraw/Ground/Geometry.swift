/// A point of a sheet in CSS pixels (units): x runs right, y runs down.
package struct Point: Sendable, Hashable, BitwiseCopyable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  func distance(to other: Point) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
  static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
}

/// A box of a sheet with sides parallel to the axes.
package struct Box: Sendable, Hashable, BitwiseCopyable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  package init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// The smallest box around some points; nil if there are no points.
  package init?(around points: some Sequence<Point>) {
    var box: Box?
    for point in points {
      guard let sofar = box else {
        box = Box(left: point.x, top: point.y, right: point.x, bottom: point.y)
        continue
      }
      box = Box(
        left: min(sofar.left, point.x), top: min(sofar.top, point.y),
        right: max(sofar.right, point.x), bottom: max(sofar.bottom, point.y))
    }
    guard let box else { return nil }
    self = box
  }

  package var width: Double { right - left }
  package var height: Double { bottom - top }
  package var middle: Point { Point((left + right) / 2, (top + bottom) / 2) }

  /// The box with a margin added on all sides.
  package func grown(by margin: Double) -> Box {
    Box(
      left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// Whether the boxes share more than an edge.
  package func overlaps(_ other: Box) -> Bool {
    left < other.right && right > other.left && top < other.bottom && bottom > other.top
  }

  /// Whether a point is in the box or on its edge.
  package func contains(_ point: Point) -> Bool {
    point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
  }

  /// Whether another box is in the box.
  package func contains(_ other: Box) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }
}

/// Geometry of polylines and rings.
enum Line {
  /// Smooths the steps of a grid out of a line. The ends of an open line stay.
  ///
  /// - Parameter rounds: How often each point moves half-way to the middle of its neighbours.
  static func smoothed(_ points: [Point], rounds: Int) -> [Point] {
    guard points.count > 3 else { return points }
    var points = points
    let isClosed = points.first == points.last
    for _ in 0..<rounds {
      let before = points
      for index in 1..<points.count - 1 {
        let (a, b, c) = (before[index - 1], before[index], before[index + 1])
        points[index] = Point((a.x + 2 * b.x + c.x) / 4, (a.y + 2 * b.y + c.y) / 4)
      }
      if isClosed {
        let (a, b, c) = (before[before.count - 2], before[0], before[1])
        let end = Point((a.x + 2 * b.x + c.x) / 4, (a.y + 2 * b.y + c.y) / 4)
        points[0] = end
        points[points.count - 1] = end
      }
    }
    return points
  }

  /// Removes points that are within a tolerance of the simplified line.
  ///
  /// Source: Douglas and Peucker, The Canadian Cartographer 10 (1973), 112.
  ///
  /// - Complexity: O(n log n) as a rule, O(n²) at worst.
  static func simplified(_ points: [Point], tolerance: Double) -> [Point] {
    guard points.count > 2 else { return points }
    var keeps = [Bool](repeating: false, count: points.count)
    keeps[0] = true
    keeps[points.count - 1] = true
    var open = [(0, points.count - 1)]
    if points.first == points.last {
      // A closed line is split at the point farthest from its beginning.
      let far = points.indices.max {
        points[$0].distance(to: points[0]) < points[$1].distance(to: points[0])
      }
      guard let far, far > 0 else { return [points[0]] }
      keeps[far] = true
      open = [(0, far), (far, points.count - 1)]
    }
    while let (from, to) = open.popLast() {
      var (most, place) = (tolerance, -1)
      for index in from + 1..<max(to, from + 1) {
        let distance = distance(of: points[index], from: points[from], points[to])
        if distance > most { (most, place) = (distance, index) }
      }
      if place < 0 { continue }
      keeps[place] = true
      open.append((from, place))
      open.append((place, to))
    }
    return points.indices.filter { keeps[$0] }.map { points[$0] }
  }

  /// The distance of a point from the segment between two others.
  static func distance(of p: Point, from a: Point, _ b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    if square == 0 { return p.distance(to: a) }
    let t = Look.clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0, 1)
    return p.distance(to: Point(a.x + t * dx, a.y + t * dy))
  }

  /// The area of a ring, positive if it runs clockwise on the sheet.
  static func area(_ ring: [Point]) -> Double {
    guard var a = ring.last else { return 0 }
    var sum = 0.0
    for b in ring {
      sum += a.x * b.y - b.x * a.y
      a = b
    }
    return sum / 2
  }

  /// Whether a point is inside a ring.
  static func encloses(_ ring: [Point], _ point: Point) -> Bool {
    guard var a = ring.last else { return false }
    var isInside = false
    for b in ring {
      if (a.y > point.y) != (b.y > point.y),
        point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
      {
        isInside.toggle()
      }
      a = b
    }
    return isInside
  }
}
