import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import GeoTrack

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
