import GeoCore
import GeoFormats
import GeoProjection

/// Writes metadata and events as JSON, each on one line.
package enum EventText {
  /// How many columns a number takes that is written over later.
  static let columns = 20

  /// Where numbers of the metadata are written over, from the beginning on.
  struct Fields {
    var duration = 0
    var eventCount = 0
  }

  /// Adds the object of the metadata.
  ///
  /// - Parameter hasCounts: Whether it has a place for the duration and the number of events.
  /// - Returns: Where those places are in the buffer.
  @discardableResult
  static func put(
    _ metadata: RecordingMetadata, hasCounts: Bool, to buffer: inout OutputBuffer
  ) -> Fields {
    var fields = Fields()
    buffer.append("{\"version\":\"1.0\",\"recordedAt\":\"")
    buffer.append(milliseconds: metadata.recordedAt)
    buffer.append("\"")
    put("device", metadata.device, to: &buffer)
    put("systemVersion", metadata.systemVersion, to: &buffer)
    if hasCounts {
      buffer.append(",\"duration\":")
      fields.duration = buffer.count
      buffer.append(field(seconds: metadata.duration ?? 0).span)
      buffer.append(",\"eventCount\":")
      fields.eventCount = buffer.count
      buffer.append(field(count: metadata.eventCount ?? 0).span)
    }
    if let name = metadata.name { put("name", name, to: &buffer) }
    if !metadata.tags.isEmpty { put("tags", list: metadata.tags, to: &buffer) }
    if !metadata.roots.isEmpty { put("roots", list: metadata.roots, to: &buffer) }
    if let projection = metadata.projection {
      buffer.append(",\"projection\":")
      buffer.append(projection)
    }
    if let layout = metadata.layout { put("layout", layout, to: &buffer) }
    buffer.append("}")
    return fields
  }

  /// What stands before the first event of a recording of which all is known.
  package static func head(of metadata: RecordingMetadata) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 512)
    buffer.append("{\"metadata\":")
    put(metadata, hasCounts: true, to: &buffer)
    buffer.append(",\"events\":[")
    return buffer.bytes
  }

  /// A line `{"metadata":…}` without counts, for what is streamed.
  package static func line(of metadata: RecordingMetadata) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 512)
    buffer.append("{\"metadata\":")
    put(metadata, hasCounts: false, to: &buffer)
    buffer.append("}")
    return buffer.bytes
  }

  /// Seconds as the field of the duration.
  static func field(seconds: Double) -> [UInt8] { filled(Self.seconds(seconds)) }

  /// A number as the field of the count.
  static func field(count: Int64) -> [UInt8] { filled(Array("\(count)".utf8)) }

  private static func filled(_ text: [UInt8]) -> [UInt8] {
    text + [UInt8](repeating: 0x20, count: max(0, columns - text.count))
  }

  /// Seconds with milliseconds, as far as they are not 0, and one decimal at least.
  static func seconds(_ seconds: Double) -> [UInt8] {
    Array("\((seconds * 1000).rounded() / 1000)".utf8)
  }

  /// Adds an event.
  package static func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    buffer.append("{\"type\":\"")
    let type = Array(event.type.utf8)
    buffer.append(type.span)
    buffer.append("\",\"timestamp\":\"")
    buffer.append(milliseconds: event.timestamp)
    buffer.append("\",\"relativeTime\":")
    let relative = seconds(event.relativeTime)
    buffer.append(relative.span)
    switch event.body {
    case .location(let location):
      buffer.append(",\"data\":")
      put(location, to: &buffer)
    case .sample(let sample):
      buffer.append(",\"data\":{\"path\":\"")
      buffer.append(json: sample.path.span)
      buffer.append("\"")
      put("files", sample.files, to: &buffer)
      put("folders", sample.folders, to: &buffer)
      put("bytes", sample.bytes, to: &buffer)
      put("allocated", sample.allocated, to: &buffer)
      if let free = sample.free { put("free", free, to: &buffer) }
      buffer.append("}")
    case .error(let fault):
      put("code", fault.code, to: &buffer)
      put("domain", fault.domain, to: &buffer)
      put("description", fault.description, to: &buffer)
    case .alert(let alert):
      buffer.append(",\"data\":{\"name\":\"")
      buffer.append(json: alert.name.span)
      buffer.append("\"")
      put("path", alert.path, to: &buffer)
      put("rule", alert.rule, to: &buffer)
      put("value", decimal: alert.value, to: &buffer)
      put("limit", decimal: alert.limit, to: &buffer)
      put("state", Array(alert.state.rawValue.utf8), to: &buffer)
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
    buffer.append(",\"longitude\":")
    buffer.append(decimal: location.longitude)
    buffer.append("}")
    put("altitude", decimal: location.altitude, to: &buffer)
    put("horizontalAccuracy", decimal: location.horizontalAccuracy, to: &buffer)
    put("verticalAccuracy", decimal: location.verticalAccuracy, to: &buffer)
    put("course", inexact: location.course, to: &buffer)
    put("courseAccuracy", decimal: location.courseAccuracy, to: &buffer)
    put("speed", inexact: location.speed, to: &buffer)
    put("speedAccuracy", decimal: location.speedAccuracy, to: &buffer)
    if let floor = location.floor { put("floor", floor, to: &buffer) }
    buffer.append(",\"timestamp\":\"")
    buffer.append(milliseconds: location.timestamp)
    buffer.append("\"")
    put("ellipsoidalAltitude", decimal: location.ellipsoidalAltitude, to: &buffer)
    buffer.append(",\"sourceInformation\":{\"isSimulatedBySoftware\":")
    buffer.append(location.isSimulated ? "true" : "false")
    buffer.append(",\"isProducedByAccessory\":")
    buffer.append(location.isProducedByAccessory ? "true" : "false")
    buffer.append("}")
    if let path = location.path { put("path", path, to: &buffer) }
    if let kind = location.kind {
      buffer.append(",\"kind\":\"")
      buffer.append(kind.text)
      buffer.append("\"")
    }
    if let change = location.change { put("change", Array(change.rawValue.utf8), to: &buffer) }
    if let from = location.from {
      put("from", from, to: &buffer)
      put(raw: "rawFrom", from, to: &buffer)
    }
    if let size = location.size { put("size", size, to: &buffer) }
    if let path = location.path { put(raw: "rawPath", path, to: &buffer) }
    buffer.append("}")
  }

  // MARK: Members that follow another

  private static func put(
    _ name: StaticString, _ text: [UInt8], to buffer: inout OutputBuffer
  ) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":\"")
    buffer.append(json: text.span)
    buffer.append("\"")
  }

  /// A path percent-encoded, if it is no UTF-8.
  private static func put(
    raw name: StaticString, _ path: [UInt8], to buffer: inout OutputBuffer
  ) {
    if path.span.isValidUTF8 { return }
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":\"")
    buffer.append(percent: path.span)
    buffer.append("\"")
  }

  private static func put(
    _ name: StaticString, list: [[UInt8]], to buffer: inout OutputBuffer
  ) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":[")
    for (index, text) in list.enumerated() {
      buffer.append(index == 0 ? "\"" : ",\"")
      buffer.append(json: text.span)
      buffer.append("\"")
    }
    buffer.append("]")
  }

  private static func put(
    _ name: StaticString, _ number: Int64, to buffer: inout OutputBuffer
  ) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":")
    buffer.append(number)
  }

  private static func put(
    _ name: StaticString, decimal number: Double, to buffer: inout OutputBuffer
  ) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":")
    buffer.append(decimal: number)
  }

  /// A number that is never exact, with one decimal at least.
  private static func put(
    _ name: StaticString, inexact number: Double, to buffer: inout OutputBuffer
  ) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":")
    buffer.append(decimal: number)
    if number == number.rounded() { buffer.append(".0") }
  }
}
