import GeoCore
import GeoProjection

/// Removes points of lines whose distance from the simplified line is within a tolerance.
///
/// Points with a name stay, and so do the first and the last of a segment. Distances are measured
/// to the straight line on a plane that touches the earth at the segment's points. That is accurate
/// for lines of some hundred kilometres; for longer ones it is up to a hundredth too long, never
/// too short. A segment is kept in memory: about 100 bytes a point, and its details.
///
/// Source: D. H. Douglas and T. K. Peucker, Cartographica 10 (1973), 112.
///
/// Complexity: O(n log n) for usual lines, O(n²) in the worst case; the stack is on the heap.
package struct TrackSimplifier<Next: TrackSink & ~Copyable>: TrackSink, ~Copyable {
  private(set) var next: Next
  private let tolerance: Double
  private var points: [TrackPoint] = []
  private var details: [TrackDetails] = []
  private var extensions: [UInt8] = []
  package private(set) var dropped = 0
  package private(set) var kept = 0

  /// - Parameter tolerance: In metres, at least 0.
  package init(tolerance: Double, _ next: consuming Next) {
    self.tolerance = tolerance
    self.next = next
  }

  package mutating func begin(_ document: TrackDocument) throws(Failure) {
    try next.begin(document)
  }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    try next.begin(kind, details)
  }

  package mutating func beginSegment() throws(Failure) {
    points.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    try next.beginSegment()
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    points.append(point)
    self.details.append(details)
  }

  package mutating func add(segmentExtensions: [UInt8]) throws(Failure) {
    extensions = segmentExtensions
  }

  package mutating func endSegment() throws(Failure) {
    let stays = keptPoints()
    for index in points.indices {
      if stays[index] {
        kept += 1
        try next.add(points[index], details[index])
      } else {
        dropped += 1
      }
    }
    if !extensions.isEmpty { try next.add(segmentExtensions: extensions) }
    extensions = []
    try next.endSegment()
  }

  package mutating func endLine() throws(Failure) { try next.endLine() }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    try next.add(waypoint: point, details)
  }

  package mutating func end(extensions: [UInt8]) throws(Failure) {
    try next.end(extensions: extensions)
  }

  /// Which points of the segment stay.
  private func keptPoints() -> [Bool] {
    var kept = details.map { !$0.name.isEmpty }
    guard let last = points.indices.last else { return [] }
    kept[0] = true
    kept[last] = true
    let fixed = kept.indices.filter { kept[$0] }
    var open = zip(fixed, fixed.dropFirst()).map { (start: $0, end: $1) }
    while let part = open.popLast() {
      guard let (index, distance) = farthest(from: part.start, to: part.end),
        distance > tolerance
      else { continue }
      kept[index] = true
      open.append((part.start, index))
      open.append((index, part.end))
    }
    return kept
  }

  /// The point between two others that is farthest from the line through them, and its distance in
  /// metres; nil if there are no points in between.
  private func farthest(from start: Int, to end: Int) -> (index: Int, distance: Double)? {
    if end - start < 2 { return nil }
    let line = LocalLine(from: points[start], to: points[end])
    var best: (index: Int, distance: Double) = (start, -1)
    for index in (start + 1)..<end {
      let distance = line.distance(to: points[index])
      if distance > best.distance { best = (index, distance) }
    }
    return best
  }
}

/// A straight line between two points, on a local plane.
private struct LocalLine {
  private let origin: TrackPoint
  private let scale: (east: Double, north: Double)
  private let end: (x: Double, y: Double)

  init(from a: TrackPoint, to b: TrackPoint) {
    origin = a
    let metres = Sphere.radius * .pi / 180
    // The latitude nearest to the equator, where degrees of longitude are longest.
    let latitude = min(abs(a.latitude), abs(b.latitude))
    scale = (metres * Sphere.cosine(ofDegrees: latitude), metres)
    end = Self.offset(of: b, from: a, scale)
  }

  private static func offset(
    of point: TrackPoint, from origin: TrackPoint, _ scale: (east: Double, north: Double)
  ) -> (x: Double, y: Double) {
    var turn = point.longitude - origin.longitude
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    return (turn * scale.east, (point.latitude - origin.latitude) * scale.north)
  }

  /// Distance from a point to the nearest point of the line, in metres.
  func distance(to point: TrackPoint) -> Double {
    let place = Self.offset(of: point, from: origin, scale)
    let square = end.x * end.x + end.y * end.y
    let along = square > 0 ? (place.x * end.x + place.y * end.y) / square : 0
    let fraction = min(max(along, 0), 1)
    let (x, y) = (place.x - fraction * end.x, place.y - fraction * end.y)
    return (x * x + y * y).squareRoot()
  }
}
