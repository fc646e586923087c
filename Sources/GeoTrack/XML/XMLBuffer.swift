import GeoCore
import GeoSystem

/// The part of a document that is looked at, as UTF-8: what was used is dropped, what is needed is read.
struct XMLBuffer {
  /// The longest piece of markup or of text between two, in bytes.
  static var longestToken: Int { 1 << 20 }

  private(set) var bytes: [UInt8] = []
  /// Up to where the bytes were used.
  var position = 0

  private var input: any TrackInput
  private var decoder = XMLDecoder()
  private var piece: [UInt8] = []
  /// Lines that end before the buffer, and up to where in it they were counted.
  private var lines = 0
  private var isAtEnd = false

  init(_ input: any TrackInput) { self.input = input }

  /// The line that a place in the buffer is on, counted from 1.
  func line(of index: Int) -> Int {
    lines + 1 + bytes[..<min(max(index, 0), bytes.count)].count { $0 == 0x0A }
  }

  /// What is wrong at a place, by default at the end of what was read.
  private func error(_ fault: TrackError.Fault, at index: Int? = nil) -> TrackError {
    .malformed(line: line(of: index ?? bytes.count), fault)
  }

  /// Whether a character was begun and not ended.
  var isWithinCharacter: Bool { decoder.isWithinCharacter }

  /// Whether so many bytes are there from ``position`` on, which are read if need be.
  mutating func has(_ count: Int) throws(TrackError) -> Bool {
    while bytes.count - position < count {
      var end = bytes.count
      if try !fill(&end) { return false }
    }
    return true
  }

  /// Reads more, and drops what was used.
  ///
  /// - Parameter index: A place in the buffer that is moved with it.
  /// - Returns: False at the end of the file.
  mutating func fill(_ index: inout Int) throws(TrackError) -> Bool {
    if isAtEnd { return false }
    if bytes.count - position > Self.longestToken {
      throw error(.excess("a tag or a text is longer than a mebibyte"))
    }
    if position > 0 {
      lines += bytes[..<position].count { $0 == 0x0A }
      bytes.removeSubrange(..<position)
      index -= position
      position = 0
    }
    piece.removeAll(keepingCapacity: true)
    do throws(Errno) {
      if try input.read(appendingTo: &piece) == 0 { isAtEnd = true }
    } catch {
      throw .unreadable(error)
    }
    try decode(piece)
    return !isAtEnd
  }

  private mutating func decode(_ piece: [UInt8]) throws(TrackError) {
    if !decoder.append(piece, to: &bytes) {
      throw error(.xml("there are bytes that the document's encoding doesn't have"))
    }
  }

  /// Finds out the encoding from the first bytes and the XML declaration, and passes over both.
  mutating func begin() throws(TrackError) {
    var head: [UInt8] = []
    while head.count < 4 {
      do throws(Errno) {
        if try input.read(appendingTo: &head) == 0 { break }
      } catch {
        throw .unreadable(error)
      }
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
      throw error(.encoding(name), at: 0)
    }
    if decoder.encoding.isUnicode { return }
    // What was taken as UTF-8 so far has to be read again as what it is.
    let rest = Array(bytes[position...])
    bytes.removeSubrange(position...)
    try decode(rest)
  }

  /// The encoding that an XML declaration names.
  private static func encoding(in declaration: String) -> String? {
    guard let at = declaration.firstRange(of: "encoding") else { return nil }
    let rest = declaration[at.upperBound...].drop { $0 == " " || $0 == "\t" || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  /// Whether a text stands at ``position``.
  func begins(_ text: StaticString) -> Bool { bytes.span.hasBytes(text, at: position) }

  /// The end of a text that is looked for, or nil; `index` is moved to where to go on looking.
  func find(_ text: StaticString, from index: inout Int) -> Int? {
    let length = text.utf8CodeUnitCount
    let last = text.withUTF8Buffer { unsafe $0[length - 1] }
    let span = bytes.span
    let start = index
    index += length - 1
    while index < span.count {
      if span[index] == last, span.hasBytes(text, at: index - length + 1) { return index + 1 }
      index += 1
    }
    // Its first bytes may be there, but none from before where it may begin.
    index = max(start, span.count - length + 1)
    return nil
  }

  /// The first place of a byte from another on; nil if it isn't in the buffer.
  @inline(__always)
  func index(of byte: UInt8, from start: Int) -> Int? {
    let span = bytes.span
    var index = start
    while index < span.count {
      if span[index] == byte { return index }
      index += 1
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether a text stands at a place.
  func hasBytes(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    if index < 0 || index > count - length { return false }
    return text.withUTF8Buffer { text in
      for offset in 0..<length where unsafe self[index + offset] != text[offset] { return false }
      return true
    }
  }

  /// Whether the bytes are those of a text.
  func isText(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(text, at: 0)
  }
}

/// Where the bytes of a file come from, from its beginning to its end.
package protocol TrackInput {
  /// Adds the next bytes to others.
  ///
  /// - Returns: How many there were; 0 at the end.
  mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int
}

/// A file or a pipe, read in pieces of 256 KiB.
package struct TrackFileInput: TrackInput {
  private let file: InputFile

  /// What a file holds from where it stands.
  package init(_ file: InputFile) { self.file = file }

  package mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    try file.read(upTo: 256 << 10, appendingTo: &bytes)
  }
}

/// What was read already, and what follows it.
package struct BegunTrackInput: TrackInput {
  private var beginning: [UInt8]
  private var rest: any TrackInput

  package init(_ beginning: [UInt8], followedBy rest: any TrackInput) {
    (self.beginning, self.rest) = (beginning, rest)
  }

  package mutating func read(appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    if beginning.isEmpty { return try rest.read(appendingTo: &bytes) }
    defer { beginning = [] }
    bytes += beginning
    return beginning.count
  }
}

/// Bytes in memory.
package struct TrackBytesInput: TrackInput {
  private let bytes: [UInt8]
  private let piece: Int
  private var position = 0

  /// - Parameter piece: How many bytes a reading gives at most, above 0.
  package init(_ bytes: [UInt8], piece: Int = .max) {
    self.bytes = bytes
    self.piece = max(piece, 1)
  }

  package mutating func read(appendingTo others: inout [UInt8]) throws(Errno) -> Int {
    let count = min(piece, bytes.count - position)
    others.append(contentsOf: bytes[position..<(position + count)])
    position += count
    return count
  }
}
