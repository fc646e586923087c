import GeoCore

/// A place on the globe, as integers of 10^-digits degrees.
///
/// The number of digits is ``FolderPlace/digits`` or ``City/digits`` of the place it belongs to.
@frozen public struct Coordinate: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, times 10^digits; −180·10^digits to 180·10^digits.
  public var longitude: Int64
  /// Degrees north, times 10^digits; within ±84·10^digits for all land.
  public var latitude: Int64

  /// A coordinate of two integers.
  @inlinable
  public init(longitude: Int64, latitude: Int64) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// The degrees that a reader of the printed decimals gets, to the bit.
  ///
  /// A reader takes the double nearest to the decimal number. The integer, below 2^53, and
  /// 10^digits are both exact as doubles, and their quotient is rounded once: to that same double.
  ///
  /// - Parameter digits: 0 to 13.
  public func degrees(digits: UInt8) -> (longitude: Double, latitude: Double) {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return (Double(longitude) / scale, Double(latitude) / scale)
  }
}

extension Coordinate {
  /// The south-western and the north-eastern corner of the box around coordinates with the same
  /// number of decimals; nil without coordinates.
  package static func corners(
    of coordinates: [Coordinate]
  ) -> (southWest: Coordinate, northEast: Coordinate)? {
    guard var low = coordinates.first else { return nil }
    var high = low
    for coordinate in coordinates {
      low.longitude = min(low.longitude, coordinate.longitude)
      low.latitude = min(low.latitude, coordinate.latitude)
      high.longitude = max(high.longitude, coordinate.longitude)
      high.latitude = max(high.latitude, coordinate.latitude)
    }
    return (low, high)
  }
}

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

  /// The place at some degrees.
  ///
  /// - Parameters:
  ///   - longitude: Clamped to −180…180.
  ///   - latitude: Clamped to −90…90.
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

  /// Whether the place is within a ring of a map or on it.
  ///
  /// - Complexity: O(vertices).
  package func isInside(_ ring: [Coordinate], digits: UInt8) -> Bool {
    position(in: ring.map { ExactPoint($0, digits: digits) }) != .outside
  }

  /// The position of a point relative to a ring.
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

/// Distances and directions on a sphere of the earth's mean radius.
package enum Sphere {
  /// The mean radius of the earth's ellipsoid in metres, by the IUGG (Moritz 2000).
  package static let radius = 6_371_008.8

  /// The cosine of an angle in degrees.
  package static func cosine(ofDegrees angle: Double) -> Double {
    Trigonometry.cosine(angle * .pi / 180)
  }

  package struct Position: Sendable {
    let longitude: Double
    let latitude: Double
    fileprivate let cosine: Double

    /// A place given in degrees.
    package init(longitude: Double, latitude: Double) {
      self.longitude = longitude * .pi / 180
      self.latitude = latitude * .pi / 180
      cosine = Trigonometry.cosine(self.latitude)
    }

    /// The great-circle distance in metres.
    ///
    /// Source: the haversine formula, R. W. Sinnott, Sky and Telescope 68 (1984), 159.
    package func distance(to other: Position) -> Double {
      let north = Trigonometry.sine((other.latitude - latitude) / 2)
      let east = Trigonometry.sine((other.longitude - longitude) / 2)
      let square = north * north + cosine * other.cosine * east * east
      return 2 * radius * Trigonometry.arcSine(min(1, square.squareRoot()))
    }

    /// The initial direction of the great circle to another place, in degrees clockwise from north,
    /// 0 to less than 360; nil if the places are equal.
    package func bearing(to other: Position) -> Double? {
      if longitude == other.longitude, latitude == other.latitude { return nil }
      let turn = other.longitude - longitude
      let y = Trigonometry.sine(turn) * other.cosine
      let x =
        cosine * Trigonometry.sine(other.latitude)
        - Trigonometry.sine(latitude) * other.cosine * Trigonometry.cosine(turn)
      let degrees = Trigonometry.angle(y: y, x: x) * 180 / .pi
      let positive = degrees < 0 ? degrees + 360 : degrees
      return positive < 360 ? positive : 0
    }
  }

  /// The great-circle distance in metres.
  package static func distance(_ a: ExactPoint, _ b: ExactPoint) -> Double {
    Origin(a).distance(to: b)
  }

  /// A place from which many distances are measured.
  package struct Origin: Sendable {
    private let point: ExactPoint
    private let position: Position

    package init(_ point: ExactPoint) {
      self.point = point
      position = point.position
    }

    /// The great-circle distance in metres.
    package func distance(to other: ExactPoint) -> Double {
      // Compares the members directly: `==` would call another module once for every file.
      if other.longitude == point.longitude, other.latitude == point.latitude { return 0 }
      return position.distance(to: other.position)
    }

    /// Whether a place is farther than a distance by its latitude alone, which needs no
    /// trigonometry.
    ///
    /// False doesn't mean that the place is within the distance.
    package func isBeyond(_ metres: Double, _ other: ExactPoint) -> Bool {
      let metresOfUnit = radius * .pi / 180 * 1e-13
      // Slightly less, to be safe against rounding.
      return Double(abs(other.latitude - point.latitude)) * metresOfUnit * 0.999999 > metres
    }
  }

  /// The initial direction of the great circle to another place, in degrees clockwise from north,
  /// 0 to less than 360; nil if the places are equal.
  package static func bearing(from a: ExactPoint, to b: ExactPoint) -> Double? {
    a == b ? nil : a.position.bearing(to: b.position)
  }

  /// A box that contains all places within a distance.
  ///
  /// - Parameter metres: Not negative.
  package static func box(
    around point: ExactPoint, metres: Double
  ) -> (west: Double, south: Double, east: Double, north: Double) {
    let (longitude, latitude) = point.degrees
    // Slightly more, to be safe against rounding.
    let angle = metres / radius * 1.000001 + 1e-12
    let degrees = angle * 180 / .pi
    let (south, north) = (max(-90, latitude - degrees), min(90, latitude + degrees))
    let cosine = Trigonometry.cosine(max(abs(south), abs(north)) * .pi / 180)
    if cosine <= 0 || angle >= .pi / 2 || Trigonometry.sine(angle) >= cosine {
      return (-180, south, 180, north)
    }
    let width = Trigonometry.arcSine(Trigonometry.sine(angle) / cosine) * 180 / .pi
    func wrapped(_ degrees: Double) -> Double {
      degrees < -180 ? degrees + 360 : degrees > 180 ? degrees - 360 : degrees
    }
    if width >= 180 { return (-180, south, 180, north) }
    return (wrapped(longitude - width), south, wrapped(longitude + width), north)
  }
}

extension ExactPoint {
  fileprivate var position: Sphere.Position {
    let (longitude, latitude) = degrees
    return Sphere.Position(longitude: longitude, latitude: latitude)
  }
}
