import GeoCore

/// The properties of a track file that precede its first point.
package struct TrackDocument: Sendable {
  /// The program that wrote it, as UTF-8; empty if unknown.
  package var creator: [UInt8] = []
  /// Namespaces of extensions and their prefixes, as UTF-8.
  package var namespaces: [(prefix: [UInt8], name: [UInt8])] = []
  /// Time of the document, as Unix time in milliseconds; nil if unknown.
  package var time: Int64?
  /// The properties in `metadata`, including the time, without the bounds.
  package var details = TrackDetails()

  package init() {}
}

/// The properties of a document, line or point other than position, elevation and time: names,
/// links and the like, and extensions of other programs.
///
/// They are kept as GPX 1.1 elements in the order of the schema, so that they can be written
/// unchanged.
package struct TrackDetails: Sendable, Hashable {
  /// The name, as UTF-8 without escapes; empty if unnamed.
  package var name: [UInt8] = []
  /// Target of the first link, as UTF-8 without escapes; empty without a link.
  package var link: [UInt8] = []
  /// The elements, including `name` and `link`.
  package var xml: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { xml.isEmpty }

  mutating func removeAll() {
    name.removeAll(keepingCapacity: true)
    link.removeAll(keepingCapacity: true)
    xml.removeAll(keepingCapacity: true)
  }
}

/// The kind of a line or a single point.
package enum TrackKind: String, Sendable, Hashable, CaseIterable {
  /// A recorded path: `trk` of GPX, with segments.
  case track
  /// A planned path: `rte` of GPX, a single line.
  case route
  /// A single place: `wpt` of GPX.
  case waypoint
}

package struct TrackPoint: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, −180 to 180.
  package var longitude: Double
  /// Degrees north, −90 to 90.
  package var latitude: Double
  /// Elevation in metres above the file's reference level; nil if unknown.
  package var elevation: Double?
  /// Unix time in milliseconds; nil if unknown.
  package var time: Int64?

  /// The times that files can hold: the years 1 to 9999.
  package static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  package init(longitude: Double, latitude: Double, elevation: Double? = nil, time: Int64? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.elevation = elevation
    self.time = time
  }
}

extension TrackPoint {
  /// The points at which the shorter way to another point crosses the 180th meridian, on this side
  /// and on the other; nil if it doesn't. Latitude, elevation and time are proportional.
  func edges(toward other: TrackPoint) -> (end: TrackPoint, start: TrackPoint)? {
    let turn = abs(other.longitude - longitude)
    if turn <= 180 { return nil }
    let edge = longitude > 0 ? 180.0 : -180.0
    let fraction = turn < 360 ? abs(edge - longitude) / (360 - turn) : 0
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
    var end = TrackPoint(longitude: edge, latitude: between(latitude, other.latitude))
    if let a = elevation, let b = other.elevation { end.elevation = between(a, b) }
    if let a = time, let b = other.time {
      end.time = a + Int64((Double(b - a) * fraction).rounded())
    }
    if edge == longitude { end = self }
    var start = fraction == 1 ? other : end
    start.longitude = -edge
    return (end, start)
  }
}

/// Receives the contents of a track file in order: a filter, a writer or a measurement.
///
/// A document begins, then waypoints, routes and tracks follow, in this order as far as GPX is
/// written, then it ends. A route has one segment. Arguments are reused after each call, so keeping
/// one costs a copy.
package protocol TrackSink: ~Copyable {
  /// Whether it needs neither an order nor properties, so that files are read once.
  static var isOrderFree: Bool { get }

  mutating func begin(_ document: TrackDocument) throws(Failure)

  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure)

  mutating func beginSegment() throws(Failure)

  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure)

  /// Adds the whole `extensions` element of the segment, after its points.
  mutating func add(segmentExtensions: [UInt8]) throws(Failure)

  mutating func endSegment() throws(Failure)

  mutating func endLine() throws(Failure)

  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) throws(Failure)

  /// - Parameter extensions: The whole `extensions` element at the end of the document; empty
  ///   without one.
  mutating func end(extensions: [UInt8]) throws(Failure)
}

extension TrackSink where Self: ~Copyable {
  package static var isOrderFree: Bool { false }

  package mutating func begin(_ document: TrackDocument) throws(Failure) {}
  package mutating func beginSegment() throws(Failure) {}
  package mutating func endSegment() throws(Failure) {}
  package mutating func endLine() throws(Failure) {}

  /// Ignores the extensions, as formats other than GPX have none.
  package mutating func add(segmentExtensions: [UInt8]) throws(Failure) {}
}
