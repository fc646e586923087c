import GeoCore
import GeoProjection

/// Computes the measures of tracks point by point, in bounded memory.
///
/// Lengths are those of great circles on a sphere with the earth's mean radius. Gaps between
/// segments don't count. Segments without times have a length but no duration.
///
/// Speeds are those between points with ascending times, over the whole length between them; points
/// without a time, and those not later than one before, are passed.
package struct TrackMeasures: TrackSink {
  /// Number of points of routes and tracks.
  package private(set) var points = 0
  /// Number of segments with at least one point.
  package private(set) var segments = 0
  /// Number of routes and tracks.
  package private(set) var lines = 0
  package private(set) var waypoints = 0
  /// Length in metres.
  package private(set) var length = 0.0
  /// The last time of each segment less its first, in milliseconds, in all; at most as long as
  /// ``times``.
  package var duration: Int64 {
    times.map { min(segmentTimes, $0.upperBound - $0.lowerBound) } ?? 0
  }
  /// The part of `duration` at ``movingSpeed`` or faster, in milliseconds.
  package var movingTime: Int64 { min(moving, duration) }
  /// Maximum speed between points, in metres per second; nil without points at different times.
  package private(set) var greatestSpeed: Double?
  /// First and last time of points of lines, as Unix time in milliseconds.
  package private(set) var times: ClosedRange<Int64>?
  /// Lowest and highest elevation, in metres.
  package private(set) var elevations: ClosedRange<Double>?
  /// Total ascent and descent in metres, in steps of at least ``climbStep``.
  package private(set) var climb = 0.0
  package private(set) var descent = 0.0
  package private(set) var profile = TrackProfile()
  /// The bounding box of all points, in degrees; nil without points. If a line crosses the 180th
  /// meridian, the east may be less than the west (RFC 7946, 5.2).
  package var bounds: (west: Double, south: Double, east: Double, north: Double)? {
    guard let box else { return nil }
    // The box that crosses is the narrower one if it leaves out more.
    if crosses, let west = eastern, let east = western, west - east > 360 - (box.east - box.west) {
      return (west, box.south, east, box.north)
    }
    return box
  }

  /// Half a kilometre per hour, in metres per second; slower movement is noise of the receiver.
  package static let movingSpeed = 0.5 / 3.6
  /// Smallest change of elevation that counts, in metres; less is noise of the receiver.
  package static let climbStep = 3.0

  private var last: (point: TrackPoint, position: Sphere.Position)?
  /// The elevation at which the last step ended.
  private var level: Double?
  private var segmentPoints = 0
  /// First and last time of the segment.
  private var span: ClosedRange<Int64>?
  /// The last time from which a speed is measured, and the length until then.
  private var timed: (time: Int64, length: Double)?
  private var segmentTimes: Int64 = 0
  private var moving: Int64 = 0
  /// The length and the time over which speeds are known.
  private var measured: (length: Double, time: Int64) = (0, 0)
  /// The box that doesn't cross the 180th meridian.
  private var box: (west: Double, south: Double, east: Double, north: Double)?
  private var crosses = false
  /// The least longitude east of 0 and the greatest west of it.
  private var eastern: Double?
  private var western: Double?

  package static var isOrderFree: Bool { true }

  package init() {}

  /// Average of the speeds by time, in metres per second, at most ``greatestSpeed``; nil if unknown.
  package var averageSpeed: Double? {
    greatestSpeed.map { min($0, measured.length / (Double(measured.time) / 1000)) }
  }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    lines += 1
  }

  package mutating func beginSegment() throws(Failure) {
    segmentPoints = 0
    last = nil
    level = nil
    span = nil
    timed = nil
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    let position = Sphere.Position(longitude: point.longitude, latitude: point.latitude)
    points += 1
    if segmentPoints == 0 { segments += 1 }
    segmentPoints += 1
    if let last {
      let distance = last.position.distance(to: position)
      length += distance
      if abs(point.longitude - last.point.longitude) > 180 { crosses = true }
    }
    if let time = point.time { add(time: time) }
    measure(point)
    last = (point, position)
  }

  private mutating func add(time: Int64) {
    let old = span.map { $0.upperBound - $0.lowerBound } ?? 0
    let new = Self.extended(span, to: time)
    segmentTimes += new.upperBound - new.lowerBound - old
    span = new
    times = Self.extended(times, to: time)
    if let timed {
      if time <= timed.time { return }
      let (way, pause) = (length - timed.length, time - timed.time)
      let speed = way / (Double(pause) / 1000)
      if speed >= Self.movingSpeed { moving += pause }
      greatestSpeed = max(greatestSpeed ?? 0, speed)
      measured = (measured.length + way, measured.time + pause)
    }
    timed = (time, length)
  }

  private static func extended<Value: Comparable>(
    _ range: ClosedRange<Value>?, to value: Value
  ) -> ClosedRange<Value> {
    min(range?.lowerBound ?? value, value)...max(range?.upperBound ?? value, value)
  }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    waypoints += 1
    extend(point)
  }

  package mutating func end(extensions: [UInt8]) {}

  private mutating func measure(_ point: TrackPoint) {
    extend(point)
    guard let elevation = point.elevation else { return }
    elevations = Self.extended(elevations, to: elevation)
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
    if x < 0 { western = max(western ?? x, x) } else { eastern = min(eastern ?? x, x) }
    guard let old = box else {
      box = (x, y, x, y)
      return
    }
    box = (min(old.west, x), min(old.south, y), max(old.east, x), max(old.north, y))
  }
}

/// The elevation profile of a track of any length, as means of at most 512 pieces of equal length.
///
/// When the track becomes too long for the pieces, pairs of them are merged, so that memory is
/// bounded.
package struct TrackProfile: Sendable {
  private static let maximum = 512
  private var pieces: [(sum: Double, count: Int)] = []
  /// Length of a piece, in metres.
  private var width = 1.0

  init() {}

  /// Adds an elevation at a distance from the start, both in metres.
  mutating func add(_ elevation: Double, at distance: Double) {
    guard distance.isFinite, distance >= 0 else { return }
    while distance >= width * Double(Self.maximum) { halve() }
    let index = Int(distance / width)
    while pieces.count <= index { pieces.append((0, 0)) }
    pieces[index].sum += elevation
    pieces[index].count += 1
  }

  private mutating func halve() {
    width *= 2
    pieces = stride(from: 0, to: pieces.count, by: 2).map { index in
      Self.total(of: pieces[index..<min(index + 2, pieces.count)])
    }
  }

  private static func total(
    of pieces: ArraySlice<(sum: Double, count: Int)>
  ) -> (sum: Double, count: Int) {
    pieces.reduce(into: (0, 0)) { total, piece in
      total.sum += piece.sum
      total.count += piece.count
    }
  }

  /// The mean elevations of `count` pieces of equal length; a piece without points gets that of the
  /// previous one.
  ///
  /// - Returns: An empty array if there are no elevations.
  package func means(_ count: Int) -> [Double] {
    guard count > 0, let first = pieces.first(where: { $0.count > 0 }) else { return [] }
    var level = first.sum / Double(first.count)
    return (0..<count).map { piece in
      let start = piece * pieces.count / count
      let end = max(start + 1, (piece + 1) * pieces.count / count)
      let total = Self.total(of: pieces[start..<min(end, pieces.count)])
      if total.count > 0 { level = total.sum / Double(total.count) }
      return level
    }
  }
}
