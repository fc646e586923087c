import GeoFormats

/// Collects the properties of an element, and sorts them into the order of GPX 1.1.
///
/// Elements that GPX 1.1 doesn't allow there go into `extensions`.
struct GPXDetails {
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
  mutating func setURL(_ text: [UInt8]) { url = text }
  mutating func setURLName(_ text: [UInt8]) { urlName = text }
  mutating func setAuthor(_ text: [UInt8]) { author = text }
  mutating func setEmail(_ text: [UInt8]) { email = text }

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
  package init(name: [UInt8]) {
    self.name = name
    xml = GPXDetails.element("name", name)
  }
}
