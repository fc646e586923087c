import GeoFormats
import GeoCore
import GeoProjection

/// What happened to files, in the order of time, then of the map.
package struct HistoryEvents: Sendable {
  private let world: HistoryWorld
  private let filter: HistoryFilter
  /// Where each file is.
  private let spots: [HistoryWorld.Spot?]
  /// The events, in their order.
  private let events: [History.Event]

  /// - Complexity: O(n log n) for n nodes and events.
  package init(_ world: HistoryWorld, filter: HistoryFilter) {
    self.world = world
    self.filter = filter
    var spots = [HistoryWorld.Spot?](repeating: nil, count: world.history.nodes.count)
    var ranks = [Int32](repeating: -1, count: spots.count)
    var rank: Int32 = 0
    world.walk { (node, place, path) in
      guard case .file = place else { return }
      if filter.path != nil {
        let name = world.history.names[world.history.nodes[node].name]
        if !filter.admits(path: path.appending(component: name)) { return }
      }
      spots[node] = place.spot(by: world.engine)
      ranks[node] = rank
      rank += 1
    }
    self.spots = spots
    let states = world.history.states
    let events = world.history.events.filter {
      ranks[Int($0.node)] >= 0 && filter.admits(states[Int($0.state)].time)
    }
    // Of a node, what happened first comes first, also where several states have one time.
    self.events = events.sorted { a, b in
      let (x, y) = (states[Int(a.state)].time, states[Int(b.state)].time)
      if x != y { return x < y }
      return (ranks[Int(a.node)], a.state) < (ranks[Int(b.node)], b.state)
    }
  }

  /// Writes them.
  ///
  /// - Parameter emit: Gets the bytes, piece by piece.
  package func write<Failure: Error>(
    _ format: FileFormat, _ emit: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = OutputBuffer(capacity: 2 * HistoryWorld.portion)
    let writer = MemberWriter(format)
    world.writeHeader(
      format, by: writer, columns: "time,change,path,kind,depth,revision,author,lon,lat,id",
      hasLastColumns: false, isPartial: filter.isActive, to: &buffer)
    var isFirst = true
    for event in events {
      guard let spot = spots[Int(event.node)] else { continue }
      if format == .csv {
        writeRow(event, spot, to: &buffer)
      } else {
        switch format {
        case .geojson: buffer.append(isFirst ? "\n" : ",\n")
        case .geojsonseq: buffer.append("\u{1E}")
        default: break
        }
        writeFeature(event, spot, to: &buffer)
        if format != .geojson { buffer.append("\n") }
      }
      isFirst = false
      if buffer.count < HistoryWorld.portion { continue }
      try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
      buffer.removeAll()
    }
    if format != .csv { writer.writeFooter(MapSummary(files: events.count), to: &buffer) }
    try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
  }

  private func writeFeature(
    _ event: History.Event, _ spot: HistoryWorld.Spot, to buffer: inout OutputBuffer
  ) {
    let history = world.history
    let node = history.nodes[Int(event.node)]
    let state = history.states[Int(event.state)]
    let path = history.path(of: Int(event.node))
    buffer.append("{\"type\":\"Feature\",\"id\":")
    buffer.append(spot.id)
    buffer.append(",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    buffer.append(degrees: spot.coordinate.longitude, digits: spot.digits)
    buffer.append(",")
    buffer.append(degrees: spot.coordinate.latitude, digits: spot.digits)
    buffer.append("]},\"properties\":{\"path\":\"")
    let isText = buffer.append(json: path.span)
    buffer.append("\",\"name\":\"")
    buffer.append(json: history.names.span.extracting(node.name))
    buffer.append("\",\"kind\":\"poi\",\"depth\":")
    buffer.append(Int64(node.depth))
    buffer.append(",\"time\":\"")
    buffer.append(milliseconds: Self.milliseconds(state.time))
    buffer.append("\",\"change\":\"")
    buffer.append(event.change.text)
    buffer.append("\"")
    if !state.revision.isEmpty {
      buffer.append(",\"revision\":\"")
      buffer.append(json: state.revision.span)
      buffer.append("\"")
    }
    if state.author >= 0 {
      let author = history.authors[Int(state.author)]
      buffer.append(",\"author\":\"")
      buffer.append(json: author.span)
      buffer.append("\"")
    }
    if !isText {
      buffer.append(",\"rawPath\":\"")
      buffer.append(percent: path.span)
      buffer.append("\"")
    }
    buffer.append("}}")
  }

  private func writeRow(
    _ event: History.Event, _ spot: HistoryWorld.Spot, to buffer: inout OutputBuffer
  ) {
    let history = world.history
    let state = history.states[Int(event.state)]
    func end() { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(milliseconds: Self.milliseconds(state.time))
    end()
    buffer.append(event.change.text)
    end()
    let path = history.path(of: Int(event.node))
    buffer.append(csv: path.span)
    buffer.append(",poi,")
    buffer.append(Int64(history.nodes[Int(event.node)].depth))
    end()
    buffer.append(state.revision.span)
    end()
    if state.author >= 0 {
      let author = history.authors[Int(state.author)]
      buffer.append(csv: author.span)
    }
    end()
    buffer.append(degrees: spot.coordinate.longitude, digits: spot.digits)
    end()
    buffer.append(degrees: spot.coordinate.latitude, digits: spot.digits)
    end()
    buffer.append(spot.id)
    buffer.append("\r\n")
  }

  private static func milliseconds(_ seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? .max : product
  }

  /// A place that an author's states touched.
  package struct Touch: Sendable {
    /// The path of the file.
    package let path: [UInt8]
    /// How deep it is.
    package let depth: Int
    /// Degrees east.
    package let longitude: Double
    /// Degrees north.
    package let latitude: Double
    /// Unix time in milliseconds.
    package let time: Int64
  }

  /// The way of an author.
  package struct Track: Sequence {
    /// The author's name.
    package let author: [UInt8]
    private let events: HistoryEvents
    private let own: [History.Event]

    fileprivate init(_ author: [UInt8], _ own: [History.Event], _ events: HistoryEvents) {
      self.author = author
      self.own = own
      self.events = events
    }

    /// Goes along it.
    package func makeIterator() -> AnyIterator<Touch> {
      var next = own.makeIterator()
      return AnyIterator { next.next().flatMap { events.touch($0) } }
    }
  }

  /// The places that each author's states touched, in the order of the events; authors in the byte order
  /// of their names.
  package func tracks() -> [Track] {
    let history = world.history
    let groups = Dictionary(grouping: events) { history.states[Int($0.state)].author }
    let authors = groups.keys.filter { $0 >= 0 }.sorted {
      history.authors[Int($0)].lexicographicallyPrecedes(history.authors[Int($1)])
    }
    return authors.map { Track(history.authors[Int($0)], groups[$0] ?? [], self) }
  }

  private func touch(_ event: History.Event) -> Touch? {
    guard let spot = spots[Int(event.node)] else { return nil }
    let (longitude, latitude) = spot.coordinate.degrees(digits: spot.digits)
    return Touch(
      path: world.history.path(of: Int(event.node)),
      depth: Int(world.history.nodes[Int(event.node)].depth), longitude: longitude,
      latitude: latitude,
      time: Self.milliseconds(world.history.states[Int(event.state)].time))
  }
}
