import GeoAtlas
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoSystem
import GeoTrack

/// `geomapper track places`: shows which folders a track crosses, and when.
enum TrackPlaces {
  static func run(_ path: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    _ = try run.place
    var crossings = Crossings(world: try AtlasPlan(run).world)
    try TrackFile(path, run.low.track).read(into: &crossings, run)
    try run.write(as: format, json: crossings.json(of: path), text: crossings.text)
  }
}

/// Records where a line enters another folder's land.
private struct Crossings: TrackSink {
  /// A line or a waypoint, with its places.
  private struct Entry {
    /// nil for a waypoint.
    var kind: TrackKind?
    var name: [UInt8]
    var places: [Place] = []
  }

  /// The point where a line enters the land of a folder, or the point of a waypoint.
  private struct Place {
    /// In Unix milliseconds, if known.
    var time: Int64?
    /// Metres from the start of the line.
    var distance: Double
    /// The path of the folder; empty at sea.
    var folder: [UInt8]
  }

  private let world: World
  private var entries: [Entry] = []
  private var measures = TrackMeasures()

  init(world: World) { self.world = world }

  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    entries.append(Entry(kind: kind, name: details.name))
    measures = TrackMeasures()
  }

  mutating func beginSegment() throws(Failure) { try measures.beginSegment() }

  mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    try measures.add(point, details)
    let folder = world.deepestFolder(at: point)
    guard let last = entries.indices.last, folder != entries[last].places.last?.folder else {
      return
    }
    entries[last].places.append(Place(time: point.time, distance: measures.length, folder: folder))
  }

  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {
    let folder = world.deepestFolder(at: waypoint)
    entries.append(
      Entry(
        kind: nil, name: details.name,
        places: [Place(time: waypoint.time, distance: 0, folder: folder)]))
  }

  mutating func end(extensions: [UInt8]) {}

  var text: String {
    var text = ""
    for entry in entries {
      let name = entry.name.isEmpty ? "" : " \(entry.name.shown)"
      text += "\(entry.kind?.rawValue ?? "waypoint")\(name)\n"
      for place in entry.places {
        text += "  "
        if entry.kind != nil {
          let time = place.time.map { TrackInfo.moment($0) } ?? ""
          text += padded(time, time.isEmpty ? 0 : 26)
          text += padded(NodeText.distance(place.distance), 10)
        }
        text += place.folder.isEmpty ? "(at sea)\n" : "\(place.folder.shown)\n"
      }
    }
    return text
  }

  /// The crossings as JSON; a place at sea has no path.
  func json(of file: [UInt8]) -> [UInt8] {
    func add(_ place: Place, to json: inout JSONBuilder) {
      if let time = place.time { json.member("time", word: TrackInfo.moment(time)) }
      if !place.folder.isEmpty { json.member("path", text: place.folder, raw: "rawPath") }
    }
    return TrackInfo.json(of: file) { json in
      json.member("lines", each: entries) { entry, json in
        guard let kind = entry.kind else { return }
        json.object { json in
          json.member("kind", word: kind.rawValue)
          if !entry.name.isEmpty { json.member("name", text: entry.name) }
          json.member("places", objects: entry.places) { place, json in
            json.member("distance", decimal: place.distance)
            add(place, to: &json)
          }
        }
      }
      json.member("waypoints", objects: entries.filter { $0.kind == nil }) { entry, json in
        if !entry.name.isEmpty { json.member("name", text: entry.name) }
        if let place = entry.places.first { add(place, to: &json) }
      }
    }
  }
}

extension World {
  /// The path of the deepest folder whose land contains a point; empty at sea.
  func deepestFolder(at point: TrackPoint) -> [UInt8] {
    var query = PointQuery(ExactPoint(longitude: point.longitude, latitude: point.latitude))
    query.limit = 0
    return query.answer(in: self).folders.first?.last?.path ?? []
  }
}

/// `geomapper track from` with a recording: writes the places in it.
struct RecordedPlaces: TrackProduct {
  private let reader: RecordingReader
  private var fault: Failure?

  private static let beginning = Array("{\"metadata\":".utf8)

  /// Whether a regular file begins like a recording.
  static func begins(_ path: [UInt8]) -> Bool {
    guard let file = try? InputFile(at: path), let start = file.start else { return false }
    var bytes: [UInt8] = []
    _ = try? file.read(upTo: beginning.count, at: start, appendingTo: &bytes)
    return bytes == beginning
  }

  static func run(_ path: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    let file = try RecordingFile(path, run.low)
    var places = RecordedPlaces(reader: try file.read())
    try run.write(&places, as: format, reading: file.file)
    run.add(places.fault, endingEarly: file.shown)
  }

  mutating func write<Writer: TrackSink & ~Copyable>(to writer: consuming Writer) throws(Failure) {
    var writer = writer
    try RecordedTrack.begin(reader.metadata, &writer)
    fault = try EventExport.forEach(reader) { (event) throws(Failure) in
      try RecordedTrack.add(event, to: &writer)
    }
    try RecordedTrack.end(&writer)
  }
}
