import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection

/// Nodes as text.
struct NodeText {
  let engine: GeoProjectionEngine

  /// The lines about a node, and about the folders that contain it.
  func lines(of node: MapNode) -> String {
    var text = "\(TerminalText.escaped(node.path))\n"
    if let size = size(of: node) { text += line("size", size) }
    text += line("lon,lat", place(node.coordinate(by: engine), node.digits))
    if case .folder(let folder, _, _, _) = node.body, folder.isLanded {
      var ring: [Coordinate] = []
      engine.coastline(of: folder, into: &ring)
      text += line("land", box(of: ring, folder.digits) + ", \(ring.count) vertices")
    }
    text += line("kind", "\(node.kind), depth \(node.depth)")
    text += line("visible", node.minzoom.map { "from zoom \($0)" } ?? "it takes --count to know")
    text += line("id", String(node.id))
    for (position, ancestor) in node.ancestors.enumerated() {
      text += line(position == 0 ? "in" : "", self.line(of: ancestor.path, ancestor.place))
    }
    return text
  }

  /// The bytes of a file or the entries of a folder; nil if unknown.
  func size(of node: MapNode) -> String? {
    switch node.body {
    case .folder(_, let entries, _, _):
      entries.map { $0 == 1 ? "1 entry" : "\($0.grouped) entries" }
    case .file(_, _, let facts):
      facts.status == .known || facts.status == .sized
        ? Quantity.bytes(Int(clamping: facts.size)) : nil
    }
  }

  /// A match in one line: its size, its path (with a final `/` for a folder) and its place.
  func line(of hit: NameHit) -> String {
    let size = hit.size.map { Quantity.bytes(Int(clamping: $0)) } ?? "-"
    let path = TerminalText.escaped(hit.path) + (hit.kind == .poi ? "" : "/")
    return String(repeating: " ", count: max(0, 9 - size.count)) + size
      + "  \(path)  (\(place(hit.coordinate, hit.digits)))"
  }

  /// A folder in one line: its kind, path and place.
  func line(of path: [UInt8], _ place: FolderPlace) -> String {
    line(of: path, place.kind, at: engine.coordinate(of: place), place.digits)
  }

  private func line(
    of path: [UInt8], _ kind: NodeKind, at coordinate: Coordinate, _ digits: UInt8
  ) -> String {
    let kind = "\(kind)"
    let rank = kind + String(repeating: " ", count: max(0, 9 - kind.count))
    return "\(rank) \(TerminalText.escaped(path)) (\(place(coordinate, digits)))"
  }

  /// A term with its value.
  func line(_ term: String, _ text: String) -> String {
    "  " + term + String(repeating: " ", count: max(1, 9 - term.count)) + text + "\n"
  }

  /// `LON,LAT`, as in the formats.
  func place(_ coordinate: Coordinate, _ digits: UInt8) -> String {
    Self.decimal(coordinate.longitude, digits) + "," + Self.decimal(coordinate.latitude, digits)
  }

  private func box(of ring: [Coordinate], _ digits: UInt8) -> String {
    let (x, y) = (ring.map(\.longitude), ring.map(\.latitude))
    let edges = [x.min(), y.min(), x.max(), y.max()].map { Self.decimal($0 ?? 0, digits) }
    return edges.joined(separator: ",")
  }

  /// A distance in km, m or mm, whichever fits.
  static func distance(_ metres: Double) -> String {
    if metres >= 10_000 { return "\(Int((metres / 1000).rounded())) km" }
    if metres >= 1_000 { return "\(tenths(metres / 1000)) km" }
    if metres >= 10 || metres == 0 { return "\(Int(metres.rounded())) m" }
    if metres >= 0.1 { return "\(tenths(metres)) m" }
    return "\(tenths(metres * 1000)) mm"
  }

  /// A number with one decimal.
  static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func decimal(_ number: Int64, _ digits: UInt8) -> String {
    var buffer = OutputBuffer(capacity: 32)
    buffer.append(degrees: number, digits: digits)
    return buffer.text
  }
}

/// A route in all output formats.
struct RouteText {
  let route: Route

  /// Text with a line for each stop, and the leg that leads to it.
  var plain: String {
    var text = ""
    for (index, stop) in route.stops.enumerated() {
      var line = ""
      if index > 0 {
        let leg = route.legs[index - 1]
        line += padded(NodeText.distance(leg.distance), 10)
        line += padded(leg.bearing.map { "\(NodeText.tenths($0))°" } ?? "", 8)
      } else {
        line += padded("from", 18)
      }
      text += "\(line)\(TerminalText.escaped(stop.path))"
      text += index == route.top ? "  (holds both)\n" : "\n"
    }
    text += padded(NodeText.distance(route.distance), 18) + "in all"
    if let first = route.stops.first, let last = route.stops.last {
      text += ", \(NodeText.distance(Sphere.distance(first.point, last.point))) as the crow flies"
    }
    return text + "\n"
  }

