import GeoProjection

/// Adds up what can be said of tracks in numbers, point by point, in bounded memory.
///
/// Lengths are great circles on a sphere of the earth's mean radius; what lies between segments isn't
/// counted. Segments without times have a length and no duration.
package struct TrackMeasures: TrackSink {
  /// Points of routes and tracks.
  package private(set) var points = 0
  /// Segments with a point at least.
  package private(set) var segments = 0
  /// Routes and tracks.
  package private(set) var lines = 0
  /// Points that are in no line.
  package private(set) var waypoints = 0
  /// Metres.
  package private(set) var length = 0.0
  /// Milliseconds between the first and the last time of each segment, all together.
  package private(set) var duration: Int64 = 0
  /// Milliseconds in which it went at ``movingSpeed`` or more.
  package private(set) var movingTime: Int64 = 0
  /// Metres a second between two points next to each other, at most; nil if no two have times that
  /// differ.
  package private(set) var greatestSpeed: Double?
  /// The first and the last time of any point: Unix time in milliseconds.
  package private(set) var times: ClosedRange<Int64>?
  /// The lowest and the highest elevation in metres.
  package private(set) var elevations: ClosedRange<Double>?
  /// Metres up, and metres down, in steps of ``climbStep`` at least.
  package private(set) var climb = 0.0
  package private(set) var descent = 0.0
  /// The elevations along the way.
  package private(set) var profile = TrackProfile()
  /// Degrees west, south, east and north of all points; a way across the antimeridian has both sides.
  package private(set) var bounds: (west: Double, south: Double, east: Double, north: Double)?

  /// Half a kilometre an hour, in metres a second: what is slower is the receiver's noise.
  package static let movingSpeed = 0.5 / 3.6
  /// Metres: what goes up and down by less is the receiver's noise.
  package static let climbStep = 3.0

  private var last: (point: TrackPoint, position: Sphere.Position)?
  /// The elevation from which the next step is counted.
  private var level: Double?
  private var segmentPoints = 0

  /// Nothing yet.
  package init() {}

  /// Metres a second over the whole duration; nil if that isn't known.
  package var averageSpeed: Double? { duration > 0 ? length / (Double(duration) / 1000) : nil }

  package mutating func begin(_ document: TrackDocument) throws(TrackError) {}

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError) {
    lines += 1
  }

  package mutating func beginSegment() throws(TrackError) {
    segmentPoints = 0
    last = nil
    level = nil
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError) {
    let position = Sphere.Position(longitude: point.longitude, latitude: point.latitude)
    points += 1
    if segmentPoints == 0 { segments += 1 }
    segmentPoints += 1
    if let last {
      let distance = last.position.distance(to: position)
      length += distance
      if let start = last.point.time, let end = point.time, end > start {
        let speed = distance / (Double(end - start) / 1000)
        duration += end - start
        if speed >= Self.movingSpeed { movingTime += end - start }
        greatestSpeed = max(greatestSpeed ?? 0, speed)
      }
    }
    note(point)
    last = (point, position)
  }

  package mutating func endSegment() throws(TrackError) {}

  package mutating func endLine() throws(TrackError) {}

  package mutating func add(
    waypoint point: TrackPoint, _ details: TrackDetails
  ) throws(TrackError) {
    waypoints += 1
    extend(point)
  }

  package mutating func end(extensions: [UInt8]) throws(TrackError) {}

  private mutating func note(_ point: TrackPoint) {
    extend(point)
    if let time = point.time {
      times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
    }
    guard let elevation = point.elevation else { return }
    elevations =
      min(
        elevations?.lowerBound ?? elevation, elevation)...max(
        elevations?.upperBound ?? elevation, elevation)
    profile.add(elevation, at: length)
    guard let level else {
      self.level = elevation
      return
    }
    if elevation - level >= Self.climbStep {
      climb += elevation - level
      self.level = elevation
    } else if level - elevation >= Self.climbStep {
      descent += level - elevation
      self.level = elevation
    }
  }

  private mutating func extend(_ point: TrackPoint) {
    let (x, y) = (point.longitude, point.latitude)
    guard let old = bounds else {
      bounds = (x, y, x, y)
      return
    }
    bounds = (min(old.west, x), min(old.south, y), max(old.east, x), max(old.north, y))
  }
}

/// The elevations along a way of any length, as means of at most 512 pieces of one length.
///
/// When a way grows longer than its pieces, each two become one: so memory is bounded, and no piece is
/// shorter than half of what the longest way would have.
package struct TrackProfile: Sendable {
  private static let most = 512
  private var sums: [Double] = []
  private var counts: [Int] = []
  /// Metres of a piece.
  private var width = 1.0

  /// Nothing yet.
  init() {}

  /// Adds an elevation at a distance from the beginning, both in metres.
  mutating func add(_ elevation: Double, at distance: Double) {
    guard distance.isFinite, distance >= 0 else { return }
    while distance >= width * Double(Self.most) { halve() }
    let index = Int(distance / width)
    while sums.count <= index {
      sums.append(0)
      counts.append(0)
    }
    sums[index] += elevation
    counts[index] += 1
  }

  private mutating func halve() {
    width *= 2
    for index in 0..<((sums.count + 1) / 2) {
      let second = 2 * index + 1 < sums.count ? 2 * index + 1 : nil
      sums[index] = sums[2 * index] + (second.map { sums[$0] } ?? 0)
      counts[index] = counts[2 * index] + (second.map { counts[$0] } ?? 0)
    }
    sums.removeLast(sums.count / 2)
    counts.removeLast(counts.count / 2)
  }

  /// The mean elevations of so many pieces; where no point lies, that of the piece before.
  ///
  /// - Returns: Nothing if there are no elevations.
  package func means(_ count: Int) -> [Double] {
    guard count > 0, var level = zip(sums, counts).first(where: { $1 > 0 }).map({ $0 / Double($1) })
    else { return [] }
    return (0..<count).map { piece in
      let start = piece * sums.count / count
      let end = max(start + 1, (piece + 1) * sums.count / count)
      let number = counts[start..<min(end, counts.count)].reduce(0, +)
      if number > 0 { level = sums[start..<min(end, sums.count)].reduce(0, +) / Double(number) }
      return level
    }
  }
}
