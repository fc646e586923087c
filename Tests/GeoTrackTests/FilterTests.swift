import TestSupport
import Testing

@testable import GeoTrack

/// Measures of tracks, and filters of points.
@Suite struct FilterTests {
  private func line(_ points: [(Double, Double, Double?, Int64?)]) -> [TrackPoint] {
    points.map {
      TrackPoint(longitude: $0.0, latitude: $0.1, elevation: $0.2, time: $0.3)
    }
  }

  private func play<Sink: TrackSink & ~Copyable>(
    _ points: [TrackPoint], into sink: inout Sink
  ) throws {
    try sink.begin(TrackDocument())
    try sink.begin(.track, TrackDetails())
    try sink.beginSegment()
    for point in points { try sink.add(point, TrackDetails()) }
    try sink.endSegment()
    try sink.endLine()
    try sink.end(extensions: [])
  }

  @Test func lengthOfADegreeAtTheEquator() throws {
    var measures = TrackMeasures()
    try play(
      line([(0, 0, 10, 0), (1, 0, 11, 10_000), (1, 0, 30, 20_000), (1, 1, 5, 30_000)]),
      into: &measures)
    // Twice the length of a degree, which is π/180 of the earth's mean radius.
    #expect(abs(measures.length - 2 * 111_195.08) < 0.1)
    #expect(measures.duration == 30_000)
    #expect(measures.movingTime == 20_000)
    #expect(abs((measures.greatestSpeed ?? 0) - 11_119.508) < 0.01)
    #expect(measures.climb == 20)  // one metre is noise, and is added to the next step
    #expect(measures.descent == 25)
    #expect(measures.elevations == 5...30)
    #expect(measures.bounds?.north == 1)
    #expect(measures.profile.means(3).first == 10 && measures.profile.means(3).last == 5)
  }

  @Test func aLineAcrossTheAntimeridianIsShort() throws {
    var measures = TrackMeasures()
    try play(line([(179.5, 0, nil, nil), (-179.5, 0, nil, nil)]), into: &measures)
    #expect(abs(measures.length - 111_195.08) < 0.1)
    #expect(measures.averageSpeed == nil)
    #expect(measures.bounds?.west == 179.5 && measures.bounds?.east == -179.5)
    // Around the world, nothing is left out.
    try play(line([(60, 1, nil, nil), (-60, 0, nil, nil)]), into: &measures)
    #expect(measures.bounds?.west == 60 && measures.bounds?.east == -60)
    try play(line([(0.2, 0, nil, nil), (-0.2, 0, nil, nil)]), into: &measures)
    #expect(measures.bounds?.west == -179.5 && measures.bounds?.east == 179.5)
    #expect(measures.profile.means(5).isEmpty)
  }

  /// Whatever the times are, the average is at most the highest speed, and the duration at most the
  /// time from the first to the last.
  @Test func speedsAndDurationsAgree() throws {
    for seed in TestScale.seeds(200) {
      var generator = SeededGenerator(seed: seed)
      var measures = TrackMeasures()
      for _ in 0..<generator.number(in: 1...3) {
        let points = (0..<generator.number(in: 0...8)).map { index in
          TrackPoint(
            longitude: Double(generator.number(in: -180...180)), latitude: 0,
            time: generator.chance(0.7) ? Int64(generator.number(in: 0...9) * 1000) : nil)
        }
        try play(points, into: &measures)
      }
      let whole = measures.times.map { $0.upperBound - $0.lowerBound } ?? 0
      #expect(0...whole ~= measures.duration, "seed \(seed)")
      #expect(0...measures.duration ~= measures.movingTime, "seed \(seed)")
      #expect((measures.averageSpeed ?? 0) <= measures.greatestSpeed ?? 0, "seed \(seed)")
    }
  }

