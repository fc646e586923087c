import GeoCore
import TestSupport
import Testing

@testable import GeoTrack

/// The page reads and measures tracks independently; both have to pass the same cases.
@Suite struct PageCaseTests {
  private func cases(
    _ rule: String, in file: String = "tracks.json", atLeast count: Int
  ) throws -> [RuleCase] {
    let found = try RuleCase.all(in: file).filter { $0.rule == rule }
    #expect(found.count >= count)
    return found
  }

  private func play<Sink: TrackSink>(_ segments: [[TrackPoint]], into sink: inout Sink) throws {
    try sink.begin(TrackDocument())
    try sink.begin(.track, TrackDetails())
    for points in segments {
      try sink.beginSegment()
      for point in points { try sink.add(point, TrackDetails()) }
      try sink.endSegment()
    }
    try sink.endLine()
    try sink.end(extensions: [])
  }

  /// A point of longitude, latitude, and optional elevation and time.
  private func point(_ value: Any) -> TrackPoint {
    let parts = value as? [Any] ?? []
    func part(_ index: Int) -> Double? {
      parts.indices.contains(index) ? RuleCase.number(parts[index]) : nil
    }
    return TrackPoint(
      longitude: part(0) ?? .nan, latitude: part(1) ?? .nan, elevation: part(2),
      time: part(3).map { Int64($0) })
  }

  @Test func cuesEqualThoseOfThePage() throws {
    for one in try cases("cues", atLeast: 20) {
      var sheet = TrackCueSheet()
      try play([one.list.map(point)], into: &sheet)
      let cues = sheet.lines.first?.cues ?? []
      let expected = one.output as? [[Any]] ?? []
      #expect(cues.count == expected.count, "\(one.input)")
      for (cue, parts) in zip(cues, expected) {
        let degrees: Any
        switch cue.turn {
        case .start(let bearing): degrees = bearing
        case .turn(let turn): degrees = turn
        case .arrival: degrees = parts[1]
        }
        #expect(RuleCase.agree(degrees, parts[1]), "\(one.input): \(cue), not \(parts)")
        #expect(RuleCase.agree(cue.distance, parts[2]), "\(one.input): \(cue), not \(parts)")
        #expect(cue.turn.name == parts[0] as? String, "\(one.input): \(cue), not \(parts)")
      }
    }
  }

  @Test func textsOfCuesEqualThoseOfThePage() throws {
    for one in try cases("turn", atLeast: 10) {
      let words = TrackCue.Turn.turn(degrees: one.number ?? 0).words
      #expect(words == one.output as? String)
    }
    for one in try cases("go", atLeast: 10) {
      #expect(TrackCue.Turn.start(bearing: one.number ?? 0).words == one.output as? String)
    }
  }

  @Test func measuresEqualThoseOfThePage() throws {
    for one in try cases("measure", atLeast: 10) {
      var measures = TrackMeasures()
      try play(one.list.map { ($0 as? [Any] ?? []).map(point) }, into: &measures)
      let numbers: [(String, Double?)] = [
        ("points", Double(measures.points)), ("length", measures.length),
        ("duration", Double(measures.duration)), ("moving", Double(measures.movingTime)),
        ("greatest", measures.greatestSpeed), ("climb", measures.climb),
        ("descent", measures.descent), ("lowest", measures.elevations?.lowerBound),
        ("highest", measures.elevations?.upperBound),
      ]
      let output = one.output as? [String: Any] ?? [:]
      for (name, value) in numbers {
        guard let value else {
          #expect(RuleCase.number(output[name]) == nil, "\(name) of \(one.input)")
          continue
        }
        let expected = output[name] ?? "nothing"
        #expect(RuleCase.agree(value, expected), "\(name) of \(one.input): \(value)")
      }
      let box = RuleCase.numbers(output["box"])
      // The page's box doesn't cross the 180th meridian.
      let bounds = try #require(measures.bounds)
      if bounds.east < bounds.west { continue }
      #expect(box == [bounds.west, bounds.south, bounds.east, bounds.north])
    }
  }

  @Test func filesAreReadLikeOnThePage() throws {
    for one in try cases("gpx", in: "gpx.json", atLeast: 30) {
      let text = one.input as? String ?? ""
      var sink = PageSink()
      var reader = GPXReader(TrackBytesInput(Array(text.utf8), piece: 64))
      guard let output = one.output as? [[Any]] else {
        #expect(throws: Failure.self, "\(text)") { try reader.read(into: &sink) }
        continue
      }
      try reader.read(into: &sink)
      let numbers = output.map { $0.map { $0 is String ? 0 : $0 } }
      #expect(RuleCase.agree(sink.all, numbers), "\(text)")
      #expect(sink.names == output.map { $0.compactMap { $0 as? String } }, "\(text)")
    }
  }
}

extension TrackCue.Turn {
  /// The page's name for it.
  fileprivate var name: String {
    switch self {
    case .start: "start"
    case .turn: "turn"
    case .arrival: "arrival"
    }
  }
}

/// The tracks in the form of the page's cases: strings in one list, and numbers in the other, with
/// 0 for each string.
private struct PageSink: TrackSink {
  var lines: (names: [[String]], all: [[Any]]) = ([], [])
  var places: (names: [[String]], all: [[Any]]) = ([], [])
  private var segments = 0
  private var longitudes: [Double] = []
  private var latitudes: [Double] = []
  private var heading: [String] = []

  var names: [[String]] { lines.names + places.names }
  var all: [[Any]] { lines.all + places.all }

  mutating func begin(_ document: TrackDocument) {}
  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) {
    heading = [kind.rawValue, String(decoding: details.name, as: UTF8.self)]
    segments = 0
    longitudes = []
    latitudes = []
  }
  mutating func beginSegment() { segments += 1 }
  mutating func add(_ point: TrackPoint, _ details: TrackDetails) {
    longitudes.append(point.longitude)
    latitudes.append(point.latitude)
  }
  mutating func endSegment() {}
  mutating func endLine() {
    if longitudes.isEmpty { return }
    lines.names.append(heading)
    lines.all.append([0, 0, segments] + longitudes + latitudes)
  }
  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {
    places.names.append(["waypoint", String(decoding: details.name, as: UTF8.self)])
    places.all.append([0, 0, waypoint.longitude, waypoint.latitude])
  }
  mutating func end(extensions: [UInt8]) {}
}
