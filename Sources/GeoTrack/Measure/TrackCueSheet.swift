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

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    lines.append((details, []))
    distance = 0
    last = nil
    heading = nil
  }

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

  package mutating func endLine() throws(Failure) {
    if let last { add(.arrival, last.point, last.name) }
  }

  package mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {}
  package mutating func end(extensions: [UInt8]) {}

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

/// An instruction at a point of a planned route.
package struct TrackCue: Hashable, Sendable {
  package enum Turn: Hashable, Sendable {
    /// It starts in a direction, in degrees clockwise from north.
    case start(bearing: Double)
    /// It turns by degrees from −180 to 180, positive to the right.
    case turn(degrees: Double)
    case arrival
  }

  package var turn: Turn
  /// Metres from the start.
  package var distance: Double
  package var point: TrackPoint
  /// The point's name, as UTF-8; empty if unnamed.
  package var name: [UInt8]
}

extension TrackCue.Turn {
  /// The same words as on the page.
  package var words: String {
    switch self {
    case .start(let bearing): return "go \(Self.direction(bearing)) (\(Int(bearing.rounded()))°)"
    case .turn(let degrees):
      let side = degrees > 0 ? "right" : "left"
      switch abs(degrees) {
      case ..<60: return "turn slightly \(side)"
      case ..<120: return "turn \(side)"
      case ..<160: return "turn sharp \(side)"
      default: return "turn back"
      }
    case .arrival: return "arrive"
    }
  }

  private static func direction(_ bearing: Double) -> String {
    let names = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    return names[Int((bearing / 45).rounded()) % 8]
  }
}
