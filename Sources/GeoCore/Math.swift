#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The functions of libm that drawings need.
///
/// No place on a map may depend on them, because their last bits differ between machines.
package enum Logarithm {
  package static func ofTen(_ number: Double) -> Double { log10(number) }

  package static func power(_ number: Double, _ exponent: Double) -> Double {
    pow(number, exponent)
  }
}

/// The functions of libm that great circles need.
///
/// No place on a map may depend on them, because their last bits differ between machines.
package enum Trigonometry {
  package static func sine(_ angle: Double) -> Double { sin(angle) }
  package static func cosine(_ angle: Double) -> Double { cos(angle) }

  /// The angle in radians whose sine is the given number.
  package static func arcSine(_ sine: Double) -> Double { asin(sine) }

  /// The angle in radians, −π to π, of the direction to (x, y).
  package static func angle(y: Double, x: Double) -> Double { atan2(y, x) }
}

/// The least-squares line through points that are added one by one.
package struct LinearFit: Sendable {
  package private(set) var count = 0
  private var mean = (x: 0.0, y: 0.0)
  private var squares = (x: 0.0, y: 0.0)
  private var products = 0.0

  package init() {}

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
