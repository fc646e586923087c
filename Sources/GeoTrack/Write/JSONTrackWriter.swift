import GeoCore

/// Writes each route and track as a JSON object on one line: `name`, `link`, `time`, `segments`
/// with `coords`, `distance` in metres and `feetClimbed` in feet, the last two as strings. `link` is
/// empty if unknown.
///
/// The format has no waypoints; their number is reported to the output.
package struct JSONTrackWriter: TrackSink, ~Copyable {
  private var out: TrackBuffer
  private var details = TrackDetails()
  private var hasTime = false
  private var hasSegments = false
  private var hasPoints = false
  private var measures = TrackMeasures()
  private var omitted = 0

  /// Feet per metre; the international foot is 0.3048 m.
  private static var feet: Double { 1 / 0.3048 }

  package init(_ output: any TrackOutput) { out = TrackBuffer(output) }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    self.details = details
    hasTime = false
    hasSegments = false
    measures = TrackMeasures()
  }

  package mutating func beginSegment() throws(Failure) {
    try measures.beginSegment()
    hasPoints = false
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    if !hasSegments, !hasPoints { putHead(time: point.time) }
    if !hasPoints {
      out.buffer.append(hasSegments ? ",{\"coords\":[" : "{\"coords\":[")
    } else {
      out.buffer.append(",")
    }
    hasSegments = true
    hasPoints = true
    try measures.add(point, details)
    out.buffer.append("{\"latitude\":")
    out.buffer.append(decimal: point.latitude)
    out.buffer.append(member: "longitude", decimal: point.longitude)
    if let elevation = point.elevation { out.buffer.append(member: "altitude", decimal: elevation) }
    put(time: point.time)
    out.buffer.append("}")
    try out.flushIfFull()
  }

  package mutating func endSegment() throws(Failure) {
    if hasPoints { out.buffer.append("]}") }
  }

  package mutating func endLine() throws(Failure) {
    if !hasSegments { putHead(time: nil) }
    out.buffer.append("],\"distance\":\"")
    if measures.points > 1 {
      let length = Int64(measures.length.rounded())
      out.buffer.append(length)
    } else {
      out.buffer.append("-")
    }
    out.buffer.append("\",\"feetClimbed\":\"")
    if measures.elevations != nil {
      let feet = Int64((measures.climb * Self.feet).rounded())
      out.buffer.append(feet)
    } else {
      out.buffer.append("-")
    }
    out.buffer.append("\"}\n")
    try out.flushIfFull()
  }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    omitted += 1
  }

  package mutating func end(extensions: [UInt8]) throws(Failure) {
    if omitted > 0 { out.leaveOut(waypoints: omitted) }
    try out.flush()
  }

  /// Begins the object; its time is that of the first point.
  private mutating func putHead(time: Int64?) {
    out.buffer.append("{\"name\":\"")
    let (name, link) = (details.name, details.link)
    out.buffer.append(json: name.span)
    out.buffer.append("\"")
    out.buffer.append(member: "link", text: link)
    put(time: time)
    out.buffer.append(",\"segments\":[")
  }

  private mutating func put(time: Int64?) {
    guard let time, TrackPoint.times.contains(time) else { return }
    out.buffer.append(member: "time", milliseconds: time)
  }
}