  /// RFC 7946, 3.1.9: lines are cut at the 180th meridian.
  @Test(arguments: [
    (
      [(170.0, 0.0), (-170.0, 10.0), (-160.0, 10.0)],
      "[[[170,0],[180,5]],[[-180,5],[-170,10],[-160,10]]]"
    ),
    ([(-170, 0), (180, 1)], "[[[-170,0],[-180,1]],[[180,1],[180,1]]]"),
    ([(180, 0), (-180, 2)], "[[[180,0],[180,0]],[[-180,0],[-180,2]]]"),
    ([(0, 0), (180, 2)], "[[[0,0],[180,2]]]"),
  ])
  func linesAreCutAtTheAntimeridian(places: [(Double, Double)], coordinates: String) throws {
    let output = KeptOutput()
    var writer = GeoJSONTrackWriter(output)
    try play(line(places.map { ($0.0, $0.1, nil, 0) }), into: &writer)
    #expect(output.text.contains("\"coordinates\":\(coordinates)}"), "\(output.text)")
    // Each position has its time.
    let numbers = coordinates.split(separator: "]").count
    #expect(output.text.split(separator: "1970-").count - 1 == numbers, "\(output.text)")
  }

  @Test func profilesOfAnyLengthKeepTheirShape() {
    var profile = TrackProfile()
    for metre in 0..<2_000_000 { profile.add(Double(metre), at: Double(metre)) }
    let means = profile.means(4)
    for (index, mean) in means.enumerated() {
      #expect(abs(mean - (Double(index) + 0.5) * 500_000) < 5000, "\(means)")
    }
  }

  @Test func simplifyingStaysWithinTheTolerance() throws {
    for seed in TestScale.seeds(40) {
      var generator = SeededGenerator(seed: seed)
      var (x, y) = (10.0, 45.0)
      let points = (0..<200).map { _ in
        x += Double(generator.number(in: -100...300)) / 1e6
        y += Double(generator.number(in: -200...200)) / 1e6
        return TrackPoint(longitude: x, latitude: y)
      }
      let tolerance = Double(generator.number(in: 0...60))
      var sink = TrackSimplifier(tolerance: tolerance, KeptPoints())
      try play(points, into: &sink)
      let kept = sink.next.points
      #expect(kept.first == points.first && kept.last == points.last, "seed \(seed)")
      #expect(sink.dropped == points.count - kept.count, "seed \(seed)")
      // Every point is close to a segment of the result; the distance is computed in another way,
      // in degrees.
      for point in points {
        let nearest = zip(kept, kept.dropFirst()).map { distance(point, $0, $1) }.min() ?? 0
        #expect(nearest <= tolerance * 1.001 + 0.01, "seed \(seed)")
      }
    }
  }

  /// The distance in metres from a point to a segment, near 45° north.
  private func distance(_ p: TrackPoint, _ a: TrackPoint, _ b: TrackPoint) -> Double {
    let east = 111_195.08 * 0.70710678
    func flat(_ q: TrackPoint) -> (Double, Double) {
      ((q.longitude - a.longitude) * east, (q.latitude - a.latitude) * 111_195.08)
    }
    let (px, py) = flat(p)
    let (bx, by) = flat(b)
    let square = bx * bx + by * by
    let t = square == 0 ? 0 : min(max((px * bx + py * by) / square, 0), 1)
    return ((px - t * bx) * (px - t * bx) + (py - t * by) * (py - t * by)).squareRoot()
  }

  @Test func nothingNearAPlaceIsLeft() throws {
    let points = (0..<100).map { TrackPoint(longitude: Double($0) / 100, latitude: 0) }
    var sink = TrackRedactor(around: [(0.5, 0, 5560)], KeptPoints())
    try play(points, into: &sink)
    #expect(sink.dropped == 11)
    #expect(sink.next.segments == 2)
    #expect(sink.next.points.allSatisfy { abs($0.longitude - 0.5) > 0.05 })
  }
}

/// Collects points, and counts segments.
struct KeptPoints: TrackSink {
  var points: [TrackPoint] = []
  var segments = 0

  mutating func begin(_ document: TrackDocument) {}
  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) {}
  mutating func beginSegment() { segments += 1 }
  mutating func add(_ point: TrackPoint, _ details: TrackDetails) { points.append(point) }
  mutating func endSegment() {}
  mutating func endLine() {}
  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {}
  mutating func end(extensions: [UInt8]) {}
}
