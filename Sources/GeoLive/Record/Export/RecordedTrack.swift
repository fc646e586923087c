import GeoTrack

/// The places of a recording as a track, for any writer.
package enum RecordedTrack {
  /// Begins the track.
  package static func begin<Writer: TrackSink & ~Copyable>(
    _ metadata: RecordingMetadata, _ writer: inout Writer
  ) throws(TrackError) {
    try writer.begin(TrackDocument())
    try writer.begin(.track, metadata.name.map { TrackDetails(name: $0) } ?? TrackDetails())
    try writer.beginSegment()
  }

  /// Adds a place; a pause or a gap begins another line.
  package static func add<Writer: TrackSink & ~Copyable>(
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

  /// Ends the track.
  package static func end<Writer: TrackSink & ~Copyable>(_ writer: inout Writer) throws(TrackError)
  {
    try writer.endSegment()
    try writer.endLine()
    try writer.end(extensions: [])
  }
}
