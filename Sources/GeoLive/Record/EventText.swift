import GeoCore
import GeoFormats
import GeoProjection

/// Writes metadata and events as JSON, each on one line.
package enum EventText {
  /// Width of a number field that is overwritten later, in characters.
  static let columns = 20

  /// Offsets of the metadata's numbers that are overwritten.
  struct Fields {
    var duration = 0
    var eventCount = 0
  }

  /// Appends the metadata object.
  ///
  /// - Parameter hasCounts: Whether it includes the duration and the number of events.
  /// - Returns: Offsets of these fields in the buffer.
  @discardableResult
  static func put(
    _ metadata: RecordingMetadata, hasCounts: Bool, to buffer: inout OutputBuffer
  ) -> Fields {
    var fields = Fields()
    buffer.append("{\"version\":\"1.0\"")
    buffer.append(member: "recordedAt", milliseconds: metadata.recordedAt)
    buffer.append(member: "device", text: metadata.device)
    buffer.append(member: "systemVersion", text: metadata.systemVersion)
    if hasCounts {
      buffer.append(",\"duration\":")
      fields.duration = buffer.count
      buffer.append(field(seconds: metadata.duration ?? 0).span)
      buffer.append(",\"eventCount\":")
      fields.eventCount = buffer.count
      buffer.append(field(count: metadata.eventCount ?? 0).span)
    }
    if let name = metadata.name { buffer.append(member: "name", text: name) }
    if !metadata.tags.isEmpty { buffer.append(member: "tags", texts: metadata.tags) }
    if !metadata.roots.isEmpty { buffer.append(member: "roots", texts: metadata.roots) }
    if let projection = metadata.projection { buffer.append(member: "projection", projection) }
    if let layout = metadata.layout { buffer.append(member: "layout", text: layout) }
    buffer.append("}")
    return fields
  }

  /// The text before the first event of a recording, with final counts.
  package static func head(of metadata: RecordingMetadata) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 512)
    buffer.append("{\"metadata\":")
    put(metadata, hasCounts: true, to: &buffer)
    buffer.append(",\"events\":[")
    return buffer.bytes
  }

  /// A line `{"metadata":…}` without counts, for streams.
  package static func line(of metadata: RecordingMetadata) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 512)
    buffer.append("{\"metadata\":")
    put(metadata, hasCounts: false, to: &buffer)
    buffer.append("}")
    return buffer.bytes
  }

  /// The padded field of a duration in seconds.
  static func field(seconds: Double) -> [UInt8] { filled(Self.seconds(seconds)) }

  /// The padded field of a count.
  static func field(count: Int64) -> [UInt8] { filled(Array("\(count)".utf8)) }

  private static func filled(_ text: [UInt8]) -> [UInt8] {
    text + [UInt8](repeating: 0x20, count: max(0, columns - text.count))
  }

  /// Seconds with one to three decimals.
  static func seconds(_ seconds: Double) -> [UInt8] {
    Array("\((seconds * 1000).rounded() / 1000)".utf8)
  }

  /// Appends an event.
  package static func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    buffer.append("{\"type\":\"")
    let type = Array(event.type.utf8)
    buffer.append(type.span)
    buffer.append("\"")
    buffer.append(member: "timestamp", milliseconds: event.timestamp)
    buffer.append(member: "relativeTime")
    let relative = seconds(event.relativeTime)
    buffer.append(relative.span)
    switch event.body {
    case .location(let location):
      buffer.append(member: "data")
      put(location, to: &buffer)
    case .sample(let sample):
      buffer.append(",\"data\":{\"path\":\"")
      buffer.append(json: sample.path.span)
      buffer.append("\"")
      buffer.append(member: "files", sample.files)
      buffer.append(member: "folders", sample.folders)
      buffer.append(member: "bytes", sample.bytes)
      buffer.append(member: "allocated", sample.allocated)
      if let free = sample.free { buffer.append(member: "free", free) }
      buffer.append("}")
    case .error(let fault):
      buffer.append(member: "code", fault.code)
      buffer.append(member: "domain", text: fault.domain)
      buffer.append(member: "description", text: fault.description)
    case .alert(let alert):
      buffer.append(",\"data\":{\"name\":\"")
      buffer.append(json: alert.name.span)
      buffer.append("\"")
      buffer.append(member: "path", text: alert.path)
      buffer.append(member: "rule", text: alert.rule)
      buffer.append(member: "value", decimal: alert.value)
      buffer.append(member: "limit", decimal: alert.limit)
      buffer.append(member: "state", text: Array(alert.state.rawValue.utf8))
      buffer.append("}")
    case .gap(let since):
      buffer.append(",\"data\":{\"since\":\"")
      buffer.append(milliseconds: since)
      buffer.append("\"}")
    case .pause, .resume: break
    }
    buffer.append("}")
  }

  private static func put(_ location: RecordedLocation, to buffer: inout OutputBuffer) {
    buffer.append("{\"coordinate\":{\"latitude\":")
    buffer.append(decimal: location.latitude)
    buffer.append(member: "longitude", decimal: location.longitude)
    buffer.append("}")
    buffer.append(member: "altitude", decimal: location.altitude)
    buffer.append(member: "horizontalAccuracy", decimal: location.horizontalAccuracy)
    buffer.append(member: "verticalAccuracy", decimal: location.verticalAccuracy)
    put("course", inexact: location.course, to: &buffer)
    buffer.append(member: "courseAccuracy", decimal: location.courseAccuracy)
    put("speed", inexact: location.speed, to: &buffer)
    buffer.append(member: "speedAccuracy", decimal: location.speedAccuracy)
    if let floor = location.floor { buffer.append(member: "floor", floor) }
    buffer.append(member: "timestamp", milliseconds: location.timestamp)
    buffer.append(member: "ellipsoidalAltitude", decimal: location.ellipsoidalAltitude)
    buffer.append(",\"sourceInformation\":{\"isSimulatedBySoftware\":")
    buffer.append(location.isSimulated ? "true" : "false")
    buffer.append(member: "isProducedByAccessory")
    buffer.append(location.isProducedByAccessory ? "true" : "false")
    buffer.append("}")
    if let path = location.path { buffer.append(member: "path", text: path) }
    if let kind = location.kind { buffer.append(member: "kind", word: kind.text) }
    if let change = location.change {
      buffer.append(member: "change", text: Array(change.rawValue.utf8))
    }
    if let from = location.from {
      buffer.append(member: "from", text: from)
      buffer.append(member: "rawFrom", rawOf: from)
    }
    if let size = location.size { buffer.append(member: "size", size) }
    if let path = location.path { buffer.append(member: "rawPath", rawOf: path) }
    buffer.append("}")
  }

  /// Appends a measured number, always with a decimal point.
  private static func put(
    _ name: StaticString, inexact number: Double, to buffer: inout OutputBuffer
  ) {
    buffer.append(member: name, decimal: number)
    if number == number.rounded() { buffer.append(".0") }
  }
}
