import GeoCore
import GeoFormats

/// Reads GPX 1.0 and 1.1, with the deviations that are common in practice, and passes it on point
/// by point.
///
/// Memory doesn't grow with the file. Extensions, and elements of 1.0 that 1.1 doesn't have, are
/// kept as they are. Comments, bounds and the extensions of segments are dropped.
///
/// Source: https://www.topografix.com/GPX/1/1/ and https://www.topografix.com/GPX/1/0/.
package struct GPXReader {
  private var elements: GPXElements
  private var document = TrackDocument()
  /// The properties of the document, read before its first point.
  private var metadata = GPXDetails()
  private var line = GPXDetails()
  private var point = GPXDetails()
  /// The content of `extensions` at the end of the document.
  private var extensions = GPXDetails()
  private var hasBegun = false

  /// Creates a reader at the beginning of a file.
  package init(_ input: any TrackInput) { elements = GPXElements(input) }

  /// Reads the whole document.
  ///
  /// - Throws: ``TrackError`` with the line where the file is malformed, and errors of `sink`.
  /// - Complexity: O(bytes).
  package mutating func read<Sink: TrackSink & ~Copyable>(into sink: inout Sink) throws(TrackError)
  {
    try elements.begin(&document)
    while try elements.next() {
      switch elements.name {
      case "wpt":
        try begin(&sink)
        let place = try readPoint("wpt")
        try sink.add(waypoint: place, point.details)
      case "rte": try readLine(.route, &sink)
      case "trk": try readLine(.track, &sink)
      case "metadata":
        while try elements.next() { try readMetadata(in: "metadata") }
      case "extensions" where hasBegun: try elements.readProperty(of: "gpx", .none, &extensions)
      default: try readMetadata(in: "gpx")
      }
    }
    try elements.finish()
    try begin(&sink)
    extensions.finish(.none)
    try sink.end(extensions: extensions.details.xml)
  }

  private mutating func readMetadata(in parent: String) throws(TrackError) {
    if elements.name == "time" {
      guard let time = try elements.takeTime() else { return }
      document.time = time
      metadata.add(time: time)
    } else {
      try elements.readProperty(of: parent, .metadata, &metadata)
    }
  }

  /// Passes on the properties of the document, if that hasn't happened yet.
  private mutating func begin<Sink: TrackSink & ~Copyable>(_ sink: inout Sink) throws(TrackError) {
    if hasBegun { return }
    hasBegun = true
    metadata.finish(.metadata)
    document.details = metadata.details
    try sink.begin(document)
  }

  private mutating func readLine<Sink: TrackSink & ~Copyable>(
    _ kind: TrackKind, _ sink: inout Sink
  ) throws(TrackError) {
    try begin(&sink)
    let isRoute = kind == .route
    line.removeAll()
    var isOpen = false
    while try elements.next() {
      if elements.name == (isRoute ? "rtept" : "trkseg") {
        if !isOpen { try open(kind, &sink) }
        isOpen = true
        if isRoute {
          let place = try readPoint("rtept")
          try sink.add(place, point.details)
        } else {
          try readSegment(&sink)
        }
      } else {
        try elements.readProperty(of: isRoute ? "rte" : "trk", .line, &line)
      }
    }
    if !isOpen { try open(kind, &sink) }
    if isRoute { try sink.endSegment() }
    try sink.endLine()
  }

  /// Passes on the properties of a line.
  private mutating func open<Sink: TrackSink & ~Copyable>(
    _ kind: TrackKind, _ sink: inout Sink
  ) throws(TrackError) {
    line.finish(.line)
    try sink.begin(kind, line.details)
    if kind == .route { try sink.beginSegment() }
  }

  private mutating func readSegment<Sink: TrackSink & ~Copyable>(_ sink: inout Sink)
    throws(TrackError)
  {
    try sink.beginSegment()
    while try elements.next() {
      switch elements.name {
      case "trkpt":
        let place = try readPoint("trkpt")
        try sink.add(place, point.details)
      case "extensions", "": try elements.skip()
      case let name: throw elements.error(.misplaced(name, in: "trkseg"))
      }
    }
    try sink.endSegment()
  }

  /// Reads a point; its properties other than position, elevation and time go to `point`.
  private mutating func readPoint(_ name: String) throws(TrackError) -> TrackPoint {
    point.removeAll()
    let (longitude, latitude) = try elements.position(of: name)
    var place = TrackPoint(longitude: longitude, latitude: latitude)
    while try elements.next() {
      switch elements.name {
      case "ele": place.elevation = try elements.takeElevation()
      case "time": place.time = try elements.takeTime()
      default: try elements.readProperty(of: name, .point, &point)
      }
    }
    point.finish(.point)
    return place
  }
}

/// Collects the properties of an element, and sorts them into the order of GPX 1.1.
///
/// Elements that GPX 1.1 doesn't allow there go into `extensions`. Those without a namespace are
/// put into that of GPX 1.0, as the schema requires one for extensions.
struct GPXDetails {
  /// The namespace of GPX 1.0, for elements that are only in 1.0 or have no namespace.
  static let oldNamespace: StaticString = "http://www.topografix.com/GPX/1/0"

  private(set) var details = TrackDetails()
  /// Start of each element in `details.xml`, and its position in the order.
  private var pieces: [(rank: Int, start: Int)] = []
  private var extensions: [UInt8] = []
  private var url: [UInt8] = []
  private var urlName: [UInt8] = []
  private var author: [UInt8] = []
  private var email: [UInt8] = []

