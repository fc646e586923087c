import GeoCore
import GeoProjection
import GeoTrack

extension HistoryEvents {
  /// Writes the places of the files that each author's states changed, as tracks.
  @inlinable
  package func write<Writer: TrackSink & ~Copyable>(
    to writer: consuming Writer
  ) throws(Failure) {
    var document = TrackDocument()
    document.creator = Array("geomapper projection \(GeoProjectionEngine.version)".utf8)
    try writer.begin(document)
    for track in tracks() {
      try writer.begin(.track, TrackDetails(name: track.author))
      try writer.beginSegment()
      for index in track.events {
        guard let event = record(index) else { continue }
        let point = TrackPoint(
          longitude: event.longitude, latitude: event.latitude,
          elevation: 100 * Double(event.path.slashCount), time: event.time)
        try writer.add(point, TrackDetails(name: event.path))
      }
      try writer.endSegment()
      try writer.endLine()
    }
    try writer.end(extensions: [])
  }
}
