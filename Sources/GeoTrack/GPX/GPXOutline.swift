import GeoCore

/// What a GPX document says about itself and its lines, found before any point is passed on.
struct GPXOutline {
  private(set) var document = TrackDocument()
  /// The properties of lines of which some follow the points, by the number of the line from 1.
  private(set) var lateDetails: [Int: TrackDetails] = [:]
  /// The content of `extensions` after the first point.
  private(set) var extensions = GPXDetails()
  /// Whether waypoints precede routes, and these tracks.
  private(set) var isInOrder = true
  private var metadata = GPXDetails()
  private var last: Int?
  private var lines = 0

  mutating func read(_ elements: inout GPXElements) throws(Failure) {
    try elements.begin(&document)
    while try elements.next() {
      if let kind = TrackKind(element: elements.name) {
        let rank = kind == .waypoint ? 0 : kind == .route ? 1 : 2
        isInOrder = isInOrder && rank >= last ?? 0
        last = rank
        if kind == .waypoint { try elements.skip() } else { try readLine(kind, &elements) }
      } else if elements.name == "metadata" {
        while try elements.next() { try readMetadata(in: "metadata", &elements) }
      } else if elements.name == "extensions", last != nil {
        try elements.readProperty(of: "gpx", .none, &extensions)
      } else {
        try readMetadata(in: "gpx", &elements)
      }
    }
    try elements.finish()
    metadata.finish(.metadata)
    document.details = metadata.details
    extensions.finish(.none)
  }

  private mutating func readMetadata(
    in parent: String, _ elements: inout GPXElements
  ) throws(Failure) {
    if elements.name == "time" {
      guard let time = try elements.takeTime() else { return }
      document.time = time
      metadata.add(time: time)
    } else {
      try elements.readProperty(of: parent, .metadata, &metadata)
    }
  }

  private mutating func readLine(_ kind: TrackKind, _ elements: inout GPXElements) throws(Failure) {
    lines += 1
    var details = GPXDetails()
    var hasPoints = false
    var isLate = false
    while try elements.next() {
      if elements.name == (kind == .route ? "rtept" : "trkseg") {
        hasPoints = true
        try elements.skip()
      } else {
        isLate = isLate || hasPoints
        try elements.readProperty(of: kind == .route ? "rte" : "trk", .line, &details)
      }
    }
    if !isLate { return }
    details.finish(.line)
    lateDetails[lines] = details.details
  }
}
