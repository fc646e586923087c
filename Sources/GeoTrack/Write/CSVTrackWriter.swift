import GeoCore

/// Writes the points of tracks as CSV (RFC 4180): `kind,line,segment,name,lon,lat,ele,time`.
///
/// Lines and segments are counted from 1; waypoints have neither. The name is that of the point,
/// else of its line.
package struct CSVTrackWriter: TrackSink, ~Copyable {
  private var out: TrackBuffer
  private var kind = TrackKind.track
  private var lineName: [UInt8] = []
  private var line: UInt64 = 0
  private var segment: UInt64 = 0

  package init(_ output: any TrackOutput) { out = TrackBuffer(output) }

  package mutating func begin(_ document: TrackDocument) throws(Failure) {
    out.buffer.append("kind,line,segment,name,lon,lat,ele,time\r\n")
  }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    self.kind = kind
    lineName = details.name
    line += 1
    segment = 0
  }

  package mutating func beginSegment() throws(Failure) { segment += 1 }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    out.buffer.append(kind == .route ? "route," : "track,")
    out.buffer.append(line)
    out.buffer.append(",")
    out.buffer.append(segment)
    out.buffer.append(",")
    let name = details.name.isEmpty ? lineName : details.name
    out.buffer.append(csv: name.span)
    try put(point)
  }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    out.buffer.append("waypoint,,,")
    out.buffer.append(csv: details.name.span)
    try put(point)
  }

  package mutating func end(extensions: [UInt8]) throws(Failure) { try out.flush() }

  private mutating func put(_ point: TrackPoint) throws(Failure) {
    out.buffer.append(",")
    out.buffer.append(decimal: point.longitude)
    out.buffer.append(",")
    out.buffer.append(decimal: point.latitude)
    out.buffer.append(",")
    if let elevation = point.elevation { out.buffer.append(decimal: elevation) }
    out.buffer.append(",")
    if let time = point.time { out.buffer.append(milliseconds: time) }
    out.buffer.append("\r\n")
    try out.flushIfFull()
  }
}
