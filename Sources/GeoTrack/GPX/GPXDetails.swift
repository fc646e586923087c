import GeoFormats

/// Collects the properties of an element, and sorts them into the order of GPX 1.1.
///
/// Elements that GPX 1.1 doesn't allow there go into `extensions`.
struct GPXDetails {
  private(set) var details = TrackDetails()
  /// Start of each element in `details.xml`, and its position in the order.
  private var pieces: [(rank: Int, start: Int)] = []
  private var extensions: [UInt8] = []
  // Texts of GPX 1.0, which become elements of 1.1.
  var url: [UInt8] = []
  var urlName: [UInt8] = []
  var author: [UInt8] = []
  var email: [UInt8] = []

  mutating func removeAll() {
    details.removeAll()
    pieces.removeAll(keepingCapacity: true)
    extensions.removeAll(keepingCapacity: true)
    (url, urlName, author, email) = ([], [], [], [])
  }

  mutating func add(_ element: [UInt8], rank: Int) {
    pieces.append((rank, details.xml.count))
    details.xml.append(contentsOf: element)
  }

  mutating func add(extension element: [UInt8]) { extensions.append(contentsOf: element) }

  mutating func add(time: Int64) {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append("<time>")
    buffer.append(milliseconds: time)
    buffer.append("</time>")
    add(buffer.bytes, rank: GPXOrder.timeRank)
  }

  mutating func setName(_ name: [UInt8]) { if details.name.isEmpty { details.name = name } }
  mutating func setLink(_ link: [UInt8]) { if details.link.isEmpty { details.link = link } }

  static func element(_ name: StaticString, _ text: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: text.count + 64)
    buffer.append(element: name, text)
    return buffer.bytes
  }

  /// Makes a `link` element from `url` and `urlname` of GPX 1.0.
  private static func link(to url: [UInt8], named name: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: url.count + name.count + 64)
    buffer.append("<link href=\"")
    buffer.append(xml: url.span)
    buffer.append("\">")
    if !name.isEmpty { buffer.append(element: "text", name) }
    buffer.append("</link>")
    return buffer.bytes
  }

  /// The `author` element of GPX 1.1, from the texts `author` and `email` of 1.0.
  private var person: [UInt8] {
    var buffer = OutputBuffer(capacity: author.count + email.count + 128)
    buffer.append("<author>")
    if !author.isEmpty { buffer.append(element: "name", author) }
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

extension OutputBuffer {
  fileprivate mutating func append(element name: StaticString, _ text: [UInt8]) {
    append("<")
    append(name)
    append(">")
    append(xml: text.span)
    append("</")
    append(name)
    append(">")
  }
}

extension TrackDetails {
  package init(name: [UInt8]) {
    self.name = name
    xml = GPXDetails.element("name", name)
  }
}
