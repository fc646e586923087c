import GeoCore

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
