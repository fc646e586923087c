import GeoCore

/// Writes JSON, member by member.
package struct JSONBuilder {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// The JSON written so far, escaped for the script element of a page.
  package var scriptBytes: [UInt8] { ScriptData.escaped(bytes) }

  package init() {}

  package mutating func object(_ body: (inout JSONBuilder) -> Void) { nest(0x7B, 0x7D, body) }

  package mutating func array(_ body: (inout JSONBuilder) -> Void) { nest(0x5B, 0x5D, body) }

  private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONBuilder) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Adds the name of a member; its value must follow.
  package mutating func key(_ name: String) {
    separate()
    put(name.utf8)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func value(text: [UInt8]) {
    separate()
    put(text)
  }

  @inline(__always)
  private mutating func put(_ text: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts need no escaping.
    if text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      bytes.append(contentsOf: text)
    } else {
      var buffer = OutputBuffer(capacity: text.count + 16)
      let text = Array(text)
      buffer.append(json: text.span)
      buffer.withBytes { bytes.append(copying: $0) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func value(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Adds a number in decimal; `null` if it is not finite.
  package mutating func value(_ number: Double) {
    separate()
    let text = "\(number)"
    bytes.append(contentsOf: (number.isFinite ? text : "null").utf8)
  }

  /// Adds degrees, given as an integer number of 10^-digits degrees.
  package mutating func value(degrees: Int64, digits: UInt8) {
    separate()
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(degrees: degrees, digits: digits)
    buffer.withBytes { bytes.append(copying: $0) }
  }

  package mutating func value(raw: [UInt8]) {
    separate()
    bytes.append(contentsOf: raw)
  }

  package mutating func member(_ name: String, text: [UInt8]) {
    key(name)
    value(text: text)
  }

  /// Adds a string member and, if it is not UTF-8, its bytes percent-encoded under another name.
  package mutating func member(_ name: String, text: [UInt8], raw rawName: String) {
    member(name, text: text)
    if text.span.isValidUTF8 { return }
    var raw: [UInt8] = []
    PercentText.append(text.span, to: &raw)
    member(rawName, text: raw)
  }

  package mutating func put(_ members: [FeatureMember], of record: FeatureRecord) {
    for member in members {
      guard let value = record.value(member) else { continue }
      key("\(member.name)")
      self.value(value)
    }
  }

  package mutating func value(_ value: FeatureValue) {
    switch value {
    case .word(let word): self.value(text: word.bytes)
    case .number(let number): self.value(number)
    case .decimal(let number):
      var buffer = OutputBuffer(capacity: 32)
      buffer.append(decimal: number)
      self.value(raw: buffer.bytes)
    case .degrees(let degrees, let digits): self.value(degrees: degrees, digits: digits)
    case .flag: self.value(raw: Array("true".utf8))
    case .text(let text): self.value(text: text)
    case .percent, .time, .instant: preconditionFailure("no member of a record")
    }
  }

  /// Adds the members about several states, without braces.
  package mutating func put(_ parts: FeatureParts?) {
    let members = parts?.members.dropFirst() ?? []
    if !members.isEmpty { value(raw: Array(members)) }
  }

  package mutating func member(_ name: String, _ number: Int64?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  package mutating func member(_ name: String, decimal number: Double?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  package mutating func member<Elements: Sequence>(
    _ name: String, each elements: Elements, _ body: (Elements.Element, inout JSONBuilder) -> Void
  ) {
    key(name)
    array { json in for element in elements { body(element, &json) } }
  }

  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(raw: Array((flag ? "true" : "false").utf8))
  }
}

/// Members of a JSON object after others, with a comma before each.
extension OutputCursor {
  /// Puts the name; a value must follow.
  @inline(__always)
  mutating func put(member name: StaticString) {
    put(",\"")
    put(name)
    put("\":")
  }

  @inline(__always)
  mutating func put(member name: StaticString, _ number: Int64?) {
    guard let number else { return }
    put(member: name)
    put(number)
  }

  @inline(__always)
  private mutating func put<Result>(
    member name: StaticString, quoting body: (inout OutputCursor) -> Result
  ) -> Result {
    put(member: name)
    put(byte: UInt8(ascii: "\""))
    defer { put(byte: UInt8(ascii: "\"")) }
    return body(&self)
  }

  /// Puts a string that needs no escaping.
  @inline(__always)
  mutating func put(member name: StaticString, word: StaticString) {
    put(member: name, quoting: { $0.put(word) })
  }

  /// Returns whether the string is valid UTF-8.
  mutating func put(member name: StaticString, text: Span<UInt8>) -> Bool {
    put(member: name, quoting: { JSONText.put(text, to: &$0) })
  }

  mutating func put(member name: StaticString, percent bytes: Span<UInt8>) {
    put(member: name, quoting: { PercentText.put(bytes, to: &$0) })
  }

  /// Puts a Unix time to the second; an empty string outside of the years 1 to 9999.
  mutating func put(member name: StaticString, seconds: Int64) {
    put(member: name, quoting: { if let time = CivilTime(unixSeconds: seconds) { $0.put(time) } })
  }

  /// Puts a Unix time to the millisecond; an empty string outside of the years 1 to 9999.
  mutating func put(member name: StaticString, milliseconds: Int64) {
    put(member: name, quoting: { _ = $0.put(milliseconds: milliseconds) })
  }

  /// Puts an object with the members that `body` puts, or nothing if it puts none.
  mutating func putObject(_ name: StaticString, _ body: (inout OutputCursor) -> Void) {
    let start = position
    put(member: name)
    let inside = position
    body(&self)
    if count(since: inside) == 0 { return rewind(to: start) }
    // The brace replaces the first comma.
    store(byte: UInt8(ascii: "{"), at: inside)
    put(byte: UInt8(ascii: "}"))
  }
}

/// The same for other modules.
extension OutputBuffer {
  package mutating func append(member name: StaticString) {
    put(reserving: name.utf8CodeUnitCount + 4) { $0.put(member: name) }
  }

  package mutating func append(member name: StaticString, _ number: Int64) {
    append(member: name)
    append(number)
  }

  package mutating func append(member name: StaticString, decimal number: Double) {
    append(member: name)
    append(decimal: number)
  }

  /// Adds a string that needs no escaping.
  package mutating func append(member name: StaticString, word: StaticString) {
    append(member: name)
    append("\"")
    append(word)
    append("\"")
  }

  package mutating func append(member name: StaticString, text: [UInt8]) {
    append(member: name)
    append("\"")
    append(json: text.span)
    append("\"")
  }

  package mutating func append(member name: StaticString, texts: [[UInt8]]) {
    append(member: name)
    append("[")
    for (index, text) in texts.enumerated() {
      append(index == 0 ? "\"" : ",\"")
      append(json: text.span)
      append("\"")
    }
    append("]")
  }

  /// Adds a path percent-encoded, if it is not UTF-8.
  package mutating func append(member name: StaticString, rawOf path: [UInt8]) {
    if path.span.isValidUTF8 { return }
    append(member: name)
    append("\"")
    append(percent: path.span)
    append("\"")
  }

  package mutating func append(member name: StaticString, milliseconds: Int64) {
    append(member: name)
    append("\"")
    append(milliseconds: milliseconds)
    append("\"")
  }
}

extension StaticString {
  package var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}
