import GeoAtlas
import GeoCore
import GeoLive
import GeoProjection
import GeoSystem
import GeoTrack

/// `geomapper track places`: which folders a track crosses, and when.
enum TrackPlaces {
  static func run(_ path: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let plan = try AtlasPlan(low)
    let file = try TrackFile(path)
    var crossings = Crossings(world: plan.world)
    try file.read(into: &crossings)
    try OutputFile.write(Array(crossings.text.utf8), to: place)
    return .success
  }
}

/// Notes where a line enters another folder's land.
private struct Crossings: TrackSink {
  private let world: World
  private(set) var text = ""
  private var measures = TrackMeasures()
  /// The deepest folder whose land the last point is in; nil before the first, nothing at sea.
  private var current: [UInt8]?

  init(world: World) { self.world = world }

  mutating func begin(_ document: TrackDocument) {}

  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError) {
    let name = details.name.isEmpty ? "" : " \(TerminalText.escaped(details.name))"
    text += "\(kind.rawValue)\(name)\n"
    measures = TrackMeasures()
    current = nil
  }

  mutating func beginSegment() throws(TrackError) { try measures.beginSegment() }

  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError) {
    try measures.add(point, details)
    let folder = world.deepestFolder(at: point)
    if folder == current { return }
    current = folder
    let time = point.time.map { TrackInfo.moment($0) } ?? ""
    let distance = NodeText.distance(measures.length)
    text += "  \(padded(time, time.isEmpty ? 0 : 26))\(padded(distance, 10))"
    text += folder.isEmpty ? "(at sea)\n" : "\(TerminalText.escaped(folder))\n"
  }

  mutating func endSegment() {}
  mutating func endLine() {}

  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {
    let folder = world.deepestFolder(at: waypoint)
    let name = details.name.isEmpty ? "" : " \(TerminalText.escaped(details.name))"
    text += "waypoint\(name)\n"
    text += folder.isEmpty ? "  (at sea)\n" : "  \(TerminalText.escaped(folder))\n"
  }

  mutating func end(extensions: [UInt8]) {}
}

extension World {
  /// The path of the deepest folder whose land holds a point; nothing at sea.
  func deepestFolder(at point: TrackPoint) -> [UInt8] {
    var query = PointQuery(
      ExactPoint(longitude: point.longitude, latitude: point.latitude))
    query.limit = 0
    return query.answer(in: self).folders.first?.last?.path ?? []
  }
}

/// `geomapper track from` with a recording: its places, as they were recorded.
enum RecordedPlaces {
  private static let beginning = Array("{\"metadata\":".utf8)

  /// Whether a regular file begins as a recording does.
  static func begins(_ path: [UInt8]) -> Bool {
    guard let file = try? InputFile(at: path), let start = file.start else { return false }
    var bytes: [UInt8] = []
    _ = try? file.read(upTo: beginning.count, at: start, appendingTo: &bytes)
    return bytes == beginning
  }

  static func run(
    _ path: [UInt8], _ low: LowArguments, to place: OutputPlace
  ) throws(Failure) -> ExitStatus {
    let file = try RecordingFile(path, low)
    let reader = try file.read()
    let output = try TrackFileOutput(opening: place)
    var fault: RecordingError?
    try output.complete { () throws(Failure) in
      switch low.format {
      case .geojson: fault = try write(file, reader, GeoJSONTrackWriter(output))
      case .csv: fault = try write(file, reader, CSVTrackWriter(output))
      case .json: fault = try write(file, reader, JSONTrackWriter(output))
      default: fault = try write(file, reader, GPXTrackWriter(output))
      }
    }
    guard let fault else { return .success }
    Messages.note("\(file.shown) breaks off: \(fault)")
    return .incomplete
  }

