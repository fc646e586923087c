import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection

struct NodeText {
  let engine: GeoProjectionEngine
  var layers = LayerSchema.none

  func lines(of node: MapNode) -> String {
    var text = "\(node.path.shown)\n"
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

  /// A match in one line: its size, its path (with a final `/` for a folder), its place and its
  /// values of layers.
  func line(of hit: NameHit) -> String {
    let size = hit.size.map { Quantity.bytes(Int(clamping: $0)) } ?? "-"
    let path = hit.path.shown + (hit.kind == .poi ? "" : "/")
    let values = layers.columns.filter { $0.content == .value }.compactMap { column in
      let value = layers.shown(column, of: hit.cells, isFolder: hit.kind != .poi)
      return value.isEmpty ? nil : "\(column.name) \(value)"
    }
    return rightAligned(size, 9) + "  \(path)  (\(place(hit.coordinate, hit.digits)))"
      + (values.isEmpty ? "" : "  " + values.joined(separator: ", "))
  }

  func line(of path: [UInt8], _ place: FolderPlace) -> String {
    line(of: path, place.kind, at: engine.coordinate(of: place), place.digits)
  }

  private func line(
    of path: [UInt8], _ kind: NodeKind, at coordinate: Coordinate, _ digits: UInt8
  ) -> String {
    "\(padded("\(kind)", 10))\(path.shown) (\(place(coordinate, digits)))"
  }

  func line(_ term: String, _ text: String) -> String {
    "  \(padded(term, 9))\(text)\n"
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

  static func distance(_ metres: Double) -> String {
    if metres >= 10_000 { return "\(Int((metres / 1000).rounded())) km" }
    if metres >= 1_000 { return "\(tenths(metres / 1000)) km" }
    if metres >= 10 || metres == 0 { return "\(Int(metres.rounded())) m" }
    if metres >= 0.1 { return "\(tenths(metres)) m" }
    return "\(tenths(metres * 1000)) mm"
  }

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
