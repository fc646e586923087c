import GeoFormats
import GeoLive
import GeoTrack

/// The places of a recording as a track, written while it is played.
final class PlayedTrack {
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
}
