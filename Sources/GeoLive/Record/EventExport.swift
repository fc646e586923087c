import GeoCore
import GeoFormats
import GeoTrack

/// Writes recordings in other formats, or as recordings again.
package struct EventExport {
  private let format: FileFormat

  /// Formats that can't hold events write the recording itself.
  package init(_ format: FileFormat) { self.format = format }

  package static func readings(of format: FileFormat) -> Int {
    [.gpx, .csv, .geojson].contains(format) ? 1 : 2
  }

  /// Writes up to the end or the first error, which is returned. `open` is called twice where the
  /// output begins with totals. Throws if it is not a recording.
  package func run(
    opening open: () throws(Failure) -> RecordingReader, _ write: (Span<UInt8>) -> Void
  ) throws(Failure) -> Failure? {
    let reader = try open()
    switch format {
    case .gpx: return Self.track(reader, write)
    case .csv: return Self.text(reader, CSVEvents(isMeasured: reader.metadata.isMeasured), write)
    case .geojson:
      return Self.text(reader, GeoJSONEvents(isMeasured: reader.metadata.isMeasured), write)
    default:
      var summary = RecordingSummary(reader.metadata)
      _ = Self.forEach(try open()) { summary.add($0) }
      var metadata = reader.metadata
      metadata.duration = summary.duration
      metadata.eventCount = Int64(summary.count)
      return Self.text(reader, WholeRecording(metadata), write)
    }
  }

  /// Up to the end or the first error, which is returned.
  package static func forEach<Problem: Error>(
    _ reader: RecordingReader, _ body: (RecordedEvent) throws(Problem) -> Void
  ) throws(Problem) -> Failure? {
    var reader = reader
    while true {
      let event: RecordedEvent?
      do throws(Failure) {
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
  ) -> Failure? {
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
  ) -> Failure? {
    let output = CollectedOutput()
    var writer = GPXTrackWriter(output)
    var fault: Failure?
    do throws(Failure) {
      try RecordedTrack.begin(reader.metadata, &writer)
      fault = try forEach(reader) { (event) throws(Failure) in
        try RecordedTrack.add(event, to: &writer)
        output.pass(to: write)
      }
      try RecordedTrack.end(&writer)
    } catch {
      // Unreachable: `CollectedOutput` never throws.
    }
    output.pass(to: write)
    return fault
  }

  private final class CollectedOutput: TrackOutput {
    private var bytes: [UInt8] = []

    func write(_ bytes: Span<UInt8>) throws(Failure) {
      self.bytes.append(copying: bytes)
    }

    func pass(to write: (Span<UInt8>) -> Void) {
      if bytes.isEmpty { return }
      write(bytes.span)
      bytes.removeAll(keepingCapacity: true)
    }
  }
}

extension RecordingMetadata {
  /// Whether the recording is of a device, not of folders: altitudes and the like are measured.
  fileprivate var isMeasured: Bool { roots.isEmpty }
}

protocol EventFormat: AnyObject {
  func begin(_ buffer: inout OutputBuffer)
  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer)
  func end(_ buffer: inout OutputBuffer)
}

final class WholeRecording: EventFormat {
  private let metadata: RecordingMetadata
  private var hasEvents = false

  init(_ metadata: RecordingMetadata) { self.metadata = metadata }

  func begin(_ buffer: inout OutputBuffer) {
    let head = EventText.head(of: metadata)
    buffer.append(head.span)
  }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    buffer.append(hasEvents ? ",\n" : "\n")
    hasEvents = true
    EventText.put(event, to: &buffer)
  }

  func end(_ buffer: inout OutputBuffer) { buffer.append("\n]}\n") }
}

/// GeoJSON with a point for each event that has a location (RFC 7946).
final class GeoJSONEvents: EventFormat {
  private let isMeasured: Bool
  private var collection = GeoJSONCollection()

  init(isMeasured: Bool) { self.isMeasured = isMeasured }

  func begin(_ buffer: inout OutputBuffer) { collection.begin(&buffer) }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    guard let place = event.location else { return }
    collection.beginFeature("Point", to: &buffer)
    buffer.append("[")
    buffer.append(decimal: place.longitude)
    buffer.append(",")
    buffer.append(decimal: place.latitude)
    buffer.append("]},\"properties\":{\"time\":\"")
    buffer.append(milliseconds: event.timestamp)
    buffer.append("\"")
    if let path = place.rawPath { buffer.append(member: "path", text: path) }
    if let change = place.entryChange {
      buffer.append(member: "change", text: Array(change.rawValue.utf8))
    }
    if let kind = place.kind { buffer.append(member: "kind", word: kind.text) }
    if let floor = place.floor { buffer.append(member: "depth", Int64(floor)) }
    if let size = place.size { buffer.append(member: "size", Int64(size)) }
    if let from = place.rawOldPath { buffer.append(member: "from", text: from) }
    if isMeasured {
      for (name, value) in GeoLocation.measurements {
        buffer.append(member: name, decimal: value(place))
      }
    }
    buffer.append("}}")
  }

  func end(_ buffer: inout OutputBuffer) { collection.end(&buffer) }
}

/// The locations of a recording as a track, for any track writer.
package enum RecordedTrack {
  package static func begin<Writer: TrackSink & ~Copyable>(
    _ metadata: RecordingMetadata, _ writer: inout Writer
  ) throws(Failure) {
    try writer.begin(TrackDocument())
    try writer.begin(.track, metadata.name.map { TrackDetails(name: $0) } ?? TrackDetails())
    try writer.beginSegment()
  }

  /// Adds an event's location; a pause or a gap begins a new segment.
  package static func add<Writer: TrackSink & ~Copyable>(
    _ event: RecordedEvent, to writer: inout Writer
  ) throws(Failure) {
    switch event.body {
    case .location(let location):
      let point = TrackPoint(
        longitude: location.longitude, latitude: location.latitude, elevation: location.altitude,
        time: location.timestamp)
      try writer.add(point, location.rawPath.map { TrackDetails(name: $0) } ?? TrackDetails())
    case .pause, .gap:
      try writer.endSegment()
      try writer.beginSegment()
    case .sample, .error, .alert, .resume: break
    }
  }

  package static func end<Writer: TrackSink & ~Copyable>(_ writer: inout Writer) throws(Failure) {
    try writer.endSegment()
    try writer.endLine()
    try writer.end(extensions: [])
  }
}
