import GeoCore

/// Walks over the elements of a GPX document: distinguishes GPX's elements from others, decodes
/// their values, and copies them.
struct GPXElements {
  private(set) var xml: XMLReader
  private(set) var faults: TrackFaults
  private(set) var isOld = false
  /// The name of the last opened element if it is one of GPX's; else empty.
  private(set) var name = ""
  private var copies = GPXCopy(own: [], declared: [])

  init(_ input: any TrackInput, _ faults: TrackFaults) {
    xml = XMLReader(input)
    self.faults = faults
  }

  func error(_ fault: Failure) -> Failure { xml.error(fault) }

  /// Opens the root element and reads its attributes. Its namespace is that of GPX's elements.
  mutating func begin(_ document: inout TrackDocument) throws(Failure) {
    guard case .start = try xml.next() else { throw error(.damage("there is no element")) }
    let name = xml.bytes[xml.name]
    if !localName.elementsEqual("gpx".utf8) {
      let name = Failure.quoted(String(decoding: name, as: UTF8.self))
      throw error(.damage("not GPX: the first element is \(name)"))
    }
    for attribute in xml.attributes {
      let key = xml.bytes[attribute.name]
      let value = try decoded(attribute.value)
      if key.elementsEqual("creator".utf8) { document.creator = value }
      if key.elementsEqual("version".utf8) { isOld = value.elementsEqual("1.0".utf8) }
      // Locations of schemas are dropped, so their namespace is, too.
      if key.starts(with: "xmlns:".utf8), !key.elementsEqual("xmlns:xsi".utf8) {
        document.namespaces.append((Array(key.dropFirst(6)), value))
      }
    }
    copies = GPXCopy(own: xml.namespace, declared: document.namespaces)
  }

  /// Opens the next child of the current element, and returns true, or closes that.
  mutating func next() throws(Failure) -> Bool {
    while true {
      switch try xml.next() {
      case .start:
        name = xml.namespace == copies.own ? String(decoding: localName, as: UTF8.self) : ""
        return true
      case .end: return false
      case .text:
        if xml.bytes[xml.textRange].contains(where: { !XMLSyntax.isSpace($0) }) {
          throw error(.damage("there is a text between elements"))
        }
      case .finished: throw error(.ended(within: "the document"))
      }
    }
  }

  private var localName: ArraySlice<UInt8> {
    let whole = xml.bytes[xml.name]
    return whole.firstIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
  }

  mutating func finish() throws(Failure) {
    guard case .finished = try xml.next() else { throw error(.damage("there is more")) }
  }

  /// The value of an attribute of the last opened element; nil if it is missing.
  func attribute(_ name: StaticString) throws(Failure) -> [UInt8]? {
    guard let value = value(of: name) else { return nil }
    return try decoded(value)
  }

  private func value(of name: StaticString) -> Range<Int>? {
    xml.attributes.first { xml.bytes.span.extracting($0.name).isText(name) }?.value
  }

  mutating func takeText() throws(Failure) -> [UInt8] {
    var text: [UInt8] = []
    let depth = xml.depth
    while xml.depth >= depth {
      guard try xml.next() == .text, xml.depth == depth else { continue }
      if xml.isVerbatim {
        text += xml.bytes[xml.textRange]
      } else {
        text += try decoded(xml.textRange)
      }
      if text.count > XMLBuffer.longestToken { throw error(XMLBuffer.excess) }
    }
    let end = text.lastIndex { !XMLSyntax.isSpace($0) }.map { $0 + 1 } ?? 0
    let start = text.firstIndex { !XMLSyntax.isSpace($0) } ?? end
    return Array(text[start..<end])
  }

  mutating func skip() throws(Failure) {
    let depth = xml.depth
    while xml.depth >= depth { _ = try xml.next() }
  }

  /// Reads the last opened element to its end, and appends a copy without comments and GPX's
  /// prefix.
  ///
  /// - Parameter isExtension: Whether the copy goes into `extensions`.
  mutating func copy(to bytes: inout [UInt8], isExtension: Bool = false) throws(Failure) {
    copies.begin(isExtension: isExtension, xml)
    try copyStart(to: &bytes)
    while true {
      switch try xml.next() {
      case .start: try copyStart(to: &bytes)
      case .text:
        try rethrowing(
          XMLSyntax.validate(xml.textRange, of: xml.bytes, isVerbatim: xml.isVerbatim), as: error)
        bytes.append(contentsOf: xml.bytes[xml.token])
      case .end: if copies.putEnd(xml, to: &bytes) { return }
      case .finished: throw error(.ended(within: "the document"))
      }
    }
  }

