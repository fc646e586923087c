import GeoCore

/// Reads XML 1.0 one piece of markup at a time, in memory that doesn't grow with the document.
///
/// It knows no document types, and so no entities but XML's own five: nothing outside of the document
/// is ever looked at, and nothing in it can grow. Comments and processing instructions are passed over.
struct XMLReader {
  /// What was read last.
  enum Event {
    /// A start tag, or an empty element, the end of which follows at once.
    case start
    /// Character data; it may come in several pieces.
    case text
    /// An end tag.
    case end
    /// The document is over.
    case finished
  }

  /// An attribute of the last start tag, as ranges of the buffer; the value is without its quotes.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  static var deepest: Int { 64 }
  static var mostAttributes: Int { 64 }

  private var buffer: XMLBuffer
  /// Where the last event stands in ``bytes``, with all its markup; the end of an empty element is
  /// empty.
  private(set) var token = 0..<0
  /// The name of the last start or end tag.
  private(set) var name = 0..<0
  private(set) var attributes: [Attribute] = []
  /// Whether the last text is a CDATA section, in which nothing is escaped.
  private(set) var isVerbatim = false

  private var hasBegun = false
  private var hasRoot = false
  private var isEmptyElement = false
  /// The names of the elements that are open, one after the other, and where each begins.
  private var openNames: [UInt8] = []
  private var openStarts: [Int] = []

  init(_ input: any TrackInput) { buffer = XMLBuffer(input) }

  /// What ``token`` and the other ranges are ranges of, until the next event.
  var bytes: [UInt8] { buffer.bytes }
  /// How many elements are open.
  var depth: Int { openStarts.count }

  func error(_ fault: TrackError.Fault) -> TrackError {
    // While a token is looked for, the buffer may drop what is before it, and the place is the buffer's.
    .malformed(line: buffer.line(of: min(token.lowerBound, buffer.position)), fault)
  }

  /// The text within the markup of a CDATA section, or all of other text.
  var textRange: Range<Int> {
    isVerbatim ? (token.lowerBound + 9)..<(token.upperBound - 3) : token
  }

  /// Reads on.
  mutating func next() throws(TrackError) -> Event {
    if !hasBegun {
      hasBegun = true
      try buffer.begin()
    }
    if isEmptyElement {
      isEmptyElement = false
      token = token.upperBound..<token.upperBound
      close()
      return .end
    }
    while true {
      guard try buffer.has(1) else { return try finish() }
      token = buffer.position..<buffer.position
      if buffer.bytes[buffer.position] != UInt8(ascii: "<") {
        if try takeText() { return .text }
        continue
      }
      guard try buffer.has(2) else { throw error(.ended(within: "a tag")) }
      switch buffer.bytes[buffer.position + 1] {
      case UInt8(ascii: "?"): try pass(over: 2, to: "?>", "a processing instruction")
      case UInt8(ascii: "!"):
        if try takeDeclaration() { return .text }
      case UInt8(ascii: "/"):
        try takeEndTag()
        return .end
      default:
        try takeStartTag()
        return .start
      }
    }
  }

  private mutating func finish() throws(TrackError) -> Event {
    token = buffer.position..<buffer.position
    if buffer.isWithinCharacter || depth > 0 { throw error(.ended(within: openName)) }
    if !hasRoot { throw error(.ended(within: "an empty document")) }
    return .finished
  }

  private var openName: String {
    guard let start = openStarts.last else { return "a character" }
    return "<\(String(decoding: openNames[start...], as: UTF8.self))>"
  }

  /// Takes what was read up to a place.
  private mutating func take(to end: Int) {
    token = buffer.position..<end
    buffer.position = end
  }

  /// Takes character data up to the next markup.
  ///
  /// - Returns: Whether it is within the document's element; outside there may be white space only.
  private mutating func takeText() throws(TrackError) -> Bool {
    var end = buffer.position
    while true {
      if let found = buffer.index(of: UInt8(ascii: "<"), from: end) {
        end = found
        break
      }
      end = buffer.bytes.count
      if try !buffer.fill(&end) { break }
    }
    take(to: end)
    isVerbatim = false
    if depth > 0 { return true }
    if buffer.bytes[token].contains(where: { !XMLSyntax.isSpace($0) }) {
      throw error(.xml("there is text outside of the document's element"))
    }
    return false
  }

  /// Takes a comment or a CDATA section.
  ///
  /// - Returns: Whether it is text.
  private mutating func takeDeclaration() throws(TrackError) -> Bool {
    _ = try buffer.has(9)
    token = buffer.position..<buffer.position
    if buffer.begins("<!--") {
      try pass(over: 4, to: "-->", "a comment")
      return false
    }
    if buffer.begins("<![CDATA["), depth > 0 {
      try pass(over: 9, to: "]]>", "a CDATA section")
      isVerbatim = true
      return true
    }
    if buffer.begins("<!DOCTYPE") { throw error(.documentType) }
    throw error(.xml("there is '<!' and what follows is no comment and no CDATA section"))
  }

