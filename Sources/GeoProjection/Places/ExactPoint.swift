import GeoCore

/// A place in whole units of 10^-13 degrees, the finest that a map can have.
///
/// The double nearest to a map's decimal rounds to that decimal, so places that print alike are
/// equal here, and the side of a line is computed exactly.
package struct ExactPoint: Hashable, Sendable {
  package static let digits: UInt8 = 13

  /// Units east, at most 1.8·10^15 either way.
  package var longitude: Int64
  /// Units north.
  package var latitude: Int64

  /// The place at some degrees, clamped to the world.
  package init(longitude: Double, latitude: Double) {
    self.longitude = Int64((min(max(longitude, -180), 180) * 1e13).rounded())
    self.latitude = Int64((min(max(latitude, -90), 90) * 1e13).rounded())
  }

  package init(_ coordinate: Coordinate, digits: UInt8) {
    var scale: Int64 = 1
    for _ in min(digits, Self.digits)..<Self.digits { scale *= 10 }
    longitude = coordinate.longitude * scale
    latitude = coordinate.latitude * scale
  }

  package var degrees: (longitude: Double, latitude: Double) {
    Coordinate(longitude: longitude, latitude: latitude).degrees(digits: Self.digits)
  }

  /// Whether the place is within a ring of a map or on it.
  ///
  /// - Complexity: O(vertices).
  package func isInside(_ ring: [Coordinate], digits: UInt8) -> Bool {
    position(in: ring.map { ExactPoint($0, digits: digits) }) != .outside
  }

  package enum Position: Sendable {
    case inside
    case onRing
    case outside
  }

  /// The position relative to a ring: exact, by counting the edges that a ray to the east crosses.
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

  /// The side of the line from a to b on which the place is: positive to the left, 0 on the line.
  ///
  /// Differences are at most 3.6·10^15, so their products need 104 bits.
  package func side(of a: ExactPoint, _ b: ExactPoint) -> Int128 {
    Int128(b.longitude - a.longitude) * Int128(latitude - a.latitude)
      - Int128(b.latitude - a.latitude) * Int128(longitude - a.longitude)
  }
}
