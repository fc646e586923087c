import GeoCore

/// Reads GPX 1.0 and 1.1, with the deviations that are common in practice, and passes it on point
/// by point, in the order of the schema: metadata, waypoints, routes, tracks.
///
/// The file is read twice, because names and other properties may follow the points; a third and a
/// fourth time if waypoints, routes and tracks are in another order. Memory doesn't grow with the
/// file. Extensions, and elements of 1.0 that 1.1 doesn't have, are kept as they are. Comments,
/// bounds, locations of schemas and attributes that GPX doesn't have are dropped.
///
/// A value that can't be used is left out, and a point without a position; ``faults`` names them.
///
/// Source: https://www.topografix.com/GPX/1/1/ and https://www.topografix.com/GPX/1/0/.
package struct GPXReader {
  private var input: any TrackInput
  private var elements: GPXElements
  private var outline = GPXOutline()
  private var point = GPXDetails()
  private var lines = 0

  package var faults: TrackFaults { elements.faults }

  package init(_ input: any TrackInput, isStrict: Bool = false) {
    self.input = input
    elements = GPXElements(input, TrackFaults(isStrict: isStrict))
  }

  package mutating func read<Sink: TrackSink & ~Copyable>(into sink: inout Sink) throws(Failure) {
    if Sink.isOrderFree {
      try sink.begin(TrackDocument())
      try readAgain(isLast: true, &sink) { _ in true }
      return try sink.end(extensions: [])
    }
    rewind(isLast: false)
    try outline.read(&elements)
    try sink.begin(outline.document)
    if outline.isInOrder {
      try readAgain(isLast: true, &sink) { _ in true }
    } else {
      for kind in [TrackKind.waypoint, .route, .track] {
        try readAgain(isLast: kind == .track, &sink) { $0 == kind }
      }
    }
    try sink.end(extensions: outline.extensions.details.xml)
  }

  private mutating func rewind(isLast: Bool) {
    input.rewind(isLast: isLast)
    elements = GPXElements(input, elements.faults)
  }

  private mutating func readAgain<Sink: TrackSink & ~Copyable>(
    isLast: Bool, _ sink: inout Sink, _ isWanted: (TrackKind) -> Bool
  ) throws(Failure) {
    rewind(isLast: isLast)
    lines = 0
    var known = TrackDocument()
    try elements.begin(&known)
    while try elements.next() {
      let kind = TrackKind(element: elements.name)
      if kind == .route || kind == .track { lines += 1 }
      guard let kind, isWanted(kind) else {
        if kind == nil, elements.name != "metadata" { try elements.refusePlaces(in: "gpx") }
        try elements.skip()
        continue
      }
      if kind == .waypoint {
        if let place = try readPoint("wpt") { try sink.add(waypoint: place, point.details) }
      } else {
        try readLine(kind, &sink)
      }
    }
    try elements.finish()
  }

  private mutating func readLine<Sink: TrackSink & ~Copyable>(
    _ kind: TrackKind, _ sink: inout Sink
  ) throws(Failure) {
    let isRoute = kind == .route
    let late = outline.lateDetails[lines]
    var line = GPXDetails()
    var isOpen = false
    while try elements.next() {
      if elements.name == (isRoute ? "rtept" : "trkseg") {
        if !isOpen { try open(kind, late, &line, &sink) }
        isOpen = true
        if isRoute {
          if let place = try readPoint("rtept") { try sink.add(place, point.details) }
        } else {
          try readSegment(&sink)
        }
      } else {
        try elements.readProperty(of: isRoute ? "rte" : "trk", .line, &line)
      }
    }
    if !isOpen { try open(kind, late, &line, &sink) }
    if isRoute { try sink.endSegment() }
    try sink.endLine()
  }

  /// Passes on the properties of a line: those read so far, or all if some follow the points.
  private func open<Sink: TrackSink & ~Copyable>(
    _ kind: TrackKind, _ late: TrackDetails?, _ line: inout GPXDetails, _ sink: inout Sink
  ) throws(Failure) {
    line.finish(.line)
    try sink.begin(kind, late ?? line.details)
    if kind == .route { try sink.beginSegment() }
  }

  private mutating func readSegment<Sink: TrackSink & ~Copyable>(_ sink: inout Sink)
    throws(Failure)
  {
    try sink.beginSegment()
    var extensions = GPXDetails()
    while try elements.next() {
      switch elements.name {
      case "trkpt":
        if let place = try readPoint("trkpt") { try sink.add(place, point.details) }
      case "extensions", "": try elements.readProperty(of: "trkseg", .none, &extensions)
      case let name: throw elements.error(.misplaced(name, in: "trkseg"))
      }
    }
    extensions.finish(.none)
    if !extensions.details.isEmpty {
      try sink.add(segmentExtensions: extensions.details.xml)
    }
    try sink.endSegment()
  }

  /// Reads a point; its other properties go to `point`. Nil if its position can't be used.
  private mutating func readPoint(_ name: String) throws(Failure) -> TrackPoint? {
    point.removeAll()
    let position = try elements.position(of: name)
    var place = TrackPoint(longitude: position?.longitude ?? 0, latitude: position?.latitude ?? 0)
    while try elements.next() {
      switch elements.name {
      case "ele": place.elevation = try elements.takeElevation()
      case "time": place.time = try elements.takeTime()
      default: try elements.readProperty(of: name, .point, &point)
      }
    }
    point.finish(.point)
    return position == nil ? nil : place
  }
}

extension TrackKind {
  init?(element name: String) {
    switch name {
    case "wpt": self = .waypoint
    case "rte": self = .route
    case "trk": self = .track
    default: return nil
    }
  }
}
