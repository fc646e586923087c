import GeoAtlas

/// The way from one node to another: up to the deepest folder that holds both, and down again.
public struct GeoRoute: Hashable, Sendable {
  /// A place on the way.
  public struct Stop: Hashable, Sendable {
    /// The path of a folder, or of one of the ends: a root's label, then names, joined by `/`.
    public let rawPath: [UInt8]
    /// Where it is.
    public let coordinate: GeoCoordinate

    /// The path as text; what is no UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }
  }

  /// The way between two stops that follow each other.
  public struct Leg: Hashable, Sendable {
    /// Metres along the great circle.
    public let distance: Double
    /// The direction in which it sets out, in degrees from north by east; nil if both are one place.
    public let bearing: Double?
  }

  /// From the first node to the last; one if they are the same.
  public let stops: [Stop]
  /// One fewer than the stops.
  public let legs: [Leg]
  /// Which stop is the common folder; nil if the ends are on different continents.
  public let top: Int?

  /// Metres of all legs together.
  public var distance: Double { legs.reduce(0) { $0 + $1.distance } }

  init(_ route: Route) {
    stops = route.stops.map {
      Stop(rawPath: $0.path, coordinate: GeoCoordinate($0.coordinate, digits: $0.digits))
    }
    legs = route.legs.map { Leg(distance: $0.distance, bearing: $0.bearing) }
    top = route.top
  }
}

extension GeoLookup {
  /// The way from one path to another; nil if one of them isn't there.
  ///
  /// Reads the listings of the folders above both.
  public func route(from start: [UInt8], to end: [UInt8]) -> GeoRoute? {
    guard let start = world.node(at: start, asksFacts: false),
      let end = world.node(at: end, asksFacts: false)
    else { return nil }
    return GeoRoute(Route(from: start, to: end, engine: world.engine))
  }
}
