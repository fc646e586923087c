import GeoProjection

/// What to do at a point of a planned way.
package struct TrackCue: Hashable, Sendable {
  /// How the way goes on.
  package enum Turn: Hashable, Sendable {
    /// It begins, in a direction in degrees from north by east.
    case start(bearing: Double)
    /// It bends by so many degrees, positive to the right, −180 to 180.
    case turn(degrees: Double)
    /// It ends.
    case arrival
  }

  /// What to do.
  package var turn: Turn
  /// Metres from the beginning.
  package var distance: Double
  /// Where.
  package var point: TrackPoint
  /// The name of the point, as UTF-8; empty if it has none.
  package var name: [UInt8]
}

/// Finds the turns of routes and tracks.
///
/// A bend of less than ``leastTurn`` degrees is no turn. Points in one place are one.
package struct TrackCueSheet: TrackSink {
  /// The cues of each line, in its order.
  package private(set) var lines: [(details: TrackDetails, cues: [TrackCue])] = []
  /// Degrees.
  package static let leastTurn = 20.0

  private var distance = 0.0
  private var last: (point: TrackPoint, name: [UInt8], position: Sphere.Position)?
  /// The direction in which the way came to the last point.
  private var heading: Double?

  /// No cues yet.
  package init() {}

  package mutating func begin(_ document: TrackDocument) throws(TrackError) {}

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError) {
    lines.append((details, []))
    distance = 0
    last = nil
    heading = nil
  }

  package mutating func beginSegment() throws(TrackError) {}

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError) {
    let position = Sphere.Position(longitude: point.longitude, latitude: point.latitude)
    guard let last else {
      self.last = (point, details.name, position)
      return
    }
    guard let bearing = last.position.bearing(to: position) else { return }
    if let heading {
      let turn = Self.turn(from: heading, to: bearing)
      if abs(turn) >= Self.leastTurn { add(.turn(degrees: turn), last.point, last.name) }
    } else {
      add(.start(bearing: bearing), last.point, last.name)
    }
    distance += last.position.distance(to: position)
    // A great circle turns against the meridians: it arrives in another direction than it left.
    heading = position.bearing(to: last.position).map {
      ($0 + 180).truncatingRemainder(dividingBy: 360)
    }
    self.last = (point, details.name, position)
  }

  package mutating func endSegment() throws(TrackError) {}

  package mutating func endLine() throws(TrackError) {
    if let last { add(.arrival, last.point, last.name) }
  }

  package mutating func add(
    waypoint: TrackPoint, _ details: TrackDetails
  ) throws(TrackError) {}

  package mutating func end(extensions: [UInt8]) throws(TrackError) {}

  private mutating func add(_ turn: TrackCue.Turn, _ point: TrackPoint, _ name: [UInt8]) {
    lines[lines.count - 1].cues.append(
      TrackCue(turn: turn, distance: distance, point: point, name: name))
  }

  /// Degrees from one direction to another, the shorter way round.
  private static func turn(from a: Double, to b: Double) -> Double {
    let turn = (b - a).truncatingRemainder(dividingBy: 360)
    return turn > 180 ? turn - 360 : turn <= -180 ? turn + 360 : turn
  }
}

extension TrackCue.Turn {
  /// What to do, in words. The page has the same ones.
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
