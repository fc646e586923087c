import GeoCore
import GeoSystem

/// How lands look, as pure functions of numbers, independent of any drawing.
///
/// The page follows the same rules in JavaScript. Test cases that both run keep them equal.
package enum Look {
  static func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
    max(low, min(high, value))
  }

  /// The height of land in the relief by its bytes, from 0 (50 kB or less) to 1 (1.6 GB or more).
  package static func height(_ bytes: Double) -> Double {
    clamp((Logarithm.ofTen(bytes + 1) - 4.7) / 4.5, 0, 1)
  }

  /// The lengths of a border's dashes and gaps by depth, in pixels; empty for a solid line.
  package static func dashes(depth: Int) -> [Double] {
    switch depth {
    case ...1: []
    case 2: [7, 2.5, 1.2, 2.5]
    case 3: [4, 2.5]
    default: [1.2, 2.2]
    }
  }

  /// The width of a border in pixels, and its opacity from 0 to 1.
  package struct Border: Sendable, Hashable {
    package let width: Double
    package let alpha: Double
  }

  private static let widths = [1.5, 1.15, 0.95, 0.8]
  private static let alphas = [1, 0.85, 0.62, 0.5]

  /// The border of a land by its depth and its breadth in pixels.
  package static func border(depth: Int, breadth: Double) -> Border {
    let rank = min(max(depth, 0), 3)
    // Borders of very small lands are faint.
    let seen = clamp((breadth - 5) / 22, 0.12, 1)
    let alpha = alphas[rank] * seen
    return Border(
      width: widths[rank] * (0.6 + 0.4 * seen), alpha: depth < 2 ? max(0.5, alpha) : alpha)
  }

  /// How much of its own tint a land has instead of its parent's, 0 to 1.
  ///
  /// A continent has 0 and a country 1. Deeper lands get theirs as the land around them grows from
  /// 240 to 660 pixels across.
  package static func ownTint(depth: Int, around: Double) -> Double {
    if depth <= 1 { return Double(depth) }
    let t = clamp((around - 240) / 420, 0, 1)
    return t * t * (3 - 2 * t)
  }

  /// The strength of a tint by the land's breadth in pixels: from 0.66 at 700 down to 0.3 at 2,500,
  /// when the land fills the view.
  package static func tintStrength(breadth: Double) -> Double {
    0.66 - 0.36 * clamp((breadth - 700) / 1800, 0, 1)
  }

  /// Round bounds of classes for some values: at most five, each 1 or 3 times a power of ten.
  ///
  /// Each class with a value has its own, the largest first; all values below the fifth share one.
  /// If this gives fewer than four classes, bounds are 1, 2 or 5 times a power of ten.
  package static func classBounds(_ values: [Double]) -> [Double] {
    var edges = classEdges(values, leads: [1, 3])
    if edges.count < 4 {
      let fine = classEdges(values, leads: [1, 2, 5])
      if fine.count > edges.count { edges = fine }
    }
    return Array(edges.suffix(max(1, min(edges.count - 1, 5))))
  }

  /// The lower edges of the classes of the positive values, each once, in ascending order.
  private static func classEdges(_ values: [Double], leads: [Double]) -> [Double] {
    let edges = values.filter { $0 > 0 }.map { value in
      var ten = 1.0
      while ten * 10 <= value { ten *= 10 }
      return (leads.last { $0 * ten <= value } ?? 1) * ten
    }
    return Set(edges).sorted()
  }
}

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
