import GeoCore
import GeoFormats

/// Writes tracks as GPX 1.1, valid by its schema, one point a line.
package struct GPXTrackWriter: TrackSink, ~Copyable {
  private var out: TrackBuffer
  private var isRoute = false

  package init(_ output: any TrackOutput) { out = TrackBuffer(output) }

  package mutating func begin(_ document: TrackDocument) throws(Failure) {
    out.buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"")
    if document.creator.isEmpty {
      out.buffer.append("geomapper")
    } else {
      out.buffer.append(xml: document.creator.span)
    }
    out.buffer.append("\" xmlns=\"http://www.topografix.com/GPX/1/1\"")
    for namespace in document.namespaces {
      out.buffer.append(" xmlns:")
      out.buffer.append(namespace.prefix.span)
      out.buffer.append("=\"")
      out.buffer.append(xml: namespace.name.span)
      out.buffer.append("\"")
    }
    out.buffer.append(">\n")
    if document.details.isEmpty { return }
    out.buffer.append("<metadata>")
    out.buffer.append(document.details.xml.span)
    out.buffer.append("</metadata>\n")
  }

  package mutating func begin(_ kind: TrackKind, _ details: TrackDetails) throws(Failure) {
    isRoute = kind == .route
    out.buffer.append(isRoute ? "<rte>" : "<trk>")
    out.buffer.append(details.xml.span)
    out.buffer.append("\n")
  }

  package mutating func beginSegment() throws(Failure) {
    if !isRoute { out.buffer.append("<trkseg>\n") }
  }

  package mutating func add(_ point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    try put(isRoute ? "rtept" : "trkpt", point, details)
  }

  package mutating func add(segmentExtensions: [UInt8]) throws(Failure) {
    out.buffer.append(segmentExtensions.span)
    out.buffer.append("\n")
  }

  package mutating func endSegment() throws(Failure) {
    if !isRoute { out.buffer.append("</trkseg>\n") }
  }

  package mutating func endLine() throws(Failure) {
    out.buffer.append(isRoute ? "</rte>\n" : "</trk>\n")
    try out.flushIfFull()
  }

  package mutating func add(waypoint point: TrackPoint, _ details: TrackDetails) throws(Failure) {
    try put("wpt", point, details)
  }

  /// Writes what is buffered, so that readers of the output see it.
  package mutating func flush() throws(Failure) { try out.flush() }

  package mutating func end(extensions: [UInt8]) throws(Failure) {
    out.buffer.append(extensions.span)
    out.buffer.append("</gpx>\n")
    try out.flush()
  }

  private mutating func put(
    _ name: StaticString, _ point: TrackPoint, _ details: TrackDetails
  ) throws(Failure) {
    out.buffer.append("<")
    out.buffer.append(name)
    out.buffer.append(" lat=\"")
    out.buffer.append(decimal: point.latitude)
    out.buffer.append("\" lon=\"")
    out.buffer.append(decimal: point.longitude)
    if point.elevation == nil, point.time == nil, details.isEmpty {
      out.buffer.append("\"/>\n")
      return try out.flushIfFull()
    }
    out.buffer.append("\">")
    if let elevation = point.elevation {
      out.buffer.append("<ele>")
      out.buffer.append(decimal: elevation)
      out.buffer.append("</ele>")
    }
    if let time = point.time, TrackPoint.times.contains(time) {
      out.buffer.append("<time>")
      out.buffer.append(milliseconds: time)
      out.buffer.append("</time>")
    }
    out.buffer.append(details.xml.span)
    out.buffer.append("</")
    out.buffer.append(name)
    out.buffer.append(">\n")
    try out.flushIfFull()
  }
}

package protocol TrackOutput: AnyObject {
  func write(_ bytes: Span<UInt8>) throws(Failure)

  /// Reports waypoints that the format has no place for.
  func leaveOut(waypoints: Int)
}

extension TrackOutput {
  package func leaveOut(waypoints: Int) {}
}

/// Buffers output in pieces of about 60 KiB.
struct TrackBuffer: ~Copyable {
  var buffer = OutputBuffer(capacity: 1 << 16)
  private let output: any TrackOutput

  init(_ output: any TrackOutput) { self.output = output }

  mutating func flushIfFull() throws(Failure) {
    if buffer.count >= 60 << 10 { try flush() }
  }

  func leaveOut(waypoints: Int) { output.leaveOut(waypoints: waypoints) }

  mutating func flush() throws(Failure) {
    try buffer.withBytes { (bytes) throws(Failure) in try output.write(bytes) }
    buffer.removeAll()
  }
}
