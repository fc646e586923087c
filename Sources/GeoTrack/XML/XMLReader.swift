import GeoCore

/// A streaming reader of XML 1.0 in bounded memory.
///
/// It refuses document types and knows only the five predefined entities, so it never reads other
/// files, and entities can't expand without bounds. Comments and processing instructions are
/// skipped.
struct XMLReader {
  enum Event {
    /// A start tag, or an empty element, whose end follows as the next event.
    case start
    /// Character data; a text may be split into several events.
    case text
    case end
    case finished
  }

  /// An attribute of the last start tag, as ranges of ``bytes``; the value excludes the quotes.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  static var maximumDepth: Int { 64 }
  static var maximumAttributes: Int { 64 }

  private var buffer: XMLBuffer
  /// Range of the last event in ``bytes``, including markup; for the end of an empty element it is
  /// empty.
  private(set) var token = 0..<0
  private(set) var name = 0..<0
  private(set) var attributes: [Attribute] = []
  /// The prefixes in scope at the last start tag.
  private(set) var namespaces = XMLNamespaces()
  /// The namespace of the last start tag's element; empty for none.
  private(set) var namespace: [UInt8] = []
  /// Whether the last text is a CDATA section, which has no escapes.
  private(set) var isVerbatim = false

  private var hasBegun = false
  private var hasRoot = false
  private var isEmptyElement = false
  /// The names of the open elements, concatenated, and the start of each.
  private var openNames: [UInt8] = []
  private var openStarts: [Int] = []

  init(_ input: any TrackInput) { buffer = XMLBuffer(input) }

  /// The buffer of ``token`` and the other ranges, valid until the next event.
  var bytes: [UInt8] { buffer.bytes }
  var depth: Int { openStarts.count }

  func error(_ fault: Failure) -> Failure {
    // The buffer may have dropped bytes before its position during a search, so `token` may be
    // outdated.
    fault.at(line: buffer.line(of: min(token.lowerBound, buffer.position)))
  }

  /// Range of the last text without the markup of a CDATA section.
  var textRange: Range<Int> {
    isVerbatim ? (token.lowerBound + 9)..<(token.upperBound - 3) : token
  }

