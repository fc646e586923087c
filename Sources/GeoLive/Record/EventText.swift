import GeoCore
import GeoFormats

/// Writes metadata and events as JSON, each on one line.
package enum EventText {
  /// Of a number field that is overwritten later.
  static let columns = 20

  /// Offsets of the metadata's numbers that are overwritten.
  struct Fields {
    var duration = 0
    var eventCount = 0
  }

  /// With the duration and the number of events if `hasCounts`; returns their offsets in the
  /// buffer.
  @discardableResult
  static func put(
    _ metadata: RecordingMetadata, hasCounts: Bool, to buffer: inout OutputBuffer
  ) -> Fields {
    var metadata = metadata
    metadata.duration = hasCounts ? metadata.duration ?? 0 : nil
    metadata.eventCount = hasCounts ? metadata.eventCount ?? 0 : nil
    var fields = Fields()
    buffer.append(RecordingMetadata.fields, of: metadata) { (name, end) in
      if name == "duration" { fields.duration = end - columns }
      if name == "eventCount" { fields.eventCount = end - columns }
    }
    return fields
  }

  /// With final counts.
  package static func head(of metadata: RecordingMetadata) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 512)
    buffer.append("{\"metadata\":")
    put(metadata, hasCounts: true, to: &buffer)
    buffer.append(",\"events\":[")
    return buffer.bytes
  }

  package static func line(of metadata: RecordingMetadata) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 512)
    buffer.append("{\"metadata\":")
    put(metadata, hasCounts: false, to: &buffer)
    buffer.append("}")
    return buffer.bytes
  }

  /// With one to three decimals.
  static func field(seconds: Double, columns: Int = columns) -> [UInt8] {
    filled("\((seconds * 1000).rounded() / 1000)", columns)
  }

  static func field(count: Int64, columns: Int = columns) -> [UInt8] { filled("\(count)", columns) }

  private static func filled(_ text: String, _ columns: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0x20, count: max(0, columns - text.utf8.count))
  }

  package static func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    buffer.append(EventMembers.fields, of: EventMembers(event))
  }
}
