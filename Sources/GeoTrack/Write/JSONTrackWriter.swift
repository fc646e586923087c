import GeoFormats

/// Writes each route and track as one JSON object on a line of its own: `name`, `link`, `time`,
/// `segments` with `coords`, `distance` in metres and `feetClimbed` in feet, the last two as texts.
///
/// Waypoints have no place in this format, and are left out; ``omitted`` counts them.
package struct JSONTrackWriter: TrackSink, ~Copyable {
  private var out: TrackBuffer
  private var details = TrackDetails()
  private var hasTime = false
  private var hasSegments = false
  private var hasPoints = false
  private var measures = TrackMeasures()
  /// Waypoints that were left out.
  package private(set) var omitted = 0

  /// Feet of a metre: the international foot has 0.3048 of it.
  private static var feet: Double { 1 / 0.3048 }

  /// A writer to an output.
  package init(_ output: any TrackOutput) { out = TrackBuffer(output) }

  package mutating func begin(_ document: TrackDocument) throws(TrackError) {}

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(TrackError) {
    self.details = details
    hasTime = false
    hasSegments = false
    measures = TrackMeasures()
  }

  package mutating func beginSegment() throws(TrackError) {
    try measures.beginSegment()
    hasPoints = false
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(TrackError) {
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
    out.buffer.append(",\"longitude\":")
    out.buffer.append(decimal: point.longitude)
    if let elevation = point.elevation {
      out.buffer.append(",\"altitude\":")
      out.buffer.append(decimal: elevation)
    }
    put(time: point.time)
    out.buffer.append("}")
    try out.flushIfFull()
  }

  package mutating func endSegment() throws(TrackError) {
    if hasPoints { out.buffer.append("]}") }
  }

  package mutating func endLine() throws(TrackError) {
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

  package mutating func add(
    waypoint point: TrackPoint, _ details: TrackDetails
  ) throws(TrackError) {
    omitted += 1
  }

  package mutating func end(extensions: [UInt8]) throws(TrackError) { try out.flush() }

  /// Begins the object, whose time is that of its first point.
  private mutating func putHead(time: Int64?) {
    out.buffer.append("{\"name\":\"")
    let (name, link) = (details.name, details.link)
    out.buffer.append(json: name.span)
    out.buffer.append("\"")
    if !link.isEmpty { out.buffer.append(member: "link", link) }
    put(time: time)
    out.buffer.append(",\"segments\":[")
  }

  private mutating func put(time: Int64?) {
    guard let time, TrackPoint.times.contains(time) else { return }
    out.buffer.append(",\"time\":\"")
    out.buffer.append(milliseconds: time)
    out.buffer.append("\"")
  }
}
