/// A point of the plan, in units of 2^-62 of the world: x runs east, y runs south.
@frozen public struct PlanPoint: BitwiseCopyable, Hashable, Sendable {
  /// Units east of longitude −180°.
  public var x: Int64
  /// Units south of latitude 85.0511°.
  public var y: Int64

  /// A point of the given units.
  @inlinable
  public init(x: Int64, y: Int64) {
    self.x = x
    self.y = y
  }
}

// Every coordinate of the plan lies in 0 ..< 2^62, so a sum of two fits 63 bits and a difference
// 62 and a sign: nothing here can overflow.
extension PlanPoint {
  /// The point that lies `fraction`, in units of 2^-32 and at most 1, of the way to another one,
  /// rounded down in x and in y.
  @inline(__always)
  package func lerp(to other: PlanPoint, _ fraction: Int64) -> PlanPoint {
    PlanPoint(
      x: x &+ (other.x &- x).scaled(by: fraction), y: y &+ (other.y &- y).scaled(by: fraction))
  }

  /// The point half-way to another one, rounded down in x and in y.
  @inline(__always)
  package func mid(_ other: PlanPoint) -> PlanPoint {
    PlanPoint(x: (x + other.x) >> 1, y: (y + other.y) >> 1)
  }
}

extension Int64 {
  /// ⌊self · fraction / 2^32⌋ by one full product.
  ///
  /// With a fraction of at most 2^32 the result is no larger than `self`, so that the bits shifted
  /// out at the top are copies of the sign.
  @inline(__always)
  package func scaled(by fraction: Int64) -> Int64 {
    let product = multipliedFullWidth(by: fraction)
    return product.high &<< 32 | Int64(truncatingIfNeeded: product.low &>> 32)
  }
}
