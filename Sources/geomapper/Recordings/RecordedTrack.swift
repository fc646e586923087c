import GeoEmit
import GeoRecord
import GeoTrack

/// The places of a recording as a track, written while it is played.
final class RecordedTrack {
  private let output: Passage
  private var writer: GPXTrackWriter

  /// Hands bytes on, and remembers why they were refused.
  private final class Passage: TrackOutput {
    let file: OutputFile
    var obstacle: OutputError?

    init(_ file: OutputFile) { self.file = file }

    func write(_ bytes: Span<UInt8>) throws(TrackError) {
      do throws(OutputError) {
        try file.write(bytes)
      } catch {
        obstacle = error
        throw .stopped
      }
    }
  }

  init(_ file: OutputFile) {
    output = Passage(file)
    writer = GPXTrackWriter(output)
  }

  func begin(_ metadata: RecordingMetadata) throws(OutputError) {
    try call { (writer) throws(TrackError) in try RecordedTrack.begin(metadata, &writer) }
  }

  func add(_ event: RecordedEvent) throws(OutputError) {
    try call { (writer) throws(TrackError) in try RecordedTrack.add(event, to: &writer) }
  }

  func flush() throws(OutputError) {
    try call { (writer) throws(TrackError) in try writer.flush() }
  }

  func finish() throws(OutputError) {
    try call { (writer) throws(TrackError) in try RecordedTrack.end(&writer) }
  }

  private func call(
    _ body: (inout GPXTrackWriter) throws(TrackError) -> Void
  ) throws(OutputError) {
    do throws(TrackError) {
      try body(&writer)
    } catch {
      throw output.obstacle ?? .failed(.output("\(error)"))
    }
  }

  // MARK: Any writer

  static func begin<Writer: TrackSink & ~Copyable>(
    _ metadata: RecordingMetadata, _ writer: inout Writer
  ) throws(TrackError) {
    try writer.begin(TrackDocument())
    try writer.begin(.track, metadata.name.map { TrackDetails(name: $0) } ?? TrackDetails())
    try writer.beginSegment()
  }

  /// Adds a place; a pause or a gap begins another line.
  static func add<Writer: TrackSink & ~Copyable>(
    _ event: RecordedEvent, to writer: inout Writer
  ) throws(TrackError) {
    switch event.body {
    case .location(let location):
      let point = TrackPoint(
        longitude: location.longitude, latitude: location.latitude, elevation: location.altitude,
        time: location.timestamp)
      try writer.add(point, location.path.map { TrackDetails(name: $0) } ?? TrackDetails())
    case .pause, .gap:
      try writer.endSegment()
      try writer.beginSegment()
    case .sample, .error, .alert, .resume: break
    }
  }

  static func end<Writer: TrackSink & ~Copyable>(_ writer: inout Writer) throws(TrackError) {
    try writer.endSegment()
    try writer.endLine()
    try writer.end(extensions: [])
  }
}