  /// A `Feature` with a `LineString`; its properties have a member for each stop and leg.
  var geojson: [UInt8] {
    // A `LineString` needs two positions, even for a route with one stop.
    let line = route.stops.count == 1 ? route.stops + route.stops : route.stops
    return JSONBuilder.line { json in
      json.member("type", text: Array("Feature".utf8))
      json.key("geometry")
      json.object { json in
        json.member("type", text: Array("LineString".utf8))
        json.member("coordinates", each: line) { stop, json in
          json.array { json in
            json.value(degrees: stop.coordinate.longitude, digits: stop.digits)
            json.value(degrees: stop.coordinate.latitude, digits: stop.digits)
          }
        }
      }
      json.key("properties")
      json.object { json in
        put("distance", route.distance, to: &json)
        json.member("stops", each: route.stops) { $1.value(text: $0.path) }
        json.member("legs", each: route.legs) { leg, json in
          json.object { json in
            put("distance", leg.distance, to: &json)
            if let bearing = leg.bearing { put("bearing", bearing, to: &json) }
          }
        }
      }
    }
  }

  /// GPX 1.1: a `rte` with a point for each stop.
  var gpx: [UInt8] {
    var buffer = OutputBuffer(capacity: 4096)
    FeatureWriter(format: .gpx).writeHeader(
      MapHeader(layout: .settled, labels: [], isPartial: true), to: &buffer)
    buffer.append("<rte>")
    for stop in route.stops {
      buffer.append("<rtept lat=\"")
      buffer.append(degrees: stop.coordinate.latitude, digits: stop.digits)
      buffer.append("\" lon=\"")
      buffer.append(degrees: stop.coordinate.longitude, digits: stop.digits)
      buffer.append("\"><name>")
      let name = Array(stop.path.lastComponent)
      buffer.append(xml: name.span)
      buffer.append("</name><desc>")
      buffer.append(xml: stop.path.span)
      buffer.append("</desc></rtept>\n")
    }
    buffer.append("</rte>\n</gpx>\n")
    return buffer.bytes
  }

  /// Adds a number with three decimals: millimetres, or thousandths of a degree.
  private func put(_ name: String, _ number: Double, to json: inout JSONBuilder) {
    json.key(name)
    json.value(degrees: Int64((number * 1000).rounded()), digits: 3)
  }
}

/// The output for answers: as text, or in a map format.
final class AnswerOutput {
  private let run: Run
  private let file: OutputFile
  private let format: FileFormat
  private var buffer = OutputBuffer(capacity: 1 << 16)
  private var features: NodeFeatures
  private let frame: FeatureWriter
  private var hasFeatures = false
  private var summary = MapSummary()
  /// Whether the reader has closed the pipe; additions are then ignored.
  private(set) var isClosed = false
  /// Whether the output is a terminal.
  var isTerminal: Bool { file.isTerminal }

  init(_ format: FileFormat, _ world: World, _ run: Run) throws(Failure) {
    self.run = run
    self.format = format
    file = try OutputFile(opening: try run.place)
    frame = FeatureWriter(format: format.ofMap ?? .geojson)
    features = NodeFeatures(frame, engine: world.engine)
    if format != .text {
      frame.writeHeader(
        MapHeader(
          layout: world.engine.layout, labels: world.roots.map(\.label), isPartial: true),
        to: &buffer)
    }
  }

  /// Adds text.
  func add(_ text: String) throws(Failure) {
    let text = Array(text.utf8)
    buffer.append(text.span)
    try flush(above: 1 << 16)
  }

  /// Adds the feature of a node.
  func add(_ node: MapNode) throws(Failure) {
    let start = buffer.count
    features.write(node, to: &buffer)
    frame.removeSeparator(at: start, unless: &hasFeatures, from: &buffer)
    switch node.body {
    case .folder(_, _, _, let isUnreadable):
      summary.folders += 1
      if isUnreadable { summary.unreadable += 1 }
    case .file(_, _, let facts):
      summary.files += 1
      if facts.status == .unreadable { summary.unreadable += 1 }
    }
    try flush(above: 1 << 16)
  }

  /// Writes the footer and the rest of the buffer, and closes the output.
  func complete() throws(Failure) {
    if format != .text { frame.writeFooter(summary, to: &buffer) }
    try flush(above: 0)
    try ignoringClosedPipe { () throws(OutputError) in try file.complete() }
  }

  /// Writes the buffer, for a reader that waits for answers.
  func flush() throws(Failure) { try flush(above: 0) }

  private func flush(above limit: Int) throws(Failure) {
    guard buffer.count > limit else { return }
    try ignoringClosedPipe { () throws(OutputError) in
      try buffer.withBytes { (bytes) throws(OutputError) in try file.write(bytes) }
    }
    buffer.removeAll()
  }

  private func ignoringClosedPipe(
    _ body: () throws(OutputError) -> Void
  ) throws(Failure) {
    do throws(OutputError) {
      try body()
    } catch {
      if case .failed(let failure) = error { throw failure }
      isClosed = true
      run.endAsClosed()
    }
  }
}
