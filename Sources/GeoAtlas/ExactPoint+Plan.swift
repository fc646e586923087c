import GeoCore
import GeoProjection

extension ExactPoint {
  /// Where it is on the plan, to some thousand units: the chart and the projection undone.
  package func planPoint(by engine: GeoProjectionEngine) -> PlanPoint {
    let world = Double(sign: .plus, exponent: 62, significand: 1)
    let (longitude, latitude) = degrees
    let x = Int64(min(max((longitude / 360 + 0.5) * world, 0), world - 1024))
    // Newton's method for the y whose latitude it is. Seen from the equator the latitude's curve is
    // concave, so that each step stops short of that y.
    var y = (0.5 - latitude / 360) * world
    for _ in 0..<32 {
      let reached = Degrees.latitude(Int64(y))
      let slope = Trigonometry.cosine(reached * .pi / 180) * 360 / world
      let next = min(max(y + (reached - latitude) / slope, 0), world)
      let isThere = abs(next - y) < 256
      y = next
      if isThere { break }
    }
    return engine.chart.inverse(PlanPoint(x: x, y: min(Int64(y), (1 << 62) - 1024)))
  }
}

extension Quad {
  /// Whether a point lies in the box around the quad, made larger by an eighth each way; what
  /// doesn't is not in the quad, nor in one whose corners are moved outwards by a sixteenth.
  package func isNear(_ point: PlanPoint) -> Bool {
    let (west, east) = (min(q0.x, q1.x, q2.x, q3.x), max(q0.x, q1.x, q2.x, q3.x))
    let (north, south) = (min(q0.y, q1.y, q2.y, q3.y), max(q0.y, q1.y, q2.y, q3.y))
    let (width, height) = ((east - west) >> 3, (south - north) >> 3)
    return point.x >= west - width && point.x <= east + width
      && point.y >= north - height && point.y <= south + height
  }

  /// Whether a point lies in the quad or on its edge.
  package func contains(_ point: PlanPoint) -> Bool {
    // From corner to corner against the clock on a plan whose y runs south.
    func isLeft(_ a: PlanPoint, _ b: PlanPoint) -> Bool {
      let side =
        Int128(b.x - a.x) * Int128(point.y - a.y) - Int128(b.y - a.y) * Int128(point.x - a.x)
      return side >= 0
    }
    return isLeft(q0, q1) && isLeft(q1, q2) && isLeft(q2, q3) && isLeft(q3, q0)
  }
}
