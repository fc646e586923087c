import GeoLive
import GeoSystem
import GeoTrack

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
