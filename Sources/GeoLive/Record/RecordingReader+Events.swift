import GeoCore
import GeoFormats
import GeoProjection

extension RecordingReader {
  mutating func takeMetadata() throws(Failure) -> RecordingMetadata {
    var metadata = RecordingMetadata(recordedAt: 0, device: [], systemVersion: [])
    var hasVersion = false
    var hasTime = false
    try members { (reader, name) throws(Failure) in
      switch name {
      case "version":
        let version = try reader.text()
        if !version.elementsEqual(RecordingMetadata.version.utf8) {
          throw .damage("version '\(TerminalText.escaped(version))' isn't known here, only 1.0")
        }
        hasVersion = true
      case "recordedAt":
        metadata.recordedAt = try reader.time("recordedAt")
        hasTime = true
      case "device": metadata.device = try reader.text()
      case "systemVersion": metadata.systemVersion = try reader.text()
      case "duration":
        let duration = try reader.decimal()
        if duration < 0 { throw .damage("duration is below 0") }
        metadata.duration = duration
      case "eventCount":
        let count = try reader.whole("eventCount")
        if count < 0 { throw .damage("eventCount is below 0") }
        metadata.eventCount = count
      case "name": metadata.name = try reader.text()
      case "tags": metadata.tags = try reader.texts()
      case "roots": metadata.roots = try reader.texts()
      case "projection": metadata.projection = try reader.whole("projection")
      case "layout": metadata.layout = try reader.text()
      default: try reader.skip()
      }
    }
    if !hasVersion { throw .damage("the metadata has no version") }
    if !hasTime { throw .damage("the metadata has no recordedAt") }
    return metadata
  }

