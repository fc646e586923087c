import GeoEmit
import GeoPath
import GeoProjection
import GeoRecord
import GeoSystem

/// `geomapper recordings export`: a recording in another format, or in its own, whole.
enum RecordingExport {
  static func run(_ name: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let input = try RecordingsCommand.call(name) { (folder) throws(RecordingFolder.Failure) in
      try folder.open(name)
    }(try RecordingPlace.open(low))
    let file = RecordingFile(input, shown: "'\(TerminalText.escaped(name))'")
    let reader = try file.read()
    let output = try OutputFile(opening: place)
    var fault: RecordingError?
    do throws(OutputError) {
      switch low.record.showFormat ?? .json {
      case .gpx: fault = try writeTrack(file, reader, output)
      case .csv: fault = try write(file, reader, output, CSVEvents())
      case .geojson: fault = try write(file, reader, output, GeoJSONEvents())
      case .json, .text: fault = try write(file, reader, output, try wholeRecording(file, reader))
      }
      try output.complete()
    } catch {
      output.discard()
      if case .failed(let failure) = error { throw failure }
      return .success
    }
    guard let fault else { return .success }
    Messages.note("\(file.shown) breaks off: \(fault)")
    return .incomplete
  }

  private static func writeTrack(
    _ file: RecordingFile, _ reader: RecordingReader, _ output: OutputFile
  ) throws(OutputError) -> RecordingError? {
    let track = RecordedTrack(output)
    try track.begin(reader.metadata)
    let fault = try file.forEach(reader) { (event) throws(OutputError) in try track.add(event) }
    try track.finish()
    return fault
  }

  private static func write(
    _ file: RecordingFile, _ reader: RecordingReader, _ output: OutputFile,
    _ format: any EventFormat
  ) throws(OutputError) -> RecordingError? {
    var buffer = OutputBuffer(capacity: 1 << 16)
    format.begin(&buffer)
    let fault = try file.forEach(reader) { (event) throws(OutputError) in
      format.put(event, to: &buffer)
      if buffer.count < 60 << 10 { return }
      try buffer.withBytes { (bytes) throws(OutputError) in try output.write(bytes) }
      buffer.removeAll()
    }
    format.end(&buffer)
    try buffer.withBytes { (bytes) throws(OutputError) in try output.write(bytes) }
    return fault
  }

  /// The recording's own format needs to know what it has before it begins: it is read twice.
  private static func wholeRecording(
    _ file: RecordingFile, _ reader: RecordingReader
  ) throws(OutputError) -> any EventFormat {
    var summary = RecordingSummary(reader.metadata)
    _ = file.forEach(reader) { summary.add($0) }
    var metadata = reader.metadata
    metadata.duration = summary.duration
    metadata.eventCount = Int64(summary.count)
    return WholeRecording(metadata)
  }
}

/// How events become text.
private protocol EventFormat: AnyObject {
  func begin(_ buffer: inout OutputBuffer)
  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer)
  func end(_ buffer: inout OutputBuffer)
}

private final class WholeRecording: EventFormat {
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
private final class CSVEvents: EventFormat {
  func begin(_ buffer: inout OutputBuffer) {
    buffer.append("time,seconds,type,change,path,from,kind,depth,size,lon,lat,")
    buffer.append("files,folders,bytes,allocated,free,description\r\n")
  }

  func put(_ event: RecordedEvent, to buffer: inout OutputBuffer) {
    var fields = [[UInt8]](repeating: [], count: 17)
    fields[0] = Array(TrackInfo.moment(event.timestamp).utf8)
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
    case .gap(let since): fields[16] = Array("since \(TrackInfo.moment(since))".utf8)
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
    return Array(buffer.text.utf8)
  }
}

/// A point for each place (RFC 7946); what has no place is left out.
private final class GeoJSONEvents: EventFormat {
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
    buffer.append("]},\"properties\":")
    var json = JSONBuilder()
    json.object { json in
      if let path = place.path { json.member("path", text: path) }
      RecordingInfo.putTime("time", event.timestamp, to: &json)
      if let change = place.change { json.member("change", text: Array(change.rawValue.utf8)) }
      if let kind = place.kind { json.member("kind", text: Array("\(kind.text)".utf8)) }
      if let floor = place.floor { json.member("depth", floor) }
      if let size = place.size { json.member("size", size) }
      if let from = place.from { json.member("from", text: from) }
    }
    let properties = json.bytes
    buffer.append(properties.span)
    buffer.append("}")
  }

  func end(_ buffer: inout OutputBuffer) { buffer.append("\n]}\n") }
}
