import GeoFormats
import GeoCore

/// How events become text.
protocol EventFormat: AnyObject {
  func begin(_ buffer: inout OutputBuffer)
  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer)
  func end(_ buffer: inout OutputBuffer)
}

/// The format of recordings.
final class WholeRecording: EventFormat {
  private let metadata: RecordingMetadata
  private var hasEvents = false

  init(_ metadata: RecordingMetadata) { self.metadata = metadata }

  func begin(_ buffer: inout OutputBuffer) {
    let head = EventText.head(of: metadata)
    buffer.append(head.span)
  }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    buffer.append(hasEvents ? ",\n" : "\n")
    hasEvents = true
    EventText.put(event, to: &buffer)
  }

  func end(_ buffer: inout OutputBuffer) { buffer.append("\n]}\n") }
}

/// A line for each event (RFC 4180).
final class CSVEvents: EventFormat {
  func begin(_ buffer: inout OutputBuffer) {
    buffer.append("time,seconds,type,change,path,from,kind,depth,size,lon,lat,")
    buffer.append("files,folders,bytes,allocated,free,description,value,limit\r\n")
  }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    var fields = [[UInt8]](repeating: [], count: 19)
    fields[0] = time(event.timestamp)
    fields[1] = number(event.relativeTime)
    fields[2] = Array(event.type.utf8)
    switch event.body {
    case .location(let place):
      fields[3] = place.change.map { Array($0.rawValue.utf8) } ?? []
      fields[4] = place.path ?? []
      fields[5] = place.from ?? []
      fields[6] = place.kind.map { Array("\($0.text)".utf8) } ?? []
      fields[7] = place.floor.map { Array("\($0)".utf8) } ?? []
      fields[8] = place.size.map { Array("\($0)".utf8) } ?? []
      fields[9] = number(place.longitude)
      fields[10] = number(place.latitude)
    case .sample(let sample):
      fields[4] = sample.path
      for (index, value) in [
        sample.files, sample.folders, sample.bytes, sample.allocated, sample.free,
      ].enumerated() {
        fields[11 + index] = value.map { Array("\($0)".utf8) } ?? []
      }
    case .error(let fault): fields[16] = fault.description
    case .alert(let alert):
      fields[3] = Array(alert.state.rawValue.utf8)
      fields[4] = alert.path
      fields[16] = alert.rule
      fields[17] = number(alert.value)
      fields[18] = number(alert.limit)
    case .gap(let since): fields[16] = Array("since ".utf8) + time(since)
    case .pause, .resume: break
    }
    for (index, field) in fields.enumerated() {
      if index > 0 { buffer.append(",") }
      buffer.append(csv: field.span)
    }
    buffer.append("\r\n")
  }

  func end(_ buffer: inout OutputBuffer) {}

  private func number(_ number: Double) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(decimal: number)
    return buffer.bytes
  }

  private func time(_ milliseconds: Int64) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(milliseconds: milliseconds)
    return buffer.bytes
  }
}

/// A point for each place (RFC 7946); what has no place is left out.
final class GeoJSONEvents: EventFormat {
  private var hasFeatures = false

  func begin(_ buffer: inout OutputBuffer) {
    buffer.append("{\"type\":\"FeatureCollection\",\"features\":[")
  }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    guard let place = event.location else { return }
    buffer.append(hasFeatures ? ",\n" : "\n")
    hasFeatures = true
    buffer.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    buffer.append(decimal: place.longitude)
    buffer.append(",")
    buffer.append(decimal: place.latitude)
    buffer.append("]},\"properties\":{\"time\":\"")
    buffer.append(milliseconds: event.timestamp)
    buffer.append("\"")
    if let path = place.path { put("path", path, to: &buffer) }
    if let change = place.change { put("change", Array(change.rawValue.utf8), to: &buffer) }
    if let kind = place.kind { put("kind", Array("\(kind.text)".utf8), to: &buffer) }
    if let floor = place.floor {
      buffer.append(",\"depth\":")
      buffer.append(floor)
    }
    if let size = place.size {
      buffer.append(",\"size\":")
      buffer.append(size)
    }
    if let from = place.from { put("from", from, to: &buffer) }
    buffer.append("}}")
  }

  func end(_ buffer: inout OutputBuffer) { buffer.append("\n]}\n") }

  private func put(_ name: StaticString, _ text: [UInt8], to buffer: inout OutputBuffer) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":\"")
    buffer.append(json: text.span)
    buffer.append("\"")
  }
}