  private mutating func texts() throws(Failure) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    try call { (json) throws(JSONFailure) in try json.take("[") }
    if try takeIf("]") { return texts }
    repeat { texts.append(try text()) } while try takeIf(",")
    try call { (json) throws(JSONFailure) in try json.take("]") }
    return texts
  }

  /// The members of an event, in any order except that `type` precedes `data`.
  private struct Parts {
    var type: String?
    var timestamp: Int64?
    var relativeTime: Double?
    var body: RecordedEvent.Body?
    var code: Int64?
    var domain: [UInt8] = []
    var description: [UInt8] = []
  }

  mutating func takeEvent() throws(Failure) -> RecordedEvent {
    var parts = Parts()
    try members { (reader, name) throws(Failure) in
      switch name {
      case "type":
        let type = try reader.text()
        parts.type = String(decoding: type, as: UTF8.self)
        if !Self.types.contains(parts.type ?? "") {
          throw .damage("there is no type of event '\(TerminalText.escaped(type))'")
        }
      case "timestamp": parts.timestamp = try reader.time("timestamp")
      case "relativeTime":
        let time = try reader.decimal()
        if time < 0 { throw .damage("relativeTime is below 0") }
        parts.relativeTime = time
      case "data":
        guard let type = parts.type else { throw .damage("an event's type comes first") }
        parts.body = try reader.takeData(of: type)
      case "code": parts.code = try reader.whole("code")
      case "domain": parts.domain = try reader.text()
      case "description": parts.description = try reader.text()
      default: try reader.skip()
      }
    }
    guard let type = parts.type else { throw .damage("an event has no type") }
    guard let timestamp = parts.timestamp else {
      throw .damage("an event has no timestamp")
    }
    guard let relativeTime = parts.relativeTime else {
      throw .damage("an event has no relativeTime")
    }
    switch type {
    case "error":
      guard let code = parts.code else { throw .damage("an error has no code") }
      parts.body = .error(
        RecordedFault(code: code, domain: parts.domain, description: parts.description))
    case "pause": parts.body = .pause
    case "resume": parts.body = .resume
    default: break
    }
    guard let body = parts.body else { throw .damage("a \(type) has no data") }
    return RecordedEvent(timestamp: timestamp, relativeTime: relativeTime, body: body)
  }

  private static var types: Set<String> {
    ["location", "sample", "error", "alert", "pause", "resume", "gap"]
  }

  private mutating func takeData(of type: String) throws(Failure) -> RecordedEvent.Body? {
    switch type {
    case "location": return .location(try takeLocation())
    case "sample": return .sample(try takeSample())
    case "alert": return .alert(try takeAlert())
    case "gap":
      var since: Int64?
      try members { (reader, name) throws(Failure) in
        if name == "since" { since = try reader.time("since") } else { try reader.skip() }
      }
      guard let since else { throw .damage("a gap has no since") }
      return .gap(since: since)
    default:
      try skip()
      return nil
    }
  }

  private mutating func takeLocation() throws(Failure) -> RecordedLocation {
    var location = RecordedLocation(latitude: .nan, longitude: .nan, timestamp: 0)
    var hasTime = false
    var (raw, rawFrom): ([UInt8]?, [UInt8]?)
    try members { (reader, name) throws(Failure) in
      switch name {
      case "coordinate":
        try reader.members { (reader, name) throws(Failure) in
          switch name {
          case "latitude": location.latitude = try reader.degrees("latitude", 90)
          case "longitude": location.longitude = try reader.degrees("longitude", 180)
          default: try reader.skip()
          }
        }
      case "altitude": location.altitude = try reader.decimal()
      case "horizontalAccuracy": location.horizontalAccuracy = try reader.decimal()
      case "verticalAccuracy": location.verticalAccuracy = try reader.decimal()
      case "course": location.course = try reader.decimal()
      case "courseAccuracy": location.courseAccuracy = try reader.decimal()
      case "speed": location.speed = try reader.decimal()
      case "speedAccuracy": location.speedAccuracy = try reader.decimal()
      case "floor": location.floor = try reader.whole("floor")
      case "timestamp":
        location.timestamp = try reader.time("timestamp")
        hasTime = true
      case "ellipsoidalAltitude": location.ellipsoidalAltitude = try reader.decimal()
      case "sourceInformation":
        try reader.members { (reader, name) throws(Failure) in
          switch name {
          case "isSimulatedBySoftware": location.isSimulated = try reader.flag()
          case "isProducedByAccessory": location.isProducedByAccessory = try reader.flag()
          default: try reader.skip()
          }
        }
      case "path": location.path = try reader.text()
      case "rawPath": raw = try reader.raw("rawPath")
      case "from": location.from = try reader.text()
      case "rawFrom": rawFrom = try reader.raw("rawFrom")
      case "kind": location.kind = try reader.kind()
      case "change": location.change = try reader.change()
      case "size":
        let size = try reader.whole("size")
        if size < 0 { throw .damage("size is below 0") }
        location.size = size
      default: try reader.skip()
      }
    }
    if location.latitude.isNaN || location.longitude.isNaN {
      throw .damage("a location has no coordinate")
    }
    if !hasTime { throw .damage("a location has no timestamp") }
    if let raw { location.path = raw }
    if let rawFrom { location.from = rawFrom }
    return location
  }

  private mutating func kind() throws(Failure) -> NodeKind {
    let word = try text()
    guard let kind = NodeKind(word: word) else {
      throw .damage("there is no kind '\(TerminalText.escaped(word))'")
    }
    return kind
  }

  private mutating func change() throws(Failure) -> RecordedLocation.Change {
    let word = try text()
    guard let change = RecordedLocation.Change(rawValue: String(decoding: word, as: UTF8.self))
    else { throw .damage("there is no change '\(TerminalText.escaped(word))'") }
    return change
  }

  private mutating func degrees(_ what: String, _ maximum: Double) throws(Failure) -> Double {
    let number = try decimal()
    if abs(number) > maximum {
      throw .damage("\(what) is beyond \(Int(maximum)) degrees")
    }
    return number
  }

  private mutating func raw(_ what: String) throws(Failure) -> [UInt8] {
    guard let bytes = PercentText.decoded(try text()) else {
      throw .damage("\(what) is not percent-encoded")
    }
    return bytes
  }

  private mutating func takeSample() throws(Failure) -> RecordedSample {
    var sample = RecordedSample(
      path: [], files: 0, folders: 0, bytes: 0, allocated: 0, free: nil)
    var seen: Set<String> = []
    try members { (reader, name) throws(Failure) in
      seen.insert(name)
      switch name {
      case "path": sample.path = try reader.text()
      case "files": sample.files = try reader.whole(name)
      case "folders": sample.folders = try reader.whole(name)
      case "bytes": sample.bytes = try reader.whole(name)
      case "allocated": sample.allocated = try reader.whole(name)
      case "free": sample.free = try reader.whole(name)
      default: try reader.skip()
      }
    }
    for name in ["path", "files", "bytes"] where !seen.contains(name) {
      throw .damage("a sample has no \(name)")
    }
    return sample
  }

  private mutating func takeAlert() throws(Failure) -> RecordedAlert {
    var alert = RecordedAlert(name: [], path: [], rule: [], value: 0, limit: 0, state: .raised)
    var hasState = false
    try members { (reader, name) throws(Failure) in
      switch name {
      case "name": alert.name = try reader.text()
      case "path": alert.path = try reader.text()
      case "rule": alert.rule = try reader.text()
      case "value": alert.value = try reader.decimal()
      case "limit": alert.limit = try reader.decimal()
      case "state":
        let word = try reader.text()
        guard let state = RecordedAlert.State(rawValue: String(decoding: word, as: UTF8.self))
        else { throw .damage("an alert is raised or cleared") }
        alert.state = state
        hasState = true
      default: try reader.skip()
      }
    }
    if !hasState { throw .damage("an alert has no state") }
    return alert
  }
}

extension NodeKind {
  /// The kind with a name; nil if unknown.
  fileprivate init?(word: [UInt8]) {
    let found = NodeKind.allCases.first { kind in
      kind.text.withUTF8Buffer { unsafe $0.elementsEqual(word) }
    }
    guard let found else { return nil }
    self = found
  }
}
