import GeoCore
import GeoProjection

/// Removes all points near given places, so that a track can be shown without revealing them.
///
/// A segment is cut where points are removed, so that no line crosses the gap; a segment without
/// points left is omitted. The document's details, and its extensions and those of segments, are
/// removed, too, as they may refer to what was removed.
package struct TrackRedactor<Next: TrackSink & ~Copyable>: TrackSink, ~Copyable {
  private(set) var next: Next
  private let places: [(position: Sphere.Position, radius: Double)]
  private var kind = TrackKind.track
  private var isOpen = false
  package private(set) var dropped = 0

  /// - Parameter places: Centres in degrees, and radii in metres.
  package init(
    around places: [(longitude: Double, latitude: Double, radius: Double)],
    _ next: consuming Next
  ) {
    self.places = places.map {
      (Sphere.Position(longitude: $0.longitude, latitude: $0.latitude), $0.radius)
    }
    self.next = next
  }

  package mutating func begin(_ document: TrackDocument) throws(Failure) {
    var document = document
    document.details = TrackDetails()
    try next.begin(document)
  }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    self.kind = kind
    try next.begin(kind, details)
    if kind == .route { try next.beginSegment() }
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    if isNear(point) {
      dropped += 1
      return try close()
    }
    if kind != .route, !isOpen {
      try next.beginSegment()
      isOpen = true
    }
    try next.add(point, details)
  }

  package mutating func endSegment() throws(Failure) { try close() }

  package mutating func endLine() throws(Failure) {
    if kind == .route { try next.endSegment() }
    try next.endLine()
  }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    if isNear(point) {
      dropped += 1
    } else {
      try next.add(waypoint: point, details)
    }
  }

  package mutating func end(extensions: [UInt8]) throws(Failure) {
    try next.end(extensions: [])
  }

  private mutating func close() throws(Failure) {
    if isOpen { try next.endSegment() }
    isOpen = false
  }

  private func isNear(_ point: TrackPoint) -> Bool {
    let position = Sphere.Position(longitude: point.longitude, latitude: point.latitude)
    return places.contains { $0.position.distance(to: position) <= $0.radius }
  }
}
