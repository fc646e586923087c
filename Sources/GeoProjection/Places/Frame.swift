/// A quad that nodes are spread over, as two sides and their vectors.
struct Frame {
  private let north: PlanPoint
  private let south: PlanPoint
  private let northVector: PlanPoint
  private let southVector: PlanPoint

  init(_ quad: Quad) {
    north = quad.q0
    south = quad.q3
    northVector = PlanPoint(x: quad.q1.x - quad.q0.x, y: quad.q1.y - quad.q0.y)
    southVector = PlanPoint(x: quad.q2.x - quad.q3.x, y: quad.q2.y - quad.q3.y)
  }

  /// Where the node of a seed is on the plan, in units of it: as far along as the upper half of
  /// its key says, as far down as the lower half.
  ///
  /// Sums within the plan, which fit as in ``PlanPoint``.
  @inline(__always)
  func point(of seed: UInt64) -> PlanPoint {
    let key = SplitMix64.number(seed, 0)
    let u = Int64(truncatingIfNeeded: key &>> 32)
    let v = Int64(truncatingIfNeeded: key & 0xFFFF_FFFF)
    let top = PlanPoint(
      x: north.x &+ northVector.x.scaled(by: u), y: north.y &+ northVector.y.scaled(by: u))
    let bottom = PlanPoint(
      x: south.x &+ southVector.x.scaled(by: u), y: south.y &+ southVector.y.scaled(by: u))
    return top.lerp(to: bottom, v)
  }

  /// The quad again.
  var quad: Quad {
    Quad(
      north, PlanPoint(x: north.x + northVector.x, y: north.y + northVector.y),
      PlanPoint(x: south.x + southVector.x, y: south.y + southVector.y), south)
  }
}
