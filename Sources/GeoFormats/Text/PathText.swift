import GeoCore

/// Percent-encoding (RFC 3986) that keeps `/`: exact for any bytes.
package enum PercentText {
  static let expansion = 3

  /// Puts a path; letters, digits and `-._~/` are not encoded.
  static func put(_ path: Span<UInt8>, to cursor: inout OutputCursor) {
    for index in 0..<path.count {
      let byte = path[index]
      if isPlain(byte) {
        cursor.put(byte: byte)
      } else {
        cursor.put(byte: UInt8(ascii: "%"))
        cursor.put(hexDigit: byte >> 4, ten: UInt8(ascii: "A"))
        cursor.put(hexDigit: byte & 15, ten: UInt8(ascii: "A"))
      }
    }
  }

  /// Adds a path to bytes.
  package static func append(_ path: Span<UInt8>, to text: inout [UInt8]) {
    for index in 0..<path.count {
      let byte = path[index]
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      }
    }
  }

  /// Decodes percent-encoded bytes.
  ///
  /// - Returns: The bytes; nil if a `%` is not followed by two digits, or if they contain a zero
  ///   byte, which no path has.
  package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(value(ofHexDigit:)),
        let low = iterator.next().flatMap(value(ofHexDigit:)), high << 4 | low != 0
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(ofHexDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// A hexadecimal digit in upper case.
  private static func hexDigit(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + (digit - 10)
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-")...UInt8(ascii: "/"),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      return true
    default: return false
    }
  }
}

extension OutputCursor {
  /// Puts a hexadecimal digit.
  ///
  /// - Parameters:
  ///   - digit: 0 to 15.
  ///   - ten: The letter for 10, which decides the case.
  @inline(__always)
  mutating func put(hexDigit digit: UInt8, ten: UInt8) {
    put(byte: digit < 10 ? UInt8(ascii: "0") + digit : ten + (digit - 10))
  }
}

/// The path of the folder entered, escaped once for all features in it.
struct FolderText<Rule: TextRule>: Sendable {
  /// The text before a path in a feature, the escaped path, and `/`.
  private(set) var prefix = PaddedText()
  /// The raw path.
  private(set) var raw: [UInt8] = []
  /// Whether the path is UTF-8.
  private(set) var isValid = true
  /// The range of the folder's own name in the prefix.
  private(set) var name = 0..<0

  /// Sets the path of a folder.
  ///
  /// Ill-formed UTF-8 can be repaired name by name, as `/` is ASCII.
  ///
  /// - Parameters:
  ///   - path: Label and names, joined by `/`.
  ///   - lead: The text before a path in a feature.
  mutating func enter(_ path: [UInt8], after lead: StaticString) {
    raw = path
    let nameStart = path.lastComponent.startIndex
    var range = 0..<0
    var isValid = true
    let room = lead.utf8CodeUnitCount + path.count * Rule.expansion + 1
    prefix.fill(reserving: room) { cursor in
      let start = cursor.mark
      cursor.put(lead)
      let bytes = path.span
      if !Rule.put(bytes.extracting(0..<nameStart), to: &cursor) { isValid = false }
      let lower = cursor.count(since: start)
      if !Rule.put(bytes.extracting(nameStart..<path.count), to: &cursor) { isValid = false }
      range = lower..<cursor.count(since: start)
      cursor.put(byte: .slash)
    }
    self.isValid = isValid
    name = range
  }

  /// Puts the lead and the path.
  func putPath(to cursor: inout OutputCursor) {
    cursor.put(prefix, count: prefix.count - 1)
  }

  /// Puts the folder's own name.
  func putName(to cursor: inout OutputCursor) {
    cursor.put(prefix.bytes.span.extracting(name))
  }
}
