import GeoAtlas
import GeoPath
import GeoProjection
import GeoSystem
import GeoTrack

/// `geomapper track from`: what was done to paths, as a track over the map.
enum TimedPaths {
  static func run(_ path: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let plan = try AtlasPlan(low)
    let file = try TrackFile(path)
    let output = try TrackFileOutput(opening: place)
    var counts = Counts()
    try output.complete { () throws(Failure) in
      switch low.track.format ?? .gpx {
      case .gpx, .text: counts = try play(file, plan, low, GPXTrackWriter(output))
      case .geojson: counts = try play(file, plan, low, GeoJSONTrackWriter(output))
      case .csv: counts = try play(file, plan, low, CSVTrackWriter(output))
      case .json: counts = try play(file, plan, low, JSONTrackWriter(output))
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
    var lines = LineInput(file.input)
    let isTrace = low.track.lines == .strace
    do throws(TrackError) {
      try writer.begin(TrackDocument())
      try writer.begin(.track, TrackDetails())
      try writer.beginSegment()
      while let line = try lines.next() {
        switch isTrace ? TimedPath.parse(strace: line[...]) : TimedPath.parse(line[...]) {
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
      try writer.endSegment()
      try writer.endLine()
      try writer.end(extensions: [])
    } catch {
      throw file.failure(error)
    }
    return counts
  }

  /// Where a path is on the map, if it is.
  private static func point(
    for timed: TimedPath, _ plan: AtlasPlan
  ) -> (place: TrackPoint, path: [UInt8])? {
    guard let path = try? plan.mapPath(of: timed.path), let node = plan.world.node(at: path) else {
      return nil
    }
    let (longitude, latitude) = node.coordinate(by: plan.world.engine).degrees(digits: node.digits)
    let place = TrackPoint(
      longitude: longitude, latitude: latitude, elevation: 100 * Double(node.depth),
      time: timed.time)
    return (place, path)
  }
}

/// The lines of a file, without their ends.
private struct LineInput {
  private let file: InputFile
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private static let longest = 1 << 20

  init(_ file: InputFile) { self.file = file }

  /// The next line; nil at the end.
  mutating func next() throws(TrackError) -> [UInt8]? {
    while true {
      if let end = buffer[position...].firstIndex(of: 0x0A) {
        defer { position = end + 1 }
        return Array(buffer[position..<end])
      }
      if isAtEnd {
        defer { position = buffer.count }
        return position < buffer.count ? Array(buffer[position...]) : nil
      }
      // A line that has no end can't be a path.
      if buffer.count - position > Self.longest { position = buffer.count }
      buffer.removeSubrange(..<position)
      position = 0
      do throws(Errno) {
        isAtEnd = try file.read(upTo: 256 << 10, appendingTo: &buffer) == 0
      } catch {
        throw .unreadable(error)
      }
    }
  }
}
