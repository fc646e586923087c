import GeoCore
import GeoSystem
import GeoTrack

/// Output collected in memory.
final class KeptOutput: TrackOutput {
  var bytes: [UInt8] = []

  func write(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count { self.bytes.append(bytes[index]) }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Bytes in memory.
struct TrackBytesInput: TrackInput {
  private let bytes: [UInt8]
  private let piece: Int
  private var position = 0

  /// - Parameter piece: Maximum number of bytes a read returns, above 0.
  init(_ bytes: [UInt8], piece: Int = .max) {
    self.bytes = bytes
    self.piece = max(piece, 1)
  }

  mutating func read(appendingTo others: inout [UInt8]) throws(Errno) -> Int {
    let count = min(piece, bytes.count - position)
    others.append(contentsOf: bytes[position..<(position + count)])
    position += count
    return count
  }

  mutating func rewind(isLast: Bool) { position = 0 }
}

/// The output of a reader, as lines of text.
struct RecordingSink: TrackSink {
  var lines: [String] = []

  private func text(_ details: TrackDetails) -> String {
    String(decoding: details.name, as: UTF8.self) + "|"
      + String(decoding: details.xml, as: UTF8.self)
  }

  private func text(_ point: TrackPoint) -> String {
    "\(point.longitude) \(point.latitude) \(point.elevation.map { "\($0)" } ?? "-") "
      + (point.time.map { "\($0)" } ?? "-")
  }

  mutating func begin(_ document: TrackDocument) {
    lines.append(
      "document \(String(decoding: document.creator, as: UTF8.self)) "
        + "\(document.time.map { "\($0)" } ?? "-") \(text(document.details))")
    for (prefix, name) in document.namespaces {
      lines.append(
        "namespace \(String(decoding: prefix, as: UTF8.self)) "
          + String(decoding: name, as: UTF8.self))
    }
  }
  mutating func begin(_ kind: TrackKind, _ details: TrackDetails) {
    lines.append("\(kind) \(text(details))")
  }
  mutating func beginSegment() { lines.append("segment") }
  mutating func add(_ point: TrackPoint, _ details: TrackDetails) {
    lines.append("point \(text(point)) \(text(details))")
  }
  mutating func add(segmentExtensions: [UInt8]) {
    lines.append("segment has \(String(decoding: segmentExtensions, as: UTF8.self))")
  }
  mutating func endSegment() { lines.append("end of segment") }
  mutating func endLine() { lines.append("end of line") }
  mutating func add(waypoint: TrackPoint, _ details: TrackDetails) {
    lines.append("waypoint \(text(waypoint)) \(text(details))")
  }
  mutating func end(extensions: [UInt8]) {
    lines.append("end \(String(decoding: extensions, as: UTF8.self))")
  }
}

/// The output for a document that is read in pieces of the given size.
func recorded(
  _ bytes: [UInt8], piece: Int = .max, isStrict: Bool = true
) throws(Failure) -> [String] {
  var sink = RecordingSink()
  var reader = GPXReader(TrackBytesInput(bytes, piece: piece), isStrict: isStrict)
  try reader.read(into: &sink)
  return sink.lines
}

/// A document read and written again.
func rewritten(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
  let output = KeptOutput()
  var writer = GPXTrackWriter(output)
  var reader = GPXReader(TrackBytesInput(bytes))
  try reader.read(into: &writer)
  return output.bytes
}
