import GeoCore

/// Walks over the elements of a GPX document: which are GPX's own, what they say, and their copies.
struct GPXElements {
  private(set) var xml: XMLReader
  /// What GPX's own elements begin with: a prefix and a colon, or nothing.
  private var prefix: [UInt8] = []
  /// Whether it is GPX 1.0.
  private(set) var isOld = false
  /// The name of the element that was begun last if it is one of GPX's own; else nothing.
  private(set) var name = ""

  init(_ input: any TrackInput) { xml = XMLReader(input) }

  func error(_ fault: TrackError.Fault) -> TrackError { xml.error(fault) }

  /// Begins the document's element, and notes what it says.
  mutating func begin(_ document: inout TrackDocument) throws(TrackError) {
    guard case .start = try xml.next() else { throw error(.xml("there is no element")) }
    let name = xml.bytes[xml.name]
    if let colon = name.lastIndex(of: UInt8(ascii: ":")) { prefix = Array(name[...colon]) }
    if !name.dropFirst(prefix.count).elementsEqual("gpx".utf8) {
      throw error(.notGPX(String(decoding: name, as: UTF8.self)))
    }
    for attribute in xml.attributes {
      let key = xml.bytes[attribute.name]
      let value = try decoded(attribute.value)
      if key.elementsEqual("creator".utf8) { document.creator = value }
      if key.elementsEqual("version".utf8) { isOld = value.elementsEqual("1.0".utf8) }
      // That of schemas is dropped with the schemas' places.
      if key.starts(with: "xmlns:".utf8), !key.elementsEqual("xmlns:xsi".utf8) {
        document.namespaces.append((Array(key.dropFirst(6)), value))
      }
    }
  }

  /// Begins the next element within the one that is open, or ends that.
  ///
  /// - Returns: Whether there is another.
  mutating func next() throws(TrackError) -> Bool {
    while true {
      switch try xml.next() {
      case .start:
        name = try ownName()
        return true
      case .end: return false
      case .text:
        if xml.bytes[xml.textRange].contains(where: { !XMLSyntax.isSpace($0) }) {
          throw error(.xml("there is a text between elements"))
        }
      case .finished: throw error(.ended(within: "the document"))
      }
    }
  }

  /// The name without its prefix if the element is in GPX's namespace.
  private func ownName() throws(TrackError) -> String {
    let whole = xml.bytes[xml.name]
    if !whole.starts(with: prefix) { return "" }
    let local = whole.dropFirst(prefix.count)
    if local.contains(UInt8(ascii: ":")) { return "" }
    for attribute in xml.attributes
    where xml.bytes.span.extracting(attribute.name).isText("xmlns") { return "" }
    return String(decoding: local, as: UTF8.self)
  }

  /// Expects the end of the document.
  mutating func finish() throws(TrackError) {
    guard case .finished = try xml.next() else { throw error(.xml("there is more")) }
  }

  /// The value of an attribute of the element that was begun last; nil if it has none such.
  func attribute(_ name: StaticString) throws(TrackError) -> [UInt8]? {
    for attribute in xml.attributes
    where xml.bytes.span.extracting(attribute.name).isText(name) {
      return try decoded(attribute.value)
    }
    return nil
  }

  /// Ends the element that was begun last.
  ///
  /// - Returns: The text that is directly in it, without the white space around it.
  mutating func takeText() throws(TrackError) -> [UInt8] {
    var text: [UInt8] = []
    let depth = xml.depth
    while true {
      switch try xml.next() {
      case .text: if xml.depth == depth { try append(xml.textRange, to: &text) }
      case .end where xml.depth < depth:
        let end = text.lastIndex { !XMLSyntax.isSpace($0) }.map { $0 + 1 } ?? 0
        let start = text.firstIndex { !XMLSyntax.isSpace($0) } ?? end
        return Array(text[start..<end])
      case .start, .end: continue
      case .finished: throw error(.ended(within: "the document"))
      }
    }
  }

  /// Ends the element that was begun last.
  mutating func skip() throws(TrackError) {
    let depth = xml.depth
    while true {
      switch try xml.next() {
      case .end where xml.depth < depth: return
      case .finished: throw error(.ended(within: "the document"))
      case .start, .end, .text: continue
      }
    }
  }

  /// Ends the element that was begun last, and adds all of it to some bytes, without comments and
  /// without GPX's prefix.
  ///
  /// - Parameter namespace: One for the element to be in that has none of its own.
  mutating func copy(to bytes: inout [UInt8], namespace: StaticString? = nil) throws(TrackError) {
    let depth = xml.depth
    try copyStart(to: &bytes, namespace: namespace)
    while true {
      switch try xml.next() {
      case .start: try copyStart(to: &bytes, namespace: nil)
      case .text:
        try check { () throws(TrackError.Fault) in
          try XMLSyntax.validate(xml.textRange, of: xml.bytes, isVerbatim: xml.isVerbatim)
        }
        bytes.append(contentsOf: xml.bytes[xml.token])
      case .end:
        // The end of an empty element was there with its start.
        if !xml.token.isEmpty {
          bytes.append(contentsOf: "</".utf8)
          bytes.append(contentsOf: writtenName)
          bytes.append(UInt8(ascii: ">"))
        }
        if xml.depth < depth { return }
      case .finished: throw error(.ended(within: "the document"))
      }
    }
  }

  private func copyStart(
    to bytes: inout [UInt8], namespace: StaticString?
  ) throws(TrackError) {
    for attribute in xml.attributes {
      try check { () throws(TrackError.Fault) in
        try XMLSyntax.validate(attribute.value, of: xml.bytes, isVerbatim: false)
      }
    }
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: writtenName)
    if let namespace {
      bytes.append(contentsOf: " xmlns=\"".utf8)
      namespace.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(contentsOf: xml.bytes[xml.name.upperBound..<xml.token.upperBound])
  }

  /// The element's name as it is written: without a prefix that is GPX's own.
  private var writtenName: ArraySlice<UInt8> {
    let whole = xml.bytes[xml.name]
    return !prefix.isEmpty && whole.starts(with: prefix) ? whole.dropFirst(prefix.count) : whole
  }

  private func decoded(_ range: Range<Int>) throws(TrackError) -> [UInt8] {
    var text: [UInt8] = []
    try check { () throws(TrackError.Fault) in
      try XMLSyntax.decode(range, of: xml.bytes, to: &text)
    }
    return text
  }

  private func append(_ range: Range<Int>, to text: inout [UInt8]) throws(TrackError) {
    if xml.isVerbatim {
      text.append(contentsOf: xml.bytes[range])
    } else {
      text += try decoded(range)
    }
  }

  private func check(_ body: () throws(TrackError.Fault) -> Void) throws(TrackError) {
    do throws(TrackError.Fault) {
      try body()
    } catch {
      throw self.error(error)
    }
  }
}
