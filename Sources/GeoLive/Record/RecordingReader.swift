import GeoCore
import GeoSystem

typealias JSONFailure = JSONReader.Failure

/// Reads a recording event by event. It is strict: the first error ends it. It also reads streamed
/// lines: an object with the metadata, then bare events.
///
/// Unknown members are skipped; known ones must be valid.
package struct RecordingReader {
  var json: JSONReader
  package private(set) var metadata: RecordingMetadata
  package private(set) var count = 0
  private var isStream = false
  private var isAtEnd = false
  private var lastTime = 0.0

  package init(_ input: any JSONInput) throws(Failure) {
    json = JSONReader(input)
    metadata = RecordingMetadata(recordedAt: 0, device: [], systemVersion: [])
    do throws(Failure) {
      try takeHead()
    } catch {
      throw error.prefixed(by: "not a recording: \(place)")
    }
  }

  /// Of the next byte; lines and bytes are counted from 1.
  private var place: String { "line \(json.line), byte \(json.count + 1)" }

  private mutating func takeHead() throws(Failure) {
    try call { (json) throws(JSONFailure) in try json.take("{") }
    if try name() != "metadata" { throw .damage("expected \"metadata\"") }
    metadata = try takeMetadata()
    if try takeIf("}") {
      isStream = true
      return
    }
    try call { (json) throws(JSONFailure) in try json.take(",") }
    if try name() != "events" { throw .damage("expected \"events\"") }
    try call { (json) throws(JSONFailure) in try json.take("[") }
  }

  /// Nil at the end. The events before an error are usable.
  package mutating func next() throws(Failure) -> RecordedEvent? {
    if isAtEnd { return nil }
    let event: RecordedEvent?
    do throws(Failure) {
      event = try takeNext()
    } catch {
      isAtEnd = true
      let usable =
        count == 0
        ? "no event before that"
        : count == 1 ? "the event before that" : "\(count) events before that"
      throw .damage("\(place): \(error.message); \(usable) can be used")
    }
    if event == nil { isAtEnd = true } else { count += 1 }
    return event
  }

  private mutating func takeNext() throws(Failure) -> RecordedEvent? {
    if isStream {
      if try peek() == nil { return nil }
    } else if try takeIf("]") {
      try call { (json) throws(JSONFailure) in try json.take("}") }
      if try peek() != nil { throw .damage("expected the end of the file") }
      return nil
    } else if count > 0 {
      try call { (json) throws(JSONFailure) in try json.take(",") }
    }
    let event = try takeEvent()
    if event.relativeTime < lastTime {
      throw .damage("an event is earlier than the one before it")
    }
    lastTime = event.relativeTime
    return event
  }

  // MARK: Tokens

  mutating func call<Value>(
    _ body: (inout JSONReader) throws(JSONFailure) -> Value
  ) throws(Failure) -> Value {
    do throws(JSONFailure) {
      return try body(&json)
    } catch {
      switch error {
      case .expected(let what):
        let isAtEnd = (try? json.peekToken()) == .some(nil)
        throw .damage(isAtEnd ? "the file ends where \(what) was expected" : "expected \(what)")
      case .unreadable(let reason): throw .damage("it can't be read on: \(reason)")
      }
    }
  }

  mutating func peek() throws(Failure) -> UInt8? {
    try call { (json) throws(JSONFailure) in try json.peekToken() }
  }

  mutating func takeIf(_ character: Unicode.Scalar) throws(Failure) -> Bool {
    try call { (json) throws(JSONFailure) in try json.takeIf(character) }
  }

  mutating func text() throws(Failure) -> [UInt8] {
    try call { (json) throws(JSONFailure) in
      var bytes: [UInt8] = []
      try json.takeString(appendingTo: &bytes)
      return bytes
    }
  }

  mutating func name() throws(Failure) -> String {
    let text = try text()
    try call { (json) throws(JSONFailure) in try json.take(":") }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func skip() throws(Failure) {
    try call { (json) throws(JSONFailure) in try json.skipValue() }
  }

  mutating func decimal() throws(Failure) -> Double {
    try call { (json) throws(JSONFailure) in try json.takeDecimal() }
  }

  mutating func flag() throws(Failure) -> Bool {
    let word = try call { (json) throws(JSONFailure) in try json.takeWord() }
    guard let word else { throw .damage("expected true or false") }
    return word
  }

  /// At most 53 bits, in any notation.
  mutating func whole(_ what: String) throws(Failure) -> Int64 {
    let number = try decimal()
    guard let whole = Int64(exactly: number), abs(number) <= 0x1p53 else {
      throw .damage("\(what) is no whole number")
    }
    return whole
  }

  mutating func time(_ what: String) throws(Failure) -> Int64 {
    let text = try text()
    guard text.count > 11, let time = Moment.milliseconds(parsing: text) else {
      throw .damage("\(what) is no time of RFC 3339")
    }
    return time
  }

  mutating func members(
    _ body: (inout RecordingReader, String) throws(Failure) -> Void
  ) throws(Failure) {
    try call { (json) throws(JSONFailure) in try json.take("{") }
    if try takeIf("}") { return }
    repeat {
      let name = try name()
      try body(&self, name)
    } while try takeIf(",")
    try call { (json) throws(JSONFailure) in try json.take("}") }
  }
}

package struct RecordingMetadata: Hashable, Sendable {
  package static let version = "1.0"

  /// Unix milliseconds.
  package var recordedAt: Int64
  package var device: [UInt8]
  /// With the version, such as `Linux 6.1`.
  package var systemVersion: [UInt8]
  /// Seconds up to the last flush.
  package var duration: Double?
  /// Up to the last flush. Readers count events themselves.
  package var eventCount: Int64?
  package var name: [UInt8]?
  package var tags: [[UInt8]] = []
  /// Empty if the recording isn't of folders.
  package var roots: [[UInt8]] = []
  package var projection: Int64?
  package var layout: [UInt8]?

  package init(recordedAt: Int64, device: [UInt8], systemVersion: [UInt8]) {
    self.recordedAt = recordedAt
    self.device = device
    self.systemVersion = systemVersion
  }
}
