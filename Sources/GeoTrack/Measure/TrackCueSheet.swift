import GeoCore
import GeoProjection

/// Finds the turns of routes and tracks.
///
/// Bends of less than ``minimumTurn`` degrees are ignored, and consecutive points at the same place
/// count as one.
package struct TrackCueSheet: TrackSink {
  /// The cues of each line, in order.
  package private(set) var lines: [(details: TrackDetails, cues: [TrackCue])] = []
  /// Smallest bend that counts as a turn, in degrees.
  package static let minimumTurn = 20.0

  private var distance = 0.0
  private var last: (point: TrackPoint, name: [UInt8], position: Sphere.Position)?
  /// Direction of arrival at the last point, in degrees.
  private var heading: Double?

  package init() {}

  package mutating func begin(_ document: TrackDocument) throws(Failure) {}

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    lines.append((details, []))
    distance = 0
    last = nil
    heading = nil
  }

  package mutating func beginSegment() throws(Failure) {}

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    let position = Sphere.Position(longitude: point.longitude, latitude: point.latitude)
    guard let last else {
      self.last = (point, details.name, position)
      return
    }
    guard let bearing = last.position.bearing(to: position) else { return }
    if let heading {
      let turn = Self.turn(from: heading, to: bearing)
      if abs(turn) >= Self.minimumTurn { add(.turn(degrees: turn), last.point, last.name) }
    } else {
      add(.start(bearing: bearing), last.point, last.name)
    }
    distance += last.position.distance(to: position)
    // A great circle changes its bearing along the way, so the arrival is computed separately.
    heading = position.bearing(to: last.position).map {
      ($0 + 180).truncatingRemainder(dividingBy: 360)
    }
    self.last = (point, details.name, position)
  }

  package mutating func endSegment() throws(Failure) {}

  package mutating func endLine() throws(Failure) {
    if let last { add(.arrival, last.point, last.name) }
  }

  package mutating func add(
    waypoint: TrackPoint, _ details: TrackDetails
  ) throws(Failure) {}

  package mutating func end(extensions: [UInt8]) throws(Failure) {}

  private mutating func add(_ turn: TrackCue.Turn, _ point: TrackPoint, _ name: [UInt8]) {
    lines[lines.count - 1].cues.append(
      TrackCue(turn: turn, distance: distance, point: point, name: name))
  }

  /// The smaller angle from one direction to another, in degrees.
  private static func turn(from a: Double, to b: Double) -> Double {
    let turn = (b - a).truncatingRemainder(dividingBy: 360)
    return turn > 180 ? turn - 360 : turn <= -180 ? turn + 360 : turn
  }
}
