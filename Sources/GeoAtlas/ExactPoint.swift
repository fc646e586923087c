import GeoProjection

/// A place as the decimals of a map can tell it: whole units of 10^-13 degrees.
///
/// A double is nearer to its decimal than half a unit, and so are the doubles that readers of a map
/// get: what is printed alike is equal here, and sides are told exactly.
package struct ExactPoint: Hashable, Sendable {
  package static let digits: UInt8 = 13

  /// Units east, at most 1.8·10^15 either way.
  package var longitude: Int64
  /// Units north.
  package var latitude: Int64

  /// The place of some degrees.
  ///
  /// - Parameters:
  ///   - longitude: −180 to 180; what is beyond counts as these.
  ///   - latitude: −90 to 90; what is beyond counts as these.
  package init(longitude: Double, latitude: Double) {
    self.longitude = Int64((min(max(longitude, -180), 180) * 1e13).rounded())
    self.latitude = Int64((min(max(latitude, -90), 90) * 1e13).rounded())
  }

  /// The place of a coordinate.
  package init(_ coordinate: Coordinate, digits: UInt8) {
    var scale: Int64 = 1
    for _ in min(digits, Self.digits)..<Self.digits { scale *= 10 }
    longitude = coordinate.longitude * scale
    latitude = coordinate.latitude * scale
  }

  package var degrees: (longitude: Double, latitude: Double) {
    Coordinate(longitude: longitude, latitude: latitude).degrees(digits: Self.digits)
  }

  /// Whether it lies within a ring or on it; exact, by counting edges that a ray crosses.
  ///
  /// - Complexity: O(vertices).
  package func isInside(_ ring: [Coordinate], digits: UInt8) -> Bool {
    guard let last = ring.last else { return false }
    var isInside = false
    var a = ExactPoint(last, digits: digits)
    for vertex in ring {
      let b = ExactPoint(vertex, digits: digits)
      defer { a = b }
      if min(a.latitude, b.latitude) > latitude || max(a.latitude, b.latitude) < latitude {
        continue
      }
      // Differences of at most 3.6·10^15: their products need 104 bits.
      let side =
        Int128(b.longitude - a.longitude) * Int128(latitude - a.latitude)
        - Int128(b.latitude - a.latitude) * Int128(longitude - a.longitude)
      if side == 0, min(a.longitude, b.longitude)...max(a.longitude, b.longitude) ~= longitude {
        return true
      }
      if (a.latitude > latitude) != (b.latitude > latitude),
        (side > 0) == (b.latitude > a.latitude)
      {
        isInside.toggle()
      }
    }
    return isInside
  }

  /// Where it is on the plan, to some thousand units: the chart and the projection undone.
  package func planPoint(by engine: GeoProjectionEngine) -> PlanPoint {
    let world = Double(sign: .plus, exponent: 62, significand: 1)
    let (longitude, latitude) = degrees
    let x = Int64(min(max((longitude / 360 + 0.5) * world, 0), world - 1024))
    // The latitude falls as y grows; halving finds the y whose latitude it is.
    var (low, high): (Int64, Int64) = (0, 1 << 62)
    while high - low > 256 {
      let middle = low + (high - low) / 2
      if Degrees.latitude(middle) > latitude { low = middle } else { high = middle }
    }
    return engine.chart.inverse(PlanPoint(x: x, y: low))
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
