import GeoCore

/// Reads GPX 1.0 and 1.1 as the world writes it, and hands it on point by point.
///
/// Memory doesn't grow with the file. Extensions, and elements of 1.0 that 1.1 has no place for, are
/// kept as they are; comments and bounds are dropped.
///
/// Source: https://www.topografix.com/GPX/1/1/ and https://www.topografix.com/GPX/1/0/.
package struct GPXReader {
  private var elements: GPXElements
  private var document = TrackDocument()
  /// What stands in the document before its first point.
  private var metadata = GPXDetails()
  private var line = GPXDetails()
  private var point = GPXDetails()
  /// What stands in `extensions` at the document's end.
  private var extensions = GPXDetails()
  private var hasBegun = false

  /// Reads from the beginning of a file.
  package init(_ input: any TrackInput) { elements = GPXElements(input) }

  /// Reads the whole document.
  ///
  /// - Throws: ``TrackError``, with the line, where the file is not what it has to be, and what `sink`
  ///   throws.
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

  /// Hands on what was read of the document before its first point.
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

  /// Hands on what was read of a line before its first point.
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

  /// Reads a point; what it says besides its place and time goes to `point`.
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
