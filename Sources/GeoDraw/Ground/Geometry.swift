/// A point of a sheet in CSS pixels (units): x runs right, y runs down.
package struct Point: Sendable, Hashable, BitwiseCopyable {
  package var x, y: Double

  package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  var length: Double { (x * x + y * y).squareRoot() }

  func distance(to other: Point) -> Double { (other - self).length }

  static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
  static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
  static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }
}

/// A box of a sheet with sides parallel to the axes.
package struct Box: Sendable, Hashable, BitwiseCopyable {
  package var left, top, right, bottom: Double
}

extension Box {
  init(left: Double, top: Double, width: Double, height: Double) {
    self.init(left: left, top: top, right: left + width, bottom: top + height)
  }

  /// The box around a point, with half of its width and height.
  init(at middle: Point, _ halfWidth: Double, _ halfHeight: Double) {
    self.init(
      left: middle.x - halfWidth, top: middle.y - halfHeight, right: middle.x + halfWidth,
      bottom: middle.y + halfHeight)
  }

  package init?(around points: some Sequence<Point>) {
    var points = points.makeIterator()
    guard let first = points.next() else { return nil }
    self.init(at: first, 0, 0)
    while let point = points.next() {
      (left, top) = (min(left, point.x), min(top, point.y))
      (right, bottom) = (max(right, point.x), max(bottom, point.y))
    }
  }

  package var width: Double { right - left }
  package var height: Double { bottom - top }
  package var middle: Point { Point((left + right) / 2, (top + bottom) / 2) }

  var corners: [Point] {
    [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
  }

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

  package func contains(_ other: Box) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }
}
