import GeoCore

/// An error of the JSON reader.
typealias JSONFailure = JSONReader.Failure

/// Reads a recording event by event. It is strict: the first error ends it. It also reads streamed
/// lines: an object with the metadata, then bare events.
///
/// Unknown members are skipped; known ones must be valid.
package struct RecordingReader {
  var json: JSONReader
  /// The recording's metadata.
  package private(set) var metadata: RecordingMetadata
  /// Number of events read so far.
  package private(set) var count = 0
  private var isStream = false
  private var isAtEnd = false
  private var lastTime = 0.0

  /// Reads the beginning of a recording, including the metadata.
  package init(_ input: any JSONInput) throws(RecordingError) {
    json = JSONReader(input)
    metadata = RecordingMetadata(recordedAt: 0, device: [], systemVersion: [])
    do throws(Malformed) {
      try takeHead()
    } catch {
      throw .notRecording(line: json.line, byte: json.count + 1, reason: error.reason)
    }
  }

  private mutating func takeHead() throws(Malformed) {
    try call { (json) throws(JSONFailure) in try json.take("{") }
    if try name() != "metadata" { throw Malformed(reason: "expected \"metadata\"") }
    metadata = try takeMetadata()
    if try takeIf("}") {
      isStream = true
      return
    }
    try call { (json) throws(JSONFailure) in try json.take(",") }
    if try name() != "events" { throw Malformed(reason: "expected \"events\"") }
    try call { (json) throws(JSONFailure) in try json.take("[") }
  }

  /// The next event; nil at the end.
  package mutating func next() throws(RecordingError) -> RecordedEvent? {
    if isAtEnd { return nil }
    let event: RecordedEvent?
    do throws(Malformed) {
      event = try takeNext()
    } catch {
      isAtEnd = true
      throw .broken(
        line: json.line, byte: json.count + 1, events: count, reason: error.reason)
    }
    if event == nil { isAtEnd = true } else { count += 1 }
    return event
  }

  private mutating func takeNext() throws(Malformed) -> RecordedEvent? {
    if isStream {
      if try peek() == nil { return nil }
    } else if try takeIf("]") {
      try call { (json) throws(JSONFailure) in try json.take("}") }
      if try peek() != nil { throw Malformed(reason: "expected the end of the file") }
      return nil
    } else if count > 0 {
      try call { (json) throws(JSONFailure) in try json.take(",") }
    }
    let event = try takeEvent()
    if event.relativeTime < lastTime {
      throw Malformed(reason: "an event is earlier than the one before it")
    }
    lastTime = event.relativeTime
    return event
  }

  // MARK: Tokens

  /// Calls the JSON reader, and turns its errors into messages.
  mutating func call<Value>(
    _ body: (inout JSONReader) throws(JSONFailure) -> Value
  ) throws(Malformed) -> Value {
    do throws(JSONFailure) {
      return try body(&json)
    } catch {
      switch error {
      case .expected(let what):
        let isAtEnd = (try? json.peekToken()) == .some(nil)
        throw Malformed(
          reason: isAtEnd ? "the file ends where \(what) was expected" : "expected \(what)")
      case .unreadable(let reason): throw Malformed(reason: "it can't be read on: \(reason)")
      }
    }
  }

  mutating func peek() throws(Malformed) -> UInt8? {
    try call { (json) throws(JSONFailure) in try json.peekToken() }
  }

  mutating func takeIf(_ character: Unicode.Scalar) throws(Malformed) -> Bool {
    try call { (json) throws(JSONFailure) in try json.takeIf(character) }
  }

  mutating func text() throws(Malformed) -> [UInt8] {
    try call { (json) throws(JSONFailure) in
      var bytes: [UInt8] = []
      try json.takeString(appendingTo: &bytes)
      return bytes
    }
  }

  /// Reads the name of a member and the colon.
  mutating func name() throws(Malformed) -> String {
    let text = try text()
    try call { (json) throws(JSONFailure) in try json.take(":") }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func skip() throws(Malformed) {
    try call { (json) throws(JSONFailure) in try json.skipValue() }
  }

  mutating func decimal() throws(Malformed) -> Double {
    try call { (json) throws(JSONFailure) in try json.takeDecimal() }
  }

  mutating func flag() throws(Malformed) -> Bool {
    let word = try call { (json) throws(JSONFailure) in try json.takeWord() }
    guard let word else { throw Malformed(reason: "expected true or false") }
    return word
  }

  /// Reads an integer of at most 53 bits, in any notation.
  mutating func whole(_ what: String) throws(Malformed) -> Int64 {
    let number = try decimal()
    guard let whole = Int64(exactly: number), abs(number) <= 0x1p53 else {
      throw Malformed(reason: "\(what) is no whole number")
    }
    return whole
  }

  mutating func time(_ what: String) throws(Malformed) -> Int64 {
    let text = try text()
    guard text.count > 11, let time = Moment.milliseconds(parsing: text) else {
      throw Malformed(reason: "\(what) is no time of RFC 3339")
    }
    return time
  }

  /// Reads an object, calling `body` for the value of each member.
  mutating func members(
    _ body: (inout RecordingReader, String) throws(Malformed) -> Void
  ) throws(Malformed) {
    try call { (json) throws(JSONFailure) in try json.take("{") }
    if try takeIf("}") { return }
    repeat {
      let name = try name()
      try body(&self, name)
    } while try takeIf(",")
    try call { (json) throws(JSONFailure) in try json.take("}") }
  }
}
