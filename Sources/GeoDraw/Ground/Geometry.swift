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
