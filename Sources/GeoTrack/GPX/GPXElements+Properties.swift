import GeoCore

extension GPXElements {
  /// The attributes `lon` and `lat` of the element that was begun last, in degrees.
  func position(of name: String) throws(TrackError) -> (longitude: Double, latitude: Double) {
    var longitude: Double?
    var latitude: Double?
    for attribute in xml.attributes {
      let key = xml.bytes.span.extracting(attribute.name)
      if key.isText("lat") {
        latitude = try degrees(attribute.value, "latitude", limit: 90)
      } else if key.isText("lon") {
        longitude = try degrees(attribute.value, "longitude", limit: 180)
      }
    }
    guard let latitude else { throw error(.missing("lat", of: name)) }
    guard let longitude else { throw error(.missing("lon", of: name)) }
    return (longitude, latitude)
  }

  private func degrees(
    _ range: Range<Int>, _ what: String, limit: Double
  ) throws(TrackError) -> Double {
    func text() -> String { String(decoding: xml.bytes[range], as: UTF8.self) }
    guard let value = DecimalText.parse(xml.bytes.span.extracting(range)) else {
      throw error(.value(text(), of: what))
    }
    if abs(value) > limit { throw error(.range(text(), of: what)) }
    return value
  }

  /// Ends the element that was begun last; an empty one says nothing.
  mutating func takeElevation() throws(TrackError) -> Double? {
    let text = try takeText()
    if text.isEmpty { return nil }
    guard let value = DecimalText.parse(text.span) else {
      throw error(.value(String(decoding: text, as: UTF8.self), of: "elevation"))
    }
    if abs(value) > 1e9 {
      throw error(.range(String(decoding: text, as: UTF8.self), of: "elevation"))
    }
    return value
  }

  /// Ends the element that was begun last; an empty one says nothing.
  mutating func takeTime() throws(TrackError) -> Int64? {
    let text = try takeText()
    if text.isEmpty { return nil }
    guard let time = Moment.milliseconds(parsing: text), TrackPoint.times.contains(time) else {
      throw error(.value(String(decoding: text, as: UTF8.self), of: "time"))
    }
    return time
  }

  /// Ends the element that was begun last, and adds what it says about its parent to the details.
  ///
  /// - Parameters:
  ///   - parent: The name of what it is in.
  ///   - order: What may be there.
  mutating func readProperty(
    of parent: String, _ order: GPXOrder, _ details: inout GPXDetails
  ) throws(TrackError) {
    switch name {
    case "trkpt", "trkseg", "rtept", "wpt", "trk", "rte", "gpx", "metadata":
      throw error(.misplaced(name, in: parent))
    case "bounds": try skip()
    case "extensions":
      while try next() { try keep(in: &details) }
    case "url": details.setURL(try takeText())
    case "urlname": details.setURLName(try takeText())
    case "author" where isOld: details.setAuthor(try takeText())
    case "email" where isOld: details.setEmail(try takeText())
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

  /// Keeps the element that was begun last among the extensions.
  private mutating func keep(in details: inout GPXDetails) throws(TrackError) {
    var element: [UInt8] = []
    try copy(to: &element, namespace: name.isEmpty ? nil : GPXDetails.oldNamespace)
    details.add(extension: element)
  }
}
