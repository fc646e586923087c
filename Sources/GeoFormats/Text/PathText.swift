import GeoCore

extension OutputCursor {
  /// `ten` is the letter for 10, which decides the case.
  @inline(__always)
  mutating func put(hexDigit digit: UInt8, ten: UInt8) {
    put(byte: digit < 10 ? UInt8(ascii: "0") + digit : ten + (digit - 10))
  }
}

/// The path of the folder entered, escaped once for all features in it.
struct FolderText<Rule: TextRule>: Sendable {
  /// The text before a path in a feature, the escaped path, and `/`.
  private(set) var prefix = PaddedText()
  private(set) var raw: [UInt8] = []
  private(set) var isValid = true
  /// The range of the folder's own name in the prefix.
  private(set) var name = 0..<0

  /// Ill-formed UTF-8 can be repaired name by name, as `/` is ASCII.
  mutating func enter(_ path: [UInt8], after lead: StaticString) {
    raw = path
    let nameStart = path.lastComponent.startIndex
    var range = 0..<0
    var isValid = true
    let capacity = lead.utf8CodeUnitCount + path.count * Rule.expansion + 1
    prefix.fill(reserving: capacity) { cursor in
      let start = cursor.position
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

  /// An upper bound of the bytes of the path, and of its raw bytes, in a feature.
  var capacity: Int { prefix.count + raw.count * PercentText.expansion }

  /// Puts the raw path of a file of the folder percent-encoded.
  func putRaw(fileNamed name: Span<UInt8>, to cursor: inout OutputCursor) {
    PercentText.put(raw.span, to: &cursor)
    cursor.put(byte: .slash)
    PercentText.put(name, to: &cursor)
  }

  /// Puts the lead and the path.
  func putPath(to cursor: inout OutputCursor) {
    cursor.put(prefix, count: prefix.count - 1)
  }

  func putName(to cursor: inout OutputCursor) {
    cursor.put(prefix.bytes.span.extracting(name))
  }
}

extension PercentText {
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
}