  private static func write<Writer: TrackSink & ~Copyable>(
    _ file: RecordingFile, _ reader: RecordingReader, _ writer: consuming Writer
  ) throws(Failure) -> RecordingError? {
    do throws(TrackError) {
      try RecordedTrack.begin(reader.metadata, &writer)
      var fault: RecordingError?
      var reader = reader
      reading: while true {
        let event: RecordedEvent?
        do throws(RecordingError) {
          event = try reader.next()
        } catch {
          fault = error
          break reading
        }
        guard let event else { break }
        try RecordedTrack.add(event, to: &writer)
      }
      try RecordedTrack.end(&writer)
      return fault
    } catch {
      throw .output("\(error)")
    }
  }
}

/// `geomapper track from`: what was done to paths, as a track over the map.
enum TimedPaths {
  static func run(_ path: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    if low.track.lines == .recording || low.track.lines == nil && RecordedPlaces.begins(path) {
      return try RecordedPlaces.run(path, low, to: place)
    }
    let plan = try AtlasPlan(low)
    let file = try TrackFile(path)
    let output = try TrackFileOutput(opening: place)
    var counts = Counts()
    try output.complete { () throws(Failure) in
      switch low.format {
      case .geojson: counts = try play(file, plan, low, GeoJSONTrackWriter(output))
      case .csv: counts = try play(file, plan, low, CSVTrackWriter(output))
      case .json: counts = try play(file, plan, low, JSONTrackWriter(output))
      default: counts = try play(file, plan, low, GPXTrackWriter(output))
      }
    }
    if !low.isQuiet, counts.missing + counts.malformed > 0 {
      Messages.note(
        "\(Quantity.count(counts.points, "point")); left out: "
          + "\(Quantity.count(counts.missing, "path")) that the map doesn't have, "
          + "\(Quantity.count(counts.malformed, "line")) that could not be read")
    }
    return .success
  }

  /// Bytes of a line at most: a longer one can't be a path.
  private static let longestLine = 1 << 20

  private struct Counts {
    var points = 0
    /// Paths that are not on the map.
    var missing = 0
    var malformed = 0
  }

  private static func play<Writer: TrackSink & ~Copyable>(
    _ file: TrackFile, _ plan: AtlasPlan, _ low: LowArguments, _ writer: consuming Writer
  ) throws(Failure) -> Counts {
    var counts = Counts()
    var lines = LineReader(file.input, limit: longestLine)
    do throws(TrackError) {
      try writer.begin(TrackDocument())
      try writer.begin(.track, TrackDetails())
      try writer.beginSegment()
      while let block = try next(&lines) {
        for line in block.split(separator: UInt8(ascii: "\n")) {
          switch parse(line, low) {
          case .nothing: continue
          case .malformed: counts.malformed += 1
          case .path(let timed):
            guard let point = point(for: timed, plan) else {
              counts.missing += 1
              continue
            }
            counts.points += 1
            try writer.add(point.place, TrackDetails(name: point.path))
          }
        }
      }
      try writer.endSegment()
      try writer.endLine()
      try writer.end(extensions: [])
    } catch {
      throw file.failure(error)
    }
    return counts
  }

  private static func next(_ lines: inout LineReader) throws(TrackError) -> [UInt8]? {
    do throws(Errno) {
      return try lines.next()
    } catch {
      throw .unreadable(error)
    }
  }

  private static func parse(_ line: ArraySlice<UInt8>, _ low: LowArguments) -> TimedPath.Line {
    if line.count > longestLine { return .malformed }
    return low.track.lines == .strace ? TimedPath.parse(strace: line) : TimedPath.parse(line)
  }

  /// Where a path is on the map, if it is.
  private static func point(
    for timed: TimedPath, _ plan: AtlasPlan
  ) -> (place: TrackPoint, path: [UInt8])? {
    guard let path = try? plan.paths.path(of: timed.path), let node = plan.world.node(at: path)
    else {
      return nil
    }
    let (longitude, latitude) = node.coordinate(by: plan.world.engine).degrees(digits: node.digits)
    let place = TrackPoint(
      longitude: longitude, latitude: latitude, elevation: 100 * Double(node.depth),
      time: timed.time)
    return (place, path)
  }
}
