import GeoCore
import GeoSystem

/// A window of the document, decoded to UTF-8: consumed bytes are dropped, further ones are read on
/// demand.
struct XMLBuffer {
  /// Maximum length of a tag or a text, in bytes.
  static var longestToken: Int { 1 << 20 }
  static var excess: Failure { .damage("a tag or a text is longer than a mebibyte") }

  private(set) var bytes: [UInt8] = []
  /// End of the consumed bytes.
  var position = 0

  private var input: any TrackInput
  private var decoder = XMLDecoder()
  private var piece: [UInt8] = []
  /// Number of line ends before the buffer.
  private var lines = 0
  private var isAtEnd = false

  init(_ input: any TrackInput) { self.input = input }

  /// The line of a position in the buffer, counted from 1.
  func line(of index: Int) -> Int {
    lines + 1 + bytes[..<min(max(index, 0), bytes.count)].count { $0 == 0x0A }
  }

  /// An error with the line of a position, by default the end of the buffer.
  private func error(_ fault: Failure, at index: Int? = nil) -> Failure {
    fault.at(line: line(of: index ?? bytes.count))
  }

  var isWithinCharacter: Bool { decoder.isWithinCharacter }

  /// Whether at least `count` bytes follow ``position``; reads more if needed.
  mutating func has(_ count: Int) throws(Failure) -> Bool {
    while bytes.count - position < count {
      var end = bytes.count
      if try !fill(&end) { return false }
    }
    return true
  }

  /// Reads more bytes, drops consumed ones and adjusts `index`. False at the end of the file.
  mutating func fill(_ index: inout Int) throws(Failure) -> Bool {
    if isAtEnd { return false }
    if bytes.count - position > Self.longestToken {
      throw error(Self.excess)
    }
    if position > 0 {
      lines += bytes[..<position].count { $0 == 0x0A }
      bytes.removeSubrange(..<position)
      index -= position
      position = 0
    }
    piece.removeAll(keepingCapacity: true)
    if try rethrowing(input.read(appendingTo: &piece), as: Failure.unreadable) == 0 {
      isAtEnd = true
    }
    try decode(piece)
    return !isAtEnd
  }

  private mutating func decode(_ piece: [UInt8]) throws(Failure) {
    if !decoder.append(piece, to: &bytes) {
      throw error(.damage("there are bytes that the document's encoding doesn't have"))
    }
  }

  /// Detects the encoding from the first bytes and the XML declaration, and skips both.
  mutating func begin() throws(Failure) {
    var head: [UInt8] = []
    while head.count < 4 {
      if try rethrowing(input.read(appendingTo: &head), as: Failure.unreadable) == 0 { break }
    }
    let (encoding, mark) = XMLDecoder.detect(head)
    decoder.encoding = encoding
    head.removeFirst(mark)
    try decode(head)
    guard try has(6), begins("<?xml"), XMLSyntax.isSpace(bytes[5]) else { return }
    var search = 0
    var found = find("?>", from: &search)
    while found == nil {
      if try !fill(&search) { throw error(.ended(within: "the XML declaration"), at: 0) }
      found = find("?>", from: &search)
    }
    position = found ?? bytes.count
    let declaration = String(decoding: bytes[..<position], as: UTF8.self)
    if let name = Self.encoding(in: declaration), !decoder.declare(name) {
      throw error(
        .damage(
          "the encoding \(Failure.quoted(name)) isn't known here; turn it into UTF-8, by iconv"),
        at: 0)
    }
    // UTF-8 and UTF-16 were detected from the first bytes, so a declaration changes nothing.
    guard case .singleByte = decoder.encoding else { return }
    // Bytes that were decoded as UTF-8 are decoded again in the declared encoding.
    let rest = Array(bytes[position...])
    bytes.removeSubrange(position...)
    try decode(rest)
  }

  private static func encoding(in declaration: String) -> String? {
    guard let at = declaration.firstRange(of: "encoding") else { return nil }
    let rest = declaration[at.upperBound...].drop { $0 == " " || $0 == "\t" || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  func begins(_ text: StaticString) -> Bool { bytes.span.hasBytes(text, at: position) }

  /// The end of the next occurrence of a text; nil if the buffer has none. `index` becomes the
  /// position at which to continue the search.
  func find(_ text: StaticString, from index: inout Int) -> Int? {
    if let end = end(of: text, in: index..<bytes.count) { return end }
    // The text's first bytes may be at the end of the buffer.
    index = max(index, bytes.count - text.utf8CodeUnitCount + 1)
    return nil
  }

  /// The end of the first occurrence of a text within a range; nil if it has none.
  func end(of text: StaticString, in range: Range<Int>) -> Int? {
    let length = text.utf8CodeUnitCount
    let last = text.withUTF8Buffer { unsafe $0[length - 1] }
    let span = bytes.span
    var index = range.lowerBound + length - 1
    while index < range.upperBound {
      if span[index] == last, span.hasBytes(text, at: index - length + 1) { return index + 1 }
      index += 1
    }
    return nil
  }

  @inline(__always)
  func index(of byte: UInt8, from start: Int) -> Int? {
    bytes[start...].firstIndex(of: byte)
  }
}

extension Span<UInt8> {
  func hasBytes(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    if index < 0 || index > count - length { return false }
    return text.withUTF8Buffer { text in
      for offset in 0..<length where unsafe self[index + offset] != text[offset] { return false }
      return true
    }
  }

  func isText(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(text, at: 0)
  }
}
