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

  /// Whether it lies within a ring of a map or on it.
  ///
  /// - Complexity: O(vertices).
  package func isInside(_ ring: [Coordinate], digits: UInt8) -> Bool {
    position(in: ring.map { ExactPoint($0, digits: digits) }) != .outside
  }

  /// Where a point can be, seen from a ring.
  package enum Position: Sendable {
    case inside
    case onRing
    case outside
  }

  /// Where it is, seen from a ring; exact, by counting edges that a ray to the east crosses.
  ///
  /// - Complexity: O(vertices).
  package func position(in ring: [ExactPoint]) -> Position {
    guard var a = ring.last else { return .outside }
    var isInside = false
    for b in ring {
      defer { a = b }
      if min(a.latitude, b.latitude) > latitude { continue }
      if max(a.latitude, b.latitude) < latitude { continue }
      if max(a.longitude, b.longitude) < longitude { continue }
      let side = side(of: a, b)
      if side == 0, min(a.longitude, b.longitude) <= longitude { return .onRing }
      if (a.latitude > latitude) != (b.latitude > latitude),
        (side > 0) == (b.latitude > a.latitude)
      {
        isInside.toggle()
      }
    }
    return isInside ? .inside : .outside
  }

  /// On which side of the line from a to b it is: positive to its left.
  ///
  /// Differences are at most 3.6·10^15, so their products need 104 bits.
  package func side(of a: ExactPoint, _ b: ExactPoint) -> Int128 {
    Int128(b.longitude - a.longitude) * Int128(latitude - a.latitude)
      - Int128(b.latitude - a.latitude) * Int128(longitude - a.longitude)
  }
}
