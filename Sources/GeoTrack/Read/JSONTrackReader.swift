import GeoCore
import GeoSystem

/// Reads tracks as JSON: objects with `segments` of `coords`, one after the other or in an array.
///
/// Times are RFC 3339, or seconds since 2001. Unknown members are skipped. A value that can't be
/// used is left out, and a point without a position; ``faults`` names them.
package struct JSONTrackReader {
  private var json: JSONReader
  private let input: Input
  package private(set) var faults: TrackFaults

  /// Seconds from 1970 to 2001.
  private static let since2001 = 978_307_200.0

  package init(_ input: any TrackInput, isStrict: Bool = false) {
    faults = TrackFaults(isStrict: isStrict)
    self.input = Input(input)
    json = JSONReader(self.input)
  }

  /// Whether a file with this beginning is JSON.
  package static func isJSON(_ beginning: some Collection<UInt8>) -> Bool {
    let first = beginning.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Reads all tracks; one at a time is kept in memory.
  package mutating func read<Sink: TrackSink & ~Copyable>(into sink: inout Sink) throws(Failure) {
    do {
      try sink.begin(TrackDocument())
      if try json.takeIf("[") {
        if try !json.takeIf("]") {
          repeat { try readTrack(into: &sink) } while try json.takeIf(",")
          try json.take("]")
        }
        if try json.peekToken() != nil { throw error("the end of the file") }
      } else {
        repeat { try readTrack(into: &sink) } while try json.peekToken() != nil
      }
      try sink.end(extensions: [])
    } catch let error as Failure {
      throw error
    } catch {
      if let failure = input.failure { throw .unreadable(failure) }
      guard case JSONReader.Failure.expected(let what) = error else { throw self.error("JSON") }
      throw self.error(what)
    }
  }

  private mutating func readTrack<Sink: TrackSink & ~Copyable>(into sink: inout Sink) throws {
    // The name may follow the points.
    var name: [UInt8] = []
    var segments: [[TrackPoint]]?
    try members { reader, member in
      switch member {
      case "name": if let text = try reader.textOrNull() { name = text }
      case "segments": segments = try reader.readSegments()
      default: try reader.json.skipValue()
      }
    }
    guard let segments else { throw error("a track with segments") }
    try sink.begin(.track, name.isEmpty ? TrackDetails() : TrackDetails(name: name))
    for segment in segments {
      try sink.beginSegment()
      for point in segment { try sink.add(point, TrackDetails()) }
      try sink.endSegment()
    }
    try sink.endLine()
  }

  private mutating func readSegments() throws -> [[TrackPoint]] {
    var segments: [[TrackPoint]] = []
    try elements { reader in
      var points: [TrackPoint]?
      try reader.members { reader, member in
        guard member == "coords" else { return try reader.json.skipValue() }
        var read: [TrackPoint] = []
        try reader.elements { reader in
          if let point = try reader.readPoint() { read.append(point) }
        }
        points = read
      }
      guard let points else { throw reader.error("a segment with coords") }
      segments.append(points)
    }
    return segments
  }

  private mutating func readPoint() throws -> TrackPoint? {
    var (longitude, latitude): (Double?, Double?)
    var elevation: Double?
    var time: Int64?
    let before = faults.count
    try members { reader, member in
      switch member {
      case "longitude": longitude = try reader.number("longitude", -180...180)
      case "latitude": latitude = try reader.number("latitude", -90...90)
      case "altitude":
        if try !reader.takeNull() { elevation = try reader.number("altitude", -1e12...1e12) }
      case "time": time = try reader.time()
      default: try reader.json.skipValue()
      }
    }
    guard let longitude, let latitude else {
      if faults.count == before {
        let name = longitude == nil ? "longitude" : "latitude"
        try faults.add(fault(.missing(name, of: "coords")))
      }
      return nil
    }
    return TrackPoint(longitude: longitude, latitude: latitude, elevation: elevation, time: time)
  }

  // MARK: Parts

  private mutating func time() throws -> Int64? {
    if try takeNull() { return nil }
    if try json.peekToken() != UInt8(ascii: "\"") {
      // This range is within the years that files can hold.
      guard let seconds = try number("time", -63e9...252e9) else { return nil }
      return Int64(((seconds + Self.since2001) * 1000).rounded())
    }
    guard let text = try textOrNull(), !text.isEmpty else { return nil }
    if let time = Moment.milliseconds(parsing: text), TrackPoint.times.contains(time) {
      return time
    }
    try faults.add(fault(.value(String(decoding: text, as: UTF8.self), of: "time")))
    return nil
  }

  /// Takes a number; nil if it is out of range or a text.
  private mutating func number(_ name: String, _ range: ClosedRange<Double>) throws -> Double? {
    if try json.peekToken() == UInt8(ascii: "\"") {
      let text = try textOrNull() ?? []
      try faults.add(fault(.value(String(decoding: text, as: UTF8.self), of: name)))
      return nil
    }
    let number = try json.takeDecimal()
    if range.contains(number) { return number }
    try faults.add(fault(.range("\(number)", of: name)))
    return nil
  }

  private mutating func takeNull() throws -> Bool {
    let isNull = try json.peekToken() == UInt8(ascii: "n")
    if isNull { try json.skipValue() }
    return isNull
  }

  private mutating func textOrNull() throws -> [UInt8]? {
    if try takeNull() { return nil }
    var text: [UInt8] = []
    try json.takeString(appendingTo: &text)
    return text
  }

  private mutating func members(_ body: (inout Self, String) throws -> Void) throws {
    try json.take("{")
    if try json.takeIf("}") { return }
    repeat {
      let name = try textOrNull() ?? []
      try json.take(":")
      try body(&self, String(decoding: name, as: UTF8.self))
    } while try json.takeIf(",")
    try json.take("}")
  }

  private mutating func elements(_ body: (inout Self) throws -> Void) throws {
    try json.take("[")
    if try json.takeIf("]") { return }
    repeat { try body(&self) } while try json.takeIf(",")
    try json.take("]")
  }

  private func error(_ expectation: String) -> Failure {
    fault(.damage("\(expectation) was expected in a track as JSON"))
  }

  private func fault(_ fault: Failure) -> Failure { fault.at(line: json.line) }

  /// Adapts a track input to the JSON reader.
  private final class Input: JSONInput {
    private var input: any TrackInput
    private(set) var failure: Errno?

    init(_ input: any TrackInput) { self.input = input }

    func read(at offset: Int64, appendingTo bytes: inout [UInt8]) throws(JSONReader.Failure) -> Bool
    {
      do throws(Errno) {
        return try input.read(appendingTo: &bytes) > 0
      } catch {
        failure = error
        throw .unreadable(reason: error.description)
      }
    }
  }
}