  mutating func next() throws(Failure) -> Event {
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

  private mutating func finish() throws(Failure) -> Event {
    token = buffer.position..<buffer.position
    if buffer.isWithinCharacter || depth > 0 { throw error(.ended(within: openName)) }
    if !hasRoot { throw error(.ended(within: "an empty document")) }
    return .finished
  }

  private var openName: String {
    guard let start = openStarts.last else { return "a character" }
    return "<\(TerminalText.escaped(Array(openNames[start...])))>"
  }

  /// Consumes the bytes up to an index as the current token.
  private mutating func take(to end: Int) throws(Failure) {
    token = buffer.position..<end
    if token.count > XMLBuffer.longestToken { throw error(XMLBuffer.excess) }
    buffer.position = end
  }

  /// Consumes character data up to the next markup; returns whether it is within the root element.
  /// Outside only white space is allowed.
  private mutating func takeText() throws(Failure) -> Bool {
    var end = buffer.position
    while true {
      if let found = buffer.index(of: UInt8(ascii: "<"), from: end) {
        end = found
        break
      }
      end = buffer.bytes.count
      if try !buffer.fill(&end) { break }
    }
    try take(to: end)
    isVerbatim = false
    if let end = buffer.end(of: "]]>", in: token) {
      token = (end - 3)..<end
      throw error(.damage("a text holds ']]>'"))
    }
    if depth > 0 { return true }
    if buffer.bytes[token].contains(where: { !XMLSyntax.isSpace($0) }) {
      throw error(.damage("there is text outside of the document's element"))
    }
    return false
  }

  /// Consumes a comment or a CDATA section; returns whether it is a text.
  private mutating func takeDeclaration() throws(Failure) -> Bool {
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
    if buffer.begins("<!DOCTYPE") {
      throw error(.damage("a document type (<!DOCTYPE) is refused: tracks need none"))
    }
    throw error(.damage("there is '<!' and what follows is no comment and no CDATA section"))
  }

  private mutating func pass(
    over opening: Int, to closing: StaticString, _ what: String
  ) throws(Failure) {
    var search = buffer.position + opening
    while true {
      if let end = buffer.find(closing, from: &search) { return try take(to: end) }
      if try !buffer.fill(&search) { throw error(.ended(within: what)) }
    }
  }

  private mutating func takeEndTag() throws(Failure) {
    try pass(over: 2, to: ">", "an end tag")
    let start = token.lowerBound + 2
    var end = token.upperBound - 1
    while end > start, XMLSyntax.isSpace(buffer.bytes[end - 1]) { end -= 1 }
    name = start..<end
    guard let open = openStarts.last else { throw error(.damage("an end tag ends nothing")) }
    guard isOpen(name, from: open) else {
      let found = TerminalText.escaped(Array(buffer.bytes[name]))
      throw error(.damage("</\(found)> stands where \(openName) is open"))
    }
    close()
  }

  /// Whether a name is that of the innermost open element, whose name begins at `start`.
  private func isOpen(_ name: Range<Int>, from start: Int) -> Bool {
    openNames.span.extracting(start..<openNames.count).equals(buffer.bytes.span.extracting(name))
  }

  private mutating func close() {
    if let start = openStarts.popLast() { openNames.removeSubrange(start...) }
    namespaces.leave(to: depth)
  }

  private mutating func takeStartTag() throws(Failure) {
    if depth == 0, hasRoot {
      throw error(.damage("there is a second element after the document's"))
    }
    if depth >= Self.maximumDepth {
      throw error(.damage("elements are nested more than \(Self.maximumDepth) deep"))
    }
    try take(to: endOfStartTag())
    hasRoot = true
    isEmptyElement = buffer.bytes[token.upperBound - 2] == UInt8(ascii: "/")
    try parseStartTag(upTo: token.upperBound - (isEmptyElement ? 2 : 1))
    openStarts.append(openNames.count)
    openNames.append(contentsOf: buffer.bytes[name])
    try declareNamespaces()
  }

  /// The end of the tag at the buffer's position: after the first `>` outside of quotes.
  private mutating func endOfStartTag() throws(Failure) -> Int {
    var index = buffer.position + 1
    var quote: UInt8 = 0
    while true {
      if try scan(&index, &quote) { return index + 1 }
      if try !buffer.fill(&index) { throw error(.ended(within: "a tag")) }
    }
  }

  /// Advances to the first `>` outside of quotes; false if the buffer has none.
  private func scan(_ index: inout Int, _ quote: inout UInt8) throws(Failure) -> Bool {
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
        throw error(.damage("there is a '<' within a tag"))
      }
      index += 1
    }
    return false
  }

  private mutating func parseStartTag(upTo end: Int) throws(Failure) {
    attributes.removeAll(keepingCapacity: true)
    let bytes = buffer.bytes
    var index = token.lowerBound + 1
    name = try takeName(bytes, &index, end)
    while true {
      let start = index
      XMLSyntax.skipSpaces(in: bytes, &index, end)
      if index >= end { return }
      if index == start { throw error(.damage("attributes have to stand apart")) }
      let attribute = try takeName(bytes, &index, end)
      XMLSyntax.skipSpaces(in: bytes, &index, end)
      guard index < end, bytes[index] == UInt8(ascii: "=") else {
        throw error(.damage("an attribute has no value"))
      }
      index += 1
      XMLSyntax.skipSpaces(in: bytes, &index, end)
      guard index < end, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'")
      else { throw error(.damage("the value of an attribute is in no quotes")) }
      guard let close = buffer.index(of: bytes[index], from: index + 1), close < end else {
        throw error(.damage("a quote is not closed"))
      }
      if bytes[index..<close].contains(UInt8(ascii: "<")) {
        throw error(.damage("there is a '<' in the value of an attribute"))
      }
      let isDouble = attributes.contains { other in
        bytes.span.extracting(other.name).equals(bytes.span.extracting(attribute))
      }
      if isDouble {
        throw error(.damage("an element has two attributes of one name"))
      }
      if attributes.count == Self.maximumAttributes {
        throw error(.damage("an element has more than \(Self.maximumAttributes) attributes"))
      }
      attributes.append(Attribute(name: attribute, value: (index + 1)..<close))
      index = close + 1
    }
  }

  /// Binds the prefixes that the last start tag declares, and checks that all it uses are declared.
  private mutating func declareNamespaces() throws(Failure) {
    let bytes = buffer.bytes
    for attribute in attributes {
      let key = bytes.span.extracting(attribute.name)
      guard let prefix = XMLNamespaces.declaredPrefix(key) else { continue }
      var value: [UInt8] = []
      try rethrowing(XMLSyntax.decode(attribute.value, of: bytes, to: &value), as: error)
      let name = attribute.name
      if !prefix.isEmpty, value.isEmpty {
        throw error(.damage("the prefix \(quoted(name)) is declared without a namespace"))
      }
      let start = name.lowerBound + prefix.lowerBound
      namespaces.bind(Array(bytes[start..<name.upperBound]), to: value, at: depth)
    }
    namespace = try namespace(of: name) ?? namespaces.name(of: Span()) ?? []
    for attribute in attributes {
      let key = bytes.span.extracting(attribute.name)
      if XMLNamespaces.declaredPrefix(key) == nil { _ = try namespace(of: attribute.name) }
    }
  }

  /// The namespace of the prefix of a name; nil without a prefix.
  private func namespace(of name: Range<Int>) throws(Failure) -> [UInt8]? {
    let whole = buffer.bytes.span.extracting(name)
    guard let length = XMLNamespaces.prefixLength(whole) else { return nil }
    let local = whole.extracting((length + 1)..<whole.count)
    if length == 0 || local.isEmpty || XMLNamespaces.prefixLength(local) != nil {
      throw error(.damage("the name \(quoted(name)) has a colon too many"))
    }
    guard let namespace = namespaces.name(of: whole.extracting(0..<length)) else {
      throw error(.damage("the prefix of \(quoted(name)) isn't declared"))
    }
    return namespace
  }

  private func quoted(_ range: Range<Int>) -> String {
    "'\(TerminalText.escaped(Array(buffer.bytes[range])))'"
  }

  private func takeName(
    _ bytes: [UInt8], _ index: inout Int, _ end: Int
  ) throws(Failure) -> Range<Int> {
    let start = index
    while index < end, XMLSyntax.isNameByte(bytes[index]) { index += 1 }
    if index == start || !XMLSyntax.isNameStart(bytes[start]) {
      throw error(.damage("a name is missing"))
    }
    let name = bytes.span.extracting(start..<index)
    if !name.isValidUTF8 { throw error(.damage("a name is not UTF-8")) }
    if !XMLSyntax.isName(name) {
      throw error(.damage("\(quoted(start..<index)) holds a character that names can't have"))
    }
    return start..<index
  }
}
