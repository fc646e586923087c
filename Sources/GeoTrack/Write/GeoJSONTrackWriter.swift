import GeoCore
import GeoFormats

/// Writes tracks as a GeoJSON collection (RFC 7946), one feature a line: a `MultiLineString` for
/// each route and track, a `Point` for each waypoint.
///
/// The times of a line's points are in `properties.coordinateProperties.times`, as other GPX
/// converters write them; they take 8 bytes of memory each until the line ends. A line needs two
/// positions, so a segment's single point is written twice; empty segments are omitted. A segment
/// that crosses the 180th meridian is cut there (RFC 7946, 3.1.9).
package struct GeoJSONTrackWriter: TrackSink, ~Copyable {
  private var out: TrackBuffer
  private var collection = GeoJSONCollection()
  private var kind = TrackKind.track
  private var details = TrackDetails()
  /// The times of each segment's points; `.min` where unknown.
  private var times: [[Int64]] = []
  private var count = 0
  private var last = TrackPoint(longitude: 0, latitude: 0)

  package init(_ output: any TrackOutput) { out = TrackBuffer(output) }

  package mutating func begin(_ document: TrackDocument) throws(Failure) {
    collection.begin(&out.buffer)
  }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    self.kind = kind
    self.details = details
    times.removeAll()
    collection.beginFeature("MultiLineString", to: &out.buffer)
    out.buffer.append("[")
  }

  package mutating func beginSegment() throws(Failure) { count = 0 }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    if count > 0, let (end, start) = last.edges(toward: point) {
      if end != last { try put(line: end) }
      try endSegment()
      try beginSegment()
      if start != point { try put(line: start) }
    }
    try put(line: point)
  }

  private mutating func put(line point: TrackPoint) throws(Failure) {
    if count == 0 {
      out.buffer.append(times.isEmpty ? "[" : ",[")
      times.append([])
    } else {
      out.buffer.append(",")
    }
    put(point)
    count += 1
    last = point
    try out.flushIfFull()
  }

  package mutating func endSegment() throws(Failure) {
    if count == 0 { return }
    if count == 1 {
      out.buffer.append(",")
      put(last)
    }
    out.buffer.append("]")
  }

  package mutating func endLine() throws(Failure) {
    out.buffer.append("]},\"properties\":{")
    putMembers(kind.rawValue, details)
    if times.contains(where: { $0.contains { $0 != .min } }) {
      out.buffer.append(",\"coordinateProperties\":{\"times\":[")
      for (index, segment) in times.enumerated() {
        out.buffer.append(index == 0 ? "[" : ",[")
        for (index, time) in segment.enumerated() {
          if index > 0 { out.buffer.append(",") }
          put(time: time)
          try out.flushIfFull()
        }
        out.buffer.append("]")
      }
      out.buffer.append("]}")
    }
    out.buffer.append("}}")
    try out.flushIfFull()
  }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    collection.beginFeature("Point", to: &out.buffer)
    putPosition(point)
    out.buffer.append("},\"properties\":{")
    putMembers("waypoint", details)
    if let time = point.time {
      out.buffer.append(",\"time\":")
      put(time: time)
    }
    out.buffer.append("}}")
    try out.flushIfFull()
  }

  package mutating func end(extensions: [UInt8]) throws(Failure) {
    collection.end(&out.buffer)
    try out.flush()
  }

  private mutating func putMembers(_ kind: String, _ details: TrackDetails) {
    out.buffer.append("\"kind\":\"")
    let kind = Array(kind.utf8)
    out.buffer.append(kind.span)
    out.buffer.append("\"")
    if !details.name.isEmpty { out.buffer.append(member: "name", text: details.name) }
    if !details.link.isEmpty { out.buffer.append(member: "link", text: details.link) }
  }

  private mutating func put(_ point: TrackPoint) {
    putPosition(point)
    times[times.count - 1].append(point.time ?? .min)
  }

  private mutating func putPosition(_ point: TrackPoint) {
    out.buffer.append("[")
    out.buffer.append(decimal: point.longitude)
    out.buffer.append(",")
    out.buffer.append(decimal: point.latitude)
    if let elevation = point.elevation {
      out.buffer.append(",")
      out.buffer.append(decimal: elevation)
    }
    out.buffer.append("]")
  }

  private mutating func put(time: Int64) {
    guard TrackPoint.times.contains(time) else { return out.buffer.append("null") }
    out.buffer.append("\"")
    out.buffer.append(milliseconds: time)
    out.buffer.append("\"")
  }
}
