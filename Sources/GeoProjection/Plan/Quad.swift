/// A convex quadrilateral of the plan.
///
/// Its corners are called after the quarters of the sky, though it may lean.
@frozen public struct Quad: BitwiseCopyable, Hashable, Sendable {
  /// The corner called north-west.
  public var q0: PlanPoint
  /// The corner called north-east.
  public var q1: PlanPoint
  /// The corner called south-east.
  public var q2: PlanPoint
  /// The corner called south-west.
  public var q3: PlanPoint

  /// A quad of the given corners, from north-west on by east, south and west.
  @inlinable
  public init(_ q0: PlanPoint, _ q1: PlanPoint, _ q2: PlanPoint, _ q3: PlanPoint) {
    self.q0 = q0
    self.q1 = q1
    self.q2 = q2
    self.q3 = q3
  }
}
