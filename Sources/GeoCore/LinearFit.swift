/// The least-squares line through points that are added one by one.
package struct LinearFit: Sendable {
  /// The number of points.
  package private(set) var count = 0
  private var mean = (x: 0.0, y: 0.0)
  private var squares = (x: 0.0, y: 0.0)
  private var products = 0.0

  /// Makes a line without points.
  package init() {}

  /// Adds a point.
  package mutating func add(_ x: Double, _ y: Double) {
    // Welford's method, which avoids cancellation for large values.
    count += 1
    let (fromX, fromY) = (x - mean.x, y - mean.y)
    mean.x += fromX / Double(count)
    mean.y += fromY / Double(count)
    squares.x += fromX * (x - mean.x)
    squares.y += fromY * (y - mean.y)
    products += fromX * (y - mean.y)
  }

  /// The slope; nil if all points have the same `x`.
  package var slope: Double? { squares.x > 0 ? products / squares.x : nil }

  /// The standard error of the slope; nil with less than three points.
  package var slopeError: Double? {
    guard count > 2, let slope else { return nil }
    let rest = max(0, squares.y - slope * products)
    return (rest / Double(count - 2) / squares.x).squareRoot()
  }
}
