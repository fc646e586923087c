import GeoCore

/// Distances and directions on a sphere of the earth's mean radius.
package enum Sphere {
  /// The mean radius of the earth's ellipsoid in metres, by the IUGG (Moritz 2000).
  package static let radius = 6_371_008.8

  package static func cosine(ofDegrees angle: Double) -> Double {
    Trigonometry.cosine(angle * .pi / 180)
  }

  package struct Position: Sendable {
    let longitude: Double
    let latitude: Double
    fileprivate let cosine: Double

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

    /// At most the distance in metres to any place of a box that doesn't cross the antimeridian.
    package func leastDistance(southWest: ExactPoint, northEast: ExactPoint) -> Double {
      let (longitude, latitude) = point.degrees
      let (low, high) = (southWest.degrees, northEast.degrees)
      func turn(_ edge: Double) -> Double {
        min(abs(edge - longitude), 360 - abs(edge - longitude))
      }
      let isBetween = low.longitude <= longitude && longitude <= high.longitude
      let turned = isBetween ? 0 : min(turn(low.longitude), turn(high.longitude))
      // The great circle that meets the meridian of the nearest edge at a right angle, or a corner.
      let angle = latitude * .pi / 180
      let foot = Trigonometry.angle(
        y: Trigonometry.sine(angle),
        x: Trigonometry.cosine(angle) * Trigonometry.cosine(turned * .pi / 180))
      let nearest = min(max(foot * 180 / .pi, low.latitude), high.latitude)
      let start = Position(longitude: 0, latitude: latitude)
      let distances = [nearest, low.latitude, high.latitude].map {
        start.distance(to: Position(longitude: turned, latitude: $0))
      }
      // Slightly less, to be safe against rounding.
      return max(0, (distances.min() ?? 0) * 0.999999 - 0.001)
    }
  }

  /// The initial direction in degrees clockwise from north, below 360; nil if the places are equal.
  package static func bearing(from a: ExactPoint, to b: ExactPoint) -> Double? {
    a == b ? nil : a.position.bearing(to: b.position)
  }
}

extension ExactPoint {
  fileprivate var position: Sphere.Position {
    let (longitude, latitude) = degrees
    return Sphere.Position(longitude: longitude, latitude: latitude)
  }
}
