import GeoCore
import GeoTrack

/// `geomapper track convert`, `simplify` and `redact`: a file becomes another.
enum TrackConversion {
  static func run(
    _ action: TrackCommand.Action, _ path: [UInt8], _ low: LowArguments
  ) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let file = try TrackFile(path)
    let output = try TrackFileOutput(opening: place)
    var note: String?
    try output.complete { () throws(Failure) in
      switch low.format {
      case .geojson: note = try write(action, file, low.track, GeoJSONTrackWriter(output))
      case .csv: note = try write(action, file, low.track, CSVTrackWriter(output))
      case .json: note = try write(action, file, low.track, JSONTrackWriter(output))
      default: note = try write(action, file, low.track, GPXTrackWriter(output))
      }
    }
    if let note, !low.isQuiet { Messages.note("\(file.shown): \(note)") }
    return .success
  }

  /// - Returns: What is to be said of it.
  private static func write<Writer: TrackSink & ~Copyable>(
    _ action: TrackCommand.Action, _ file: TrackFile, _ track: TrackArguments,
    _ writer: consuming Writer
  ) throws(Failure) -> String? {
    switch action {
    case .simplify:
      var sink = TrackSimplifier(tolerance: track.tolerance ?? 10, writer)
      try file.read(into: &sink)
      return "\(Quantity.count(sink.dropped, "point")) left out, "
        + "\(sink.kept.grouped) kept"
    case .redact:
      var sink = TrackRedactor(around: track.near, writer)
      try file.read(into: &sink)
      return "\(Quantity.count(sink.dropped, "point")) left out"
    default:
      var sink = writer
      try file.read(into: &sink)
      return nil
    }
  }
}
