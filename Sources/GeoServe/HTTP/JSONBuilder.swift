import GeoEmit
import GeoProjection

/// Writes JSON, member by member.
struct JSONBuilder {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Adds an object with what `body` adds to it.
  mutating func object(_ body: (inout JSONBuilder) -> Void) { nest(0x7B, 0x7D, body) }

  /// Adds an array with what `body` adds to it.
  mutating func array(_ body: (inout JSONBuilder) -> Void) { nest(0x5B, 0x5D, body) }

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
  mutating func key(_ name: String) {
    value(text: Array(name.utf8))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(text: [UInt8]) {
    separate()
    var buffer = OutputBuffer(capacity: text.count + 16)
    buffer.append(json: text.span)
    bytes.append(UInt8(ascii: "\""))
    buffer.withBytes { text in
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func value(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Adds a number as decimals, as far as they go.
  mutating func value(_ number: Double) {
    separate()
    let text = "\(number)"
    bytes.append(contentsOf: (number.isFinite ? text : "null").utf8)
  }

  /// Adds an integer number of 10^-digits degrees.
  mutating func value(degrees: Int64, digits: UInt8) {
    separate()
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(degrees: degrees, digits: digits)
    buffer.withBytes { text in
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Adds JSON that is there already.
  mutating func value(raw: [UInt8]) {
    separate()
    bytes.append(contentsOf: raw)
  }

  mutating func member(_ name: String, text: [UInt8]) {
    key(name)
    value(text: text)
  }

  mutating func member(_ name: String, _ number: Int64) {
    key(name)
    value(number)
  }

  mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(raw: Array((flag ? "true" : "false").utf8))
  }
}