  private mutating func copyStart(to bytes: inout [UInt8]) throws(Failure) {
    for attribute in xml.attributes {
      try rethrowing(
        XMLSyntax.validate(attribute.value, of: xml.bytes, isVerbatim: false), as: error)
    }
    copies.putStart(xml, to: &bytes)
  }

  private func decoded(_ range: Range<Int>) throws(Failure) -> [UInt8] {
    var text: [UInt8] = []
    try rethrowing(XMLSyntax.decode(range, of: xml.bytes, to: &text), as: error)
    return text
  }
}

extension GPXElements {
  /// The attributes `lon` and `lat` of the last opened element, in degrees; nil if they can't be
  /// used.
  mutating func position(
    of name: String
  ) throws(Failure) -> (longitude: Double, latitude: Double)? {
    let (latitude, longitude) = (
      try degrees("lat", "latitude", limit: 90, of: name),
      try degrees("lon", "longitude", limit: 180, of: name)
    )
    guard let latitude, let longitude else { return nil }
    return (longitude, latitude)
  }

  private mutating func degrees(
    _ key: StaticString, _ what: String, limit: Double, of element: String
  ) throws(Failure) -> Double? {
    if let value = value(of: key) { return try number(xml.bytes[value], what, limit: limit) }
    try faults.add(error(.missing("\(key)", of: element)))
    return nil
  }

  /// Reads the last opened element as an elevation in metres; nil if it is empty or can't be used.
  mutating func takeElevation() throws(Failure) -> Double? {
    let text = try takeText()
    return text.isEmpty ? nil : try number(text[...], "elevation", limit: 1e9)
  }

  private mutating func number(
    _ text: ArraySlice<UInt8>, _ what: String, limit: Double
  ) throws(Failure) -> Double? {
    let value = DecimalText.parse(text.span)
    if let value, abs(value) <= limit { return value }
    let shown = String(decoding: text, as: UTF8.self)
    try faults.add(error(value == nil ? .value(shown, of: what) : .range(shown, of: what)))
    return nil
  }

  /// Reads the last opened element as a time; nil if it is empty or can't be used.
  mutating func takeTime() throws(Failure) -> Int64? {
    let text = try takeText()
    if text.isEmpty { return nil }
    if let time = Moment.milliseconds(parsing: text), TrackPoint.times.contains(time) {
      return time
    }
    try faults.add(error(.value(String(decoding: text, as: UTF8.self), of: "time")))
    return nil
  }

  mutating func readProperty(
    of parent: String, _ order: GPXOrder, _ details: inout GPXDetails
  ) throws(Failure) {
    try refusePlaces(in: parent)
    switch name {
    case "bounds": try skip()
    case "extensions":
      while try next() { try keep(in: &details) }
    case "url": details.url = try takeText()
    case "urlname": details.urlName = try takeText()
    case "author" where isOld: details.author = try takeText()
    case "email" where isOld: details.email = try takeText()
    default:
      guard let rank = order.rank(of: name) else { return try keep(in: &details) }
      if name == "link", let link = try attribute("href") { details.setLink(link) }
      let isName = name == "name"
      var element: [UInt8] = []
      if isName {
        let text = try takeText()
        details.setName(text)
        element = GPXDetails.element("name", text)
      } else {
        try copy(to: &element)
      }
      details.add(element, rank: rank)
    }
  }

  /// Refuses the last opened element if it is a place, a line or a part of one.
  func refusePlaces(in parent: String) throws(Failure) {
    if ["trkpt", "trkseg", "rtept", "wpt", "trk", "rte", "gpx", "metadata"].contains(name) {
      throw error(.misplaced(name, in: parent))
    }
  }

  private mutating func keep(in details: inout GPXDetails) throws(Failure) {
    var element: [UInt8] = []
    try copy(to: &element, isExtension: true)
    details.add(extension: element)
  }
}

struct GPXOrder {
  let names: [String]
  var linkRank: Int { rank(of: "link") ?? 0 }

  /// Positions of the author and the time in `metadata`.
  static let authorRank = 2
  static let timeRank = 5

  /// Order in a point, after `ele` and `time`.
  static let point = GPXOrder(
    names: [
      "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type", "fix", "sat",
      "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid",
    ])
  /// Order in a route or a track, before its points.
  static let line = GPXOrder(names: ["name", "cmt", "desc", "src", "link", "number", "type"])
  /// Order in `metadata`, without `bounds`.
  static let metadata = GPXOrder(
    names: ["name", "desc", "author", "copyright", "link", "time", "keywords"])

  /// Order at the end of the document, where only extensions are allowed.
  static let none = GPXOrder(names: [])

  func rank(of name: String) -> Int? { names.firstIndex(of: name) }
}
