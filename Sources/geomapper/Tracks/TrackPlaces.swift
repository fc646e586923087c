import GeoAtlas
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoSystem
import GeoTrack

/// `geomapper track places`: which folders a track crosses, and when.
enum TrackPlaces {
  static func run(_ path: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try low.place
    let plan = try AtlasPlan(low)
    var crossings = Crossings(world: plan.world)
    try TrackFile(path).read(into: &crossings, showing: low.progressLine())
    let bytes = low.format == .json ? crossings.json(of: path) : Array(crossings.text.utf8)
    try OutputFile.write(bytes, to: place)
    return plan.status()
  }
}

/// Notes where a line enters another folder's land.
private struct Crossings: TrackSink {
  /// A line or a waypoint, and the folders that it comes to.
  private struct Entry {
    /// nil for a waypoint.
    var kind: TrackKind?
    var name: [UInt8]
    var places: [Place] = []
  }

  /// Where a line enters the land of a folder, or where a waypoint is.
  private struct Place {
    /// In milliseconds, if it is known.
    var time: Int64?
    /// Metres from the beginning of the line.
    var distance: Double
    /// Nothing at sea.
    var folder: [UInt8]
  }

  private let world: World
  private var entries: [Entry] = []
  private var measures = TrackMeasures()

  init(world: World) { self.world = world }

  mutating func begin(_ document: TrackDocument) {}

  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError) {
    entries.append(Entry(kind: kind, name: details.name))
    measures = TrackMeasures()
  }

  mutating func beginSegment() throws(TrackError) { try measures.beginSegment() }

  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError) {
    try measures.add(point, details)
    let folder = world.deepestFolder(at: point)
    guard let last = entries.indices.last, folder != entries[last].places.last?.folder else {
      return
    }
    entries[last].places.append(
      Place(time: point.time, distance: measures.length, folder: folder))
  }

  mutating func endSegment() {}
  mutating func endLine() {}

  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {
    let folder = world.deepestFolder(at: waypoint)
    entries.append(
      Entry(
        kind: nil, name: details.name,
        places: [Place(time: waypoint.time, distance: 0, folder: folder)]))
  }

  mutating func end(extensions: [UInt8]) {}

  /// For people.
  var text: String {
    var text = ""
    for entry in entries {
      let name = entry.name.isEmpty ? "" : " \(TerminalText.escaped(entry.name))"
      text += "\(entry.kind?.rawValue ?? "waypoint")\(name)\n"
      for place in entry.places {
        text += "  "
        if entry.kind != nil {
          let time = place.time.map { TrackInfo.moment($0) } ?? ""
          text += padded(time, time.isEmpty ? 0 : 26)
          text += padded(NodeText.distance(place.distance), 10)
        }
        text += place.folder.isEmpty ? "(at sea)\n" : "\(TerminalText.escaped(place.folder))\n"
      }
    }
    return text
  }

  /// For programs; a place at sea has no path.
  func json(of file: [UInt8]) -> [UInt8] {
    func add(_ place: Place, to json: inout JSONBuilder) {
      if let time = place.time { json.member("time", text: Array(TrackInfo.moment(time).utf8)) }
      if !place.folder.isEmpty { json.member("path", text: place.folder, raw: "rawPath") }
    }
    return TrackInfo.json(of: file) { json in
      json.key("lines")
      json.array { json in
        for entry in entries {
          guard let kind = entry.kind else { continue }
          json.object { json in
            json.member("kind", text: Array(kind.rawValue.utf8))
            if !entry.name.isEmpty { json.member("name", text: entry.name) }
            json.key("places")
            json.array { json in
              for place in entry.places {
                json.object { json in
                  json.key("distance")
                  json.value(place.distance)
                  add(place, to: &json)
                }
              }
            }
          }
        }
      }
      json.key("waypoints")
      json.array { json in
        for entry in entries where entry.kind == nil {
          json.object { json in
            if !entry.name.isEmpty { json.member("name", text: entry.name) }
            if let place = entry.places.first { add(place, to: &json) }
          }
        }
      }
    }
  }
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
    let progress = low.progressLine(beside: place)
    file.show(in: progress)
    defer { progress?.clear() }
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
    let place = try low.place
    if low.track.lines == .recording || low.track.lines == nil && RecordedPlaces.begins(path) {
      return try RecordedPlaces.run(path, low, to: place)
    }
    let plan = try AtlasPlan(low)
    let file = try TrackFile(path)
    let progress = low.progressLine(beside: place)
    progress?.begin(reading: file.input)
    defer { progress?.clear() }
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
    return plan.status()
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
