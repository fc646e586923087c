import GeoCore
import GeoFormats

/// The members of an event in the recording format.
struct EventMembers {
  var type: RecordedEvent.Kind?
  var timestamp: Int64 = 0
  var relativeTime: Double?
  var body: RecordedEvent.Body?
  // The members of an error.
  var code: Int64?
  var domain: [UInt8]?
  var description: [UInt8]?

  static let fields: [RecordField<Self>] = [
    .optional(
      "type", .word(\.rawValue, fault: { "there is no type of event '\($0)'" }), { $0.type },
      { $0.type = $1 }
    ).required,
    .member("timestamp", .time, { $0.timestamp }, { $0.timestamp = $1 }).required,
    .optional("relativeTime", .seconds(), { $0.relativeTime }, { $0.relativeTime = $1 }).required,
    RecordField("data", put: { $0.putData(to: &$1) }) { (reader, event) throws(Failure) in
      guard let type = event.type else { throw .damage("an event's type comes first") }
      event.body = try reader.takeData(of: type)
      return true
    },
    .optional("code", .whole, { $0.code }, { $0.code = $1 }),
    .optional("domain", .text, { $0.domain }, { $0.domain = $1 }),
    .optional("description", .text, { $0.description }, { $0.description = $1 }),
  ]

  init() {}

  init(_ event: RecordedEvent) {
    type = event.type
    timestamp = event.timestamp
    relativeTime = event.relativeTime
    body = event.body
    if case .error(let fault) = event.body {
      (code, domain, description) = (fault.code, fault.domain, fault.description)
    }
  }

  private func putData(to buffer: inout OutputBuffer) {
    switch body {
    case .location(let location): buffer.append(data: GeoLocation.fields, of: location)
    case .sample(let sample): buffer.append(data: RecordedSample.fields, of: sample)
    case .alert(let alert): buffer.append(data: RecordedAlert.fields, of: alert)
    case .gap(let since): buffer.append(data: Self.gap, of: since)
    case .error, .pause, .resume, nil: break
    }
  }

  fileprivate static let gap: [RecordField<Int64>] = [
    .member("since", .time, { $0 }, { $0 = $1 }).required
  ]
}

extension OutputBuffer {
  fileprivate mutating func append<Record>(data fields: [RecordField<Record>], of record: Record) {
    append(member: "data")
    append(fields, of: record)
  }
}

extension RecordingReader {
  mutating func takeMetadata() throws(Failure) -> RecordingMetadata {
    var metadata = RecordingMetadata(recordedAt: 0, device: [], systemVersion: [])
    try take(RecordingMetadata.fields, of: "the metadata", into: &metadata)
    return metadata
  }

  mutating func takeEvent() throws(Failure) -> RecordedEvent {
    var event = EventMembers()
    try take(EventMembers.fields, of: "an event", into: &event)
    guard let type = event.type, let relativeTime = event.relativeTime else {
      throw .damage("an event has no type")
    }
    switch type {
    case .error:
      guard let code = event.code else { throw .damage("an error has no code") }
      event.body = .error(
        RecordedFault(
          code: code, domain: event.domain ?? [], description: event.description ?? []))
    case .pause: event.body = .pause
    case .resume: event.body = .resume
    case .location, .sample, .alert, .gap: break
    }
    guard let body = event.body else {
      throw .damage("a \(type.rawValue) has no data")
    }
    return RecordedEvent(timestamp: event.timestamp, relativeTime: relativeTime, body: body)
  }

  fileprivate mutating func takeData(
    of type: RecordedEvent.Kind
  ) throws(Failure) -> RecordedEvent.Body? {
    switch type {
    case .location:
      var location = GeoLocation(longitude: 0, latitude: 0, timestamp: 0)
      try take(GeoLocation.fields, of: "a location", into: &location)
      return .location(location)
    case .sample:
      var sample = RecordedSample(
        path: [], files: 0, folders: 0, bytes: 0, allocated: 0, free: nil)
      try take(RecordedSample.fields, of: "a sample", into: &sample)
      return .sample(sample)
    case .alert:
      var alert = RecordedAlert(name: [], path: [], rule: [], value: 0, limit: 0, state: .raised)
      try take(RecordedAlert.fields, of: "an alert", into: &alert)
      return .alert(alert)
    case .gap:
      var since: Int64 = 0
      try take(EventMembers.gap, of: "a gap", into: &since)
      return .gap(since: since)
    case .error, .pause, .resume:
      try skip()
      return nil
    }
  }
}
