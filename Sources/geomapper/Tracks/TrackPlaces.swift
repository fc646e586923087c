import GeoAtlas
import GeoCore
import GeoProjection
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
