/// A closed line through points, with its bounding box.
struct Ring<Point: PlanarPoint>: Sendable {
  let points: [Point]
  let box: Box<Point.Scalar>
  /// The bounding boxes of the edges.
  private let boxes: [Box<Point.Scalar>]

  init(_ points: [Point]) {
    self.points = points
    box = Box(points)
    var boxes: [Box<Point.Scalar>] = []
    for (index, point) in points.enumerated() {
      boxes.append(Box(point, points[index + 1 == points.count ? 0 : index + 1]))
    }
    self.boxes = boxes
  }

  /// The edge that begins at a vertex.
  func edge(_ index: Int) -> (Point, Point) {
    (points[index], points[index + 1 == points.count ? 0 : index + 1])
  }

  /// 1 if a point is inside, 0 if it is on the line, −1 if it is outside.
  func side(of p: Point) -> Int {
    guard box.contains(p.x, p.y) else { return -1 }
    var isInside = false
    for index in points.indices {
      let (a, b) = edge(index)
      if (a.y > p.y) != (b.y > p.y) {
        let turn = a.y < b.y ? Point.orientation(a, b, p) : Point.orientation(b, a, p)
        if turn == 0 { return 0 }
        if turn > 0 { isInside.toggle() }
      } else if a.y == p.y && b.y == p.y || a == p || b == p {
        if min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) { return 0 }
      }
    }
    return isInside ? 1 : -1
  }

  /// Whether the lines of two rings have a point in common.
  func meets(_ other: Ring) -> Bool {
    guard let common = box.common(other.box) else { return false }
    let mine = edges(in: common)
    if mine.isEmpty { return false }
    let theirs = other.edges(in: common)
    for i in mine {
      for j in theirs where boxes[i].meets(other.boxes[j]) {
        let ((a, b), (c, d)) = (edge(i), other.edge(j))
        if Self.segmentsMeet(a, b, c, d) { return true }
      }
    }
    return false
  }

  private func edges(in box: Box<Point.Scalar>) -> [Int] {
    var indices: [Int] = []
    for index in 0..<boxes.count where boxes[index].meets(box) { indices.append(index) }
    return indices
  }

  /// Whether the ring is strictly inside another one, without touching it.
  func isInside(_ outer: Ring) -> Bool {
    !meets(outer) && points.first.map { outer.side(of: $0) == 1 } ?? false
  }

  /// Whether two rings are disjoint, both their lines and their areas.
  func isApart(from other: Ring) -> Bool {
    guard box.meets(other.box), let a = points.first, let b = other.points.first
    else { return true }
    return !meets(other) && other.side(of: a) == -1 && side(of: b) == -1
  }

  /// Whether no edges meet, except neighbours in their common vertex.
  var isSimple: Bool {
    let count = points.count
    if count < 3 { return false }
    // Sorted from west to east, so that each edge is compared only with those it overlaps.
    let order = boxes.indices.sorted { boxes[$0].west < boxes[$1].west }
    for (position, first) in order.enumerated() {
      for second in order[(position + 1)...] {
        if boxes[second].west > boxes[first].east { break }
        if !boxes[first].meets(boxes[second]) { continue }
        if !edgesKeepApart(min(first, second), max(first, second)) { return false }
      }
    }
    return true
  }

  /// Whether edges i < j share at most the vertex between them.
  private func edgesKeepApart(_ i: Int, _ j: Int) -> Bool {
    let (a, b) = edge(i)
    let (c, d) = edge(j)
    let isNext = j == i + 1
    guard isNext || (i == 0 && j == points.count - 1) else {
      return !Self.segmentsMeet(a, b, c, d)
    }
    // For neighbours: neither far end may be on the other edge.
    let (near, far) = isNext ? (a, d) : (b, c)
    let joint = isNext ? b : a
    if near == far || near == joint || far == joint { return false }
    return !Self.isOn(near, joint, far) && !Self.isOn(far, near, joint)
  }

  /// Whether a simple ring runs counter-clockwise: it turns left at its westernmost vertex.
  var isCounterClockwise: Bool {
    guard
      let west = points.indices.min(by: {
        (points[$0].x, points[$0].y) < (points[$1].x, points[$1].y)
      })
    else { return false }
    let count = points.count
    let before = points[(west + count - 1) % count]
    return Point.orientation(before, points[west], points[(west + 1) % count]) > 0
  }

  /// Whether two closed segments have a point in common.
  static func segmentsMeet(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let (o1, o2) = (Point.orientation(a, b, c), Point.orientation(a, b, d))
    if o1 * o2 > 0 { return false }
    let (o3, o4) = (Point.orientation(c, d, a), Point.orientation(c, d, b))
    if o3 * o4 > 0 { return false }
    if o1 * o2 < 0 && o3 * o4 < 0 { return true }
    return isOn(c, a, b) || isOn(d, a, b) || isOn(a, c, d) || isOn(b, c, d)
  }

  /// Whether p is on the closed segment from a to b.
  private static func isOn(_ p: Point, _ a: Point, _ b: Point) -> Bool {
    Box(a, b).contains(p.x, p.y) && Point.orientation(a, b, p) == 0
  }
}

/// An axis-aligned box.
struct Box<Scalar: Comparable & Sendable>: Sendable {
  var west: Scalar, east: Scalar, south: Scalar, north: Scalar

  init<Point: PlanarPoint>(_ points: [Point]) where Point.Scalar == Scalar {
    (west, east, south, north) = (points[0].x, points[0].x, points[0].y, points[0].y)
    for point in points {
      west = min(west, point.x)
      east = max(east, point.x)
      south = min(south, point.y)
      north = max(north, point.y)
    }
  }

  /// The bounding box of a segment.
  init<Point: PlanarPoint>(_ a: Point, _ b: Point) where Point.Scalar == Scalar {
    (west, east) = a.x < b.x ? (a.x, b.x) : (b.x, a.x)
    (south, north) = a.y < b.y ? (a.y, b.y) : (b.y, a.y)
  }

  func contains(_ x: Scalar, _ y: Scalar) -> Bool {
    west <= x && x <= east && south <= y && y <= north
  }

  /// Whether two boxes have a point in common.
  func meets(_ other: Box) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }

  /// The intersection of two boxes; nil if they are disjoint.
  func common(_ other: Box) -> Box? {
    var box = self
    box.west = max(west, other.west)
    box.east = min(east, other.east)
    box.south = max(south, other.south)
    box.north = min(north, other.north)
    return box.west <= box.east && box.south <= box.north ? box : nil
  }
}
