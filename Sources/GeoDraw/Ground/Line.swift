enum Line {
  /// Smooths the steps of a grid out of a line. The ends of an open line stay.
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

  /// Source: Douglas and Peucker, The Canadian Cartographer 10 (1973), 112.
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
      var (maximum, place) = (tolerance, -1)
      for index in from + 1..<max(to, from + 1) {
        let distance = distance(of: points[index], from: points[from], points[to])
        if distance > maximum { (maximum, place) = (distance, index) }
      }
      if place < 0 { continue }
      keeps[place] = true
      open.append((from, place))
      open.append((place, to))
    }
    return points.indices.filter { keeps[$0] }.map { points[$0] }
  }

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
