import GeoCore
import GeoSystem
import GeoTrack

/// `geomapper track from`: writes timed accesses to paths as a track over the map.
struct TimedPaths: TrackProduct {
  private let file: TrackFile
  private let lines: TrackArguments.Lines?
  private let plan: AtlasPlan
  private var points = 0
  private var missing = 0
  private var malformed = 0

  static func run(_ path: [UInt8], _ run: Run, as format: FileFormat) throws(Failure) {
    _ = try run.place
    let lines = run.low.track.lines
    if lines == .recording || lines == nil && RecordedPlaces.begins(path) {
      return try RecordedPlaces.run(path, run, as: format)
    }
    let plan = try AtlasPlan(run)
    let file = try TrackFile(path, run.low.track)
    var paths = TimedPaths(file: file, lines: lines, plan: plan)
    try run.write(&paths, as: format, reading: file.file)
    if paths.missing + paths.malformed > 0 {
      run.note(
        "\(Quantity.count(paths.points, "point")); left out: "
          + "\(Quantity.count(paths.missing, "path")) that the map doesn't have, "
          + "\(Quantity.count(paths.malformed, "line")) that could not be read")
    }
  }

  /// Maximum length of a line in bytes; a path can't be longer.
  private static let longestLine = 1 << 20

  mutating func write<Writer: TrackSink & ~Copyable>(to writer: consuming Writer) throws(Failure) {
    var writer = writer
    var reader = LineReader(file.input, limit: Self.longestLine)
    try writer.begin(TrackDocument())
    try writer.begin(.track, TrackDetails())
    try writer.beginSegment()
    while let block = try rethrowing(reader.next(), as: Failure.unreadable) {
      for line in block.split(separator: UInt8(ascii: "\n")) {
        switch parse(line) {
        case .nothing: continue
        case .malformed: malformed += 1
        case .path(let timed):
          guard let point = point(for: timed) else {
            missing += 1
            continue
          }
          points += 1
          try writer.add(point.place, TrackDetails(name: point.path))
        }
      }
    }
    try writer.endSegment()
    try writer.endLine()
    try writer.end(extensions: [])
  }

  private func parse(_ line: ArraySlice<UInt8>) -> TimedPath.Line {
    if line.count > Self.longestLine { return .malformed }
    return lines == .strace ? TimedPath.parse(strace: line) : TimedPath.parse(line)
  }

  private func point(for timed: TimedPath) -> (place: TrackPoint, path: [UInt8])? {
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
