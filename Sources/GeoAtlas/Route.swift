import GeoProjection

/// The route from one node to another: up to the deepest common folder, and down again.
package struct Route: Sendable {
  package struct Stop: Sendable {
    package var path: [UInt8]
    package var coordinate: Coordinate
    package var digits: UInt8

    package var point: ExactPoint { ExactPoint(coordinate, digits: digits) }
  }

  package struct Leg: Sendable {
    /// The length in metres along the great circle.
    package var distance: Double
    /// The initial bearing in degrees, clockwise from north; nil if both stops coincide.
    package var bearing: Double?
  }

  /// From the first node to the last; one stop if they are the same.
  package var stops: [Stop] = []
  /// The index of the common folder; nil if the nodes are on different continents.
  package var top: Int?

  package init(from start: MapNode, to end: MapNode, engine: GeoProjectionEngine) {
    let up = Self.line(of: start, engine)
    let down = Self.line(of: end, engine)
    let shared = zip(up, down).prefix { $0.path == $1.path }.count
    stops = up.dropFirst(max(0, shared - 1)).reversed() + down.dropFirst(shared)
    if shared > 0 { top = up.count - shared }
  }

  package var legs: [Leg] {
    zip(stops, stops.dropFirst()).map { a, b in
      Leg(
        distance: Sphere.distance(a.point, b.point),
        bearing: Sphere.bearing(from: a.point, to: b.point))
    }
  }

  package var distance: Double { legs.reduce(0) { $0 + $1.distance } }

  private static func line(of node: MapNode, _ engine: GeoProjectionEngine) -> [Stop] {
    node.ancestors.map { ancestor in
      Stop(
        path: ancestor.path, coordinate: engine.coordinate(of: ancestor.place),
        digits: ancestor.place.digits)
    } + [
      Stop(path: node.path, coordinate: node.coordinate(by: engine), digits: node.digits)
    ]
  }
}
