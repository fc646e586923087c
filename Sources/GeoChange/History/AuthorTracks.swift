import GeoCore
import GeoProjection
import GeoTrack

/// The places of the files that each author's states changed, as tracks.
package struct AuthorTracks {
  @usableFromInline package let events: HistoryEvents

  package init(_ events: HistoryEvents) { self.events = events }

  @inlinable
  package func write<Writer: TrackSink & ~Copyable>(
    to writer: consuming Writer
  ) throws(Failure) {
    var document = TrackDocument()
    document.creator = Array("geomapper projection \(GeoProjectionEngine.version)".utf8)
    try writer.begin(document)
    for track in events.tracks() {
      try writer.begin(.track, TrackDetails(name: track.author))
      try writer.beginSegment()
      for touch in track {
        let point = TrackPoint(
          longitude: touch.longitude, latitude: touch.latitude,
          elevation: 100 * Double(touch.depth), time: touch.time)
        try writer.add(point, TrackDetails(name: touch.path))
      }
      try writer.endSegment()
      try writer.endLine()
    }
    try writer.end(extensions: [])
  }
}
