import GeoFormats
import GeoTrack

/// Writes recordings in other formats, and in their own.
package struct EventExport {
  private let format: FileFormat

  /// An export in a format that holds events; as a recording again, whole, if it holds none.
  package init(_ format: FileFormat) { self.format = format }

  /// Writes a recording, as far as it can be read.
  ///
  /// - Parameters:
  ///   - open: Opens it from its beginning; it is read twice where the format begins with what comes of
  ///     it.
  ///   - write: Takes the next bytes.
  /// - Returns: Where it breaks off, if it does.
  /// - Throws: Why it is no recording.
  package func run(
    opening open: () throws(RecordingError) -> RecordingReader, _ write: (Span<UInt8>) -> Void
  ) throws(RecordingError) -> RecordingError? {
    let reader = try open()
    switch format {
    case .gpx: return Self.track(reader, write)
    case .csv: return Self.text(reader, CSVEvents(), write)
    case .geojson: return Self.text(reader, GeoJSONEvents(), write)
    default:
      var summary = RecordingSummary(reader.metadata)
      _ = Self.forEach(try open()) { summary.add($0) }
      var metadata = reader.metadata
      metadata.duration = summary.duration
      metadata.eventCount = Int64(summary.count)
      return Self.text(reader, WholeRecording(metadata), write)
    }
  }

  /// Hands over all events, as far as they can be read.
  ///
  /// - Returns: Where they break off, if they do.
  package static func forEach<Problem: Error>(
    _ reader: RecordingReader, _ body: (RecordedEvent) throws(Problem) -> Void
  ) throws(Problem) -> RecordingError? {
    var reader = reader
    while true {
      let event: RecordedEvent?
      do throws(RecordingError) {
        event = try reader.next()
      } catch {
        return error
      }
      guard let event else { return nil }
      try body(event)
    }
  }

  private static func text(
    _ reader: RecordingReader, _ format: any EventFormat, _ write: (Span<UInt8>) -> Void
  ) -> RecordingError? {
    var buffer = OutputBuffer(capacity: 1 << 16)
    format.begin(&buffer)
    let fault = forEach(reader) { event in
      format.put(event, to: &buffer)
      if buffer.count < 60 << 10 { return }
      buffer.withBytes { write($0) }
      buffer.removeAll()
    }
    format.end(&buffer)
    buffer.withBytes { write($0) }
    return fault
  }

  private static func track(
    _ reader: RecordingReader, _ write: (Span<UInt8>) -> Void
  ) -> RecordingError? {
    withoutActuallyEscaping(write) { write in
      var writer = GPXTrackWriter(Passage(write))
      var fault: RecordingError?
      do throws(TrackError) {
        try RecordedTrack.begin(reader.metadata, &writer)
        var reader = reader
        while fault == nil {
          let event: RecordedEvent?
          do throws(RecordingError) {
            event = try reader.next()
          } catch {
            fault = error
            break
          }
          guard let event else { break }
          try RecordedTrack.add(event, to: &writer)
        }
        try RecordedTrack.end(&writer)
      } catch {
        // What takes bytes here never refuses them.
      }
      return fault
    }
  }

  /// Takes what a writer of tracks makes.
  private final class Passage: TrackOutput {
    private let pass: (Span<UInt8>) -> Void

    init(_ pass: @escaping (Span<UInt8>) -> Void) { self.pass = pass }

    func write(_ bytes: Span<UInt8>) throws(TrackError) { pass(bytes) }
  }
}
