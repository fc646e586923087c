import GeoCore

/// Writes JSON, member by member.
package struct JSONBuilder {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// What was written so far, as it may stand in the script element of a page.
  package var scriptBytes: [UInt8] { ScriptData.escaped(bytes) }

  /// Nothing yet.
  package init() {}

  /// Adds an object with what `body` adds to it.
  package mutating func object(_ body: (inout JSONBuilder) -> Void) { nest(0x7B, 0x7D, body) }

  /// Adds an array with what `body` adds to it.
  package mutating func array(_ body: (inout JSONBuilder) -> Void) { nest(0x5B, 0x5D, body) }

  private mutating func nest(
    _ open: UInt8, _ close: UInt8, _ body: (inout JSONBuilder) -> Void
  ) {
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

  /// Adds the name of a member, whose value has to follow.
  package mutating func key(_ name: String) {
    separate()
    put(name.utf8)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Adds bytes as a string.
  package mutating func value(text: [UInt8]) {
    separate()
    put(text)
  }

  /// Adds a string.
  @inline(__always)
  private mutating func put(_ text: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    // Nearly all texts stand for themselves.
    if text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      bytes.append(contentsOf: text)
    } else {
      var buffer = OutputBuffer(capacity: text.count + 16)
      let text = Array(text)
      buffer.append(json: text.span)
      buffer.withBytes { text in
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a whole number.
  package mutating func value(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Adds a number as decimals, as far as they go.
  package mutating func value(_ number: Double) {
    separate()
    let text = "\(number)"
    bytes.append(contentsOf: (number.isFinite ? text : "null").utf8)
  }

  /// Adds an integer number of 10^-digits degrees.
  package mutating func value(degrees: Int64, digits: UInt8) {
    separate()
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(degrees: degrees, digits: digits)
    buffer.withBytes { text in
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Adds JSON that is there already.
  package mutating func value(raw: [UInt8]) {
    separate()
    bytes.append(contentsOf: raw)
  }

  /// Adds a member that is a string.
  package mutating func member(_ name: String, text: [UInt8]) {
    key(name)
    value(text: text)
  }

  /// Adds a member that is a string, and under another name its bytes, percent-encoded, if they are no
  /// UTF-8.
  package mutating func member(_ name: String, text: [UInt8], raw rawName: String) {
    member(name, text: text)
    if text.span.isValidUTF8 { return }
    var raw: [UInt8] = []
    PercentText.append(text.span, to: &raw)
    member(rawName, text: raw)
  }

  /// Adds members that are there already as text, with a comma before each.
  package mutating func members(raw: [UInt8]) {
    if raw.isEmpty { return }
    value(raw: Array(raw.dropFirst()))
  }

  /// Adds a member that is a whole number.
  package mutating func member(_ name: String, _ number: Int64) {
    key(name)
    value(number)
  }

  /// Adds a member that is true or false.
  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(raw: Array((flag ? "true" : "false").utf8))
  }
}