  /// Removes everything, but keeps the memory.
  mutating func removeAll() {
    details.removeAll()
    pieces.removeAll(keepingCapacity: true)
    extensions.removeAll(keepingCapacity: true)
    url.removeAll(keepingCapacity: true)
    urlName.removeAll(keepingCapacity: true)
    author.removeAll(keepingCapacity: true)
    email.removeAll(keepingCapacity: true)
  }

  /// Adds an element.
  mutating func add(_ element: [UInt8], rank: Int) {
    pieces.append((rank, details.xml.count))
    details.xml.append(contentsOf: element)
  }

  /// Adds an element to `extensions`.
  mutating func add(extension element: [UInt8]) { extensions.append(contentsOf: element) }

  /// Adds the time of the document.
  mutating func add(time: Int64) {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append("<time>")
    buffer.append(milliseconds: time)
    buffer.append("</time>")
    add(buffer.bytes, rank: GPXOrder.timeRank)
  }

  mutating func setName(_ name: [UInt8]) { if details.name.isEmpty { details.name = name } }
  mutating func setLink(_ link: [UInt8]) { if details.link.isEmpty { details.link = link } }
  mutating func setURL(_ text: [UInt8]) { url = text }
  mutating func setURLName(_ text: [UInt8]) { urlName = text }
  mutating func setAuthor(_ text: [UInt8]) { author = text }
  mutating func setEmail(_ text: [UInt8]) { email = text }

  /// Makes an element that contains a text.
  static func element(_ name: StaticString, _ text: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: text.count + 64)
    buffer.append("<")
    buffer.append(name)
    buffer.append(">")
    buffer.append(xml: text.span)
    buffer.append("</")
    buffer.append(name)
    buffer.append(">")
    return buffer.bytes
  }

  /// Makes a `link` element from `url` and `urlname` of GPX 1.0.
  private static func link(to url: [UInt8], named name: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: url.count + name.count + 64)
    buffer.append("<link href=\"")
    buffer.append(xml: url.span)
    buffer.append("\">")
    if !name.isEmpty {
      buffer.append("<text>")
      buffer.append(xml: name.span)
      buffer.append("</text>")
    }
    buffer.append("</link>")
    return buffer.bytes
  }

  /// The `author` element of GPX 1.1, from the texts `author` and `email` of 1.0.
  private var person: [UInt8] {
    var buffer = OutputBuffer(capacity: author.count + email.count + 128)
    buffer.append("<author>")
    if !author.isEmpty {
      buffer.append("<name>")
      buffer.append(xml: author.span)
      buffer.append("</name>")
    }
    if let at = email.firstIndex(of: UInt8(ascii: "@")) {
      buffer.append("<email id=\"")
      buffer.append(xml: email.span.extracting(0..<at))
      buffer.append("\" domain=\"")
      buffer.append(xml: email.span.extracting((at + 1)..<email.count))
      buffer.append("\"/>")
    }
    buffer.append("</author>")
    return buffer.bytes
  }

  /// Completes the properties and sorts them.
  mutating func finish(_ order: GPXOrder) {
    if !url.isEmpty {
      setLink(url)
      add(Self.link(to: url, named: urlName), rank: order.linkRank)
    }
    if !author.isEmpty || !email.isEmpty { add(person, rank: GPXOrder.authorRank) }
    if !extensions.isEmpty {
      add(
        Array("<extensions>".utf8) + extensions + Array("</extensions>".utf8),
        rank: order.names.count)
    }
    let isSorted = zip(pieces, pieces.dropFirst()).allSatisfy { $0.rank <= $1.rank }
    if isSorted { return }
    let ends = pieces.dropFirst().map(\.start) + [details.xml.count]
    let sorted = zip(pieces, ends).enumerated().sorted { a, b in
      (a.element.0.rank, a.offset) < (b.element.0.rank, b.offset)
    }
    details.xml = sorted.flatMap { details.xml[$0.element.0.start..<$0.element.1] }
  }
}

extension TrackDetails {
  /// Creates details with only a name.
  ///
  /// - Parameter name: UTF-8; invalid bytes become U+FFFD in the XML.
  package init(name: [UInt8]) {
    self.name = name
    xml = GPXDetails.element("name", name)
  }
}

/// Parses decimal numbers of track files.
enum DecimalText {
  /// The powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The double nearest to a decimal number, with or without an exponent; nil if the text is not a
  /// number.
  ///
  /// A number of up to fifteen digits and a small power of ten are exact as doubles, so one
  /// division rounds correctly (W. D. Clinger, How to Read Floating Point Numbers Accurately,
  /// 1990). Longer numbers are parsed by the standard library.
  static func parse(_ text: Span<UInt8>) -> Double? {
    var index = 0
    var end = text.count
    while index < end, XMLSyntax.isSpace(text[index]) { index += 1 }
    while end > index, XMLSyntax.isSpace(text[end - 1]) { end -= 1 }
    let start = index
    let isNegative = index < end && text[index] == UInt8(ascii: "-")
    if isNegative || index < end && text[index] == UInt8(ascii: "+") { index += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    var hasPoint = false
    while index < end {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if 0x30...0x39 ~= byte {
        digits += 1
        if digits > 15 { return parseSlowly(text, start..<end) }
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)  // fifteen digits at most
        if hasPoint { decimals += 1 }
      } else {
        return parseSlowly(text, start..<end)
      }
      index += 1
    }
    if digits == 0 { return nil }
    let value = Double(mantissa) / powers[decimals]
    return isNegative ? -value : value
  }

  /// Parses long numbers, and those with an exponent.
  private static func parseSlowly(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var bytes: [UInt8] = []
    for index in range {
      switch text[index] {
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        bytes.append(text[index])
      default: return nil  // no hexadecimals, no "inf"
      }
    }
    if bytes.count > 400 { return nil }
    return Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }
}
