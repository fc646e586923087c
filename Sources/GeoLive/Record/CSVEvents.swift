import GeoCore
import GeoFormats

/// CSV with one line for each event (RFC 4180).
final class CSVEvents: EventFormat {
  private let isMeasured: Bool

  /// Rows of a device end with altitude, course, speed and accuracies.
  init(isMeasured: Bool) { self.isMeasured = isMeasured }

  func begin(_ buffer: inout OutputBuffer) {
    buffer.append("time,seconds,type,change,path,from,kind,depth,size,lon,lat,")
    buffer.append("files,folders,bytes,allocated,free,description,value,limit")
    if isMeasured {
      for (name, _) in GeoLocation.measurements {
        buffer.append(",")
        buffer.append(name)
      }
    }
    buffer.append("\r\n")
  }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    var fields = [[UInt8]](
      repeating: [], count: 19 + (isMeasured ? GeoLocation.measurements.count : 0))
    fields[0] = time(event.timestamp)
    fields[1] = number(event.relativeTime)
    fields[2] = Array(event.type.rawValue.utf8)
    switch event.body {
    case .location(let place):
      fields[3] = place.entryChange.map { Array($0.rawValue.utf8) } ?? []
      fields[4] = place.rawPath ?? []
      fields[5] = place.rawOldPath ?? []
      fields[6] = place.kind.map { Array("\($0.text)".utf8) } ?? []
      fields[7] = place.floor.map { Array("\($0)".utf8) } ?? []
      fields[8] = place.size.map { Array("\($0)".utf8) } ?? []
      fields[9] = number(place.longitude)
      fields[10] = number(place.latitude)
      if isMeasured {
        for (index, (_, value)) in GeoLocation.measurements.enumerated() {
          fields[19 + index] = number(value(place))
        }
      }
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