  private mutating func pass(
    over opening: Int, to closing: StaticString, _ what: String
  ) throws(TrackError) {
    var search = buffer.position + opening
    while true {
      if let end = buffer.find(closing, from: &search) { return take(to: end) }
      if try !buffer.fill(&search) { throw error(.ended(within: what)) }
    }
  }

  private mutating func takeEndTag() throws(TrackError) {
    try pass(over: 2, to: ">", "an end tag")
    let start = token.lowerBound + 2
    var end = token.upperBound - 1
    while end > start, XMLSyntax.isSpace(buffer.bytes[end - 1]) { end -= 1 }
    name = start..<end
    guard let open = openStarts.last else { throw error(.xml("an end tag ends nothing")) }
    guard isOpen(name, from: open) else {
      let found = TerminalText.escaped(Array(buffer.bytes[name]))
      throw error(.xml("</\(found)> stands where \(openName) is open"))
    }
    close()
  }

  /// Whether the name of the element that is open, which begins at `start`, is a given one.
  private func isOpen(_ name: Range<Int>, from start: Int) -> Bool {
    openNames.span.extracting(start..<openNames.count).equals(buffer.bytes.span.extracting(name))
  }

  private mutating func close() {
    if let start = openStarts.popLast() { openNames.removeSubrange(start...) }
  }

  private mutating func takeStartTag() throws(TrackError) {
    if depth == 0, hasRoot { throw error(.xml("there is a second element after the document's")) }
    if depth >= Self.deepest {
      throw error(.excess("elements are nested more than \(Self.deepest) deep"))
    }
    take(to: try endOfStartTag())
    hasRoot = true
    isEmptyElement = buffer.bytes[token.upperBound - 2] == UInt8(ascii: "/")
    try parseStartTag(upTo: token.upperBound - (isEmptyElement ? 2 : 1))
    openStarts.append(openNames.count)
    openNames.append(contentsOf: buffer.bytes[name])
  }

  /// Where the tag at the buffer's position ends: after the first `>` that is in no quotes.
  private mutating func endOfStartTag() throws(TrackError) -> Int {
    var index = buffer.position + 1
    var quote: UInt8 = 0
    while true {
      if try scan(&index, &quote) { return index + 1 }
      if try !buffer.fill(&index) { throw error(.ended(within: "a tag")) }
    }
  }

  /// Goes on to the first `>` that is in no quotes.
  ///
  /// - Returns: Whether there is one in the buffer.
  private func scan(_ index: inout Int, _ quote: inout UInt8) throws(TrackError) -> Bool {
    let bytes = buffer.bytes.span
    let count = bytes.count
    while index < count {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return true
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        throw error(.xml("there is a '<' within a tag"))
      }
      index += 1
    }
    return false
  }

  /// Finds the name and the attributes of a start tag.
  private mutating func parseStartTag(upTo end: Int) throws(TrackError) {
    attributes.removeAll(keepingCapacity: true)
    let bytes = buffer.bytes
    var index = token.lowerBound + 1
    name = try takeName(bytes, &index, end)
    while true {
      let start = index
      XMLSyntax.skipSpaces(in: bytes, &index, end)
      if index >= end { return }
      if index == start { throw error(.xml("attributes have to stand apart")) }
      let attribute = try takeName(bytes, &index, end)
      XMLSyntax.skipSpaces(in: bytes, &index, end)
      guard index < end, bytes[index] == UInt8(ascii: "=") else {
        throw error(.xml("an attribute has no value"))
      }
      index += 1
      XMLSyntax.skipSpaces(in: bytes, &index, end)
      guard index < end, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'")
      else { throw error(.xml("the value of an attribute is in no quotes")) }
      guard let close = buffer.index(of: bytes[index], from: index + 1), close < end else {
        throw error(.xml("a quote is not closed"))
      }
      let isDouble = attributes.contains { other in
        bytes.span.extracting(other.name).equals(bytes.span.extracting(attribute))
      }
      if isDouble {
        throw error(.xml("an element has two attributes of one name"))
      }
      if attributes.count == Self.mostAttributes {
        throw error(.excess("an element has more than \(Self.mostAttributes) attributes"))
      }
      attributes.append(Attribute(name: attribute, value: (index + 1)..<close))
      index = close + 1
    }
  }

  private func takeName(
    _ bytes: [UInt8], _ index: inout Int, _ end: Int
  ) throws(TrackError) -> Range<Int> {
    let start = index
    while index < end, XMLSyntax.isNameByte(bytes[index]) { index += 1 }
    if index == start || !XMLSyntax.isNameStart(bytes[start]) {
      throw error(.xml("a name is missing"))
    }
    if !bytes.span.extracting(start..<index).isValidUTF8 {
      throw error(.xml("a name is not UTF-8"))
    }
    return start..<index
  }
}
