import GeoFormats
import GeoCore
import GeoProjection

/// Writes the lives of the nodes of a world, a node at a time, in the order of the map.
package struct LifeWriter {
  private let world: HistoryWorld
  private let format: FileFormat
  private let filter: HistoryFilter
  private var writer: MemberWriter
  private var hasFeatures = false
  private var summary = MapSummary()
  /// The folder that was entered last.
  private var entered: [UInt8]?
  private var ring: [Coordinate] = []

  package init(_ world: HistoryWorld, format: FileFormat, filter: HistoryFilter) {
    self.world = world
    self.format = format
    self.filter = filter
    writer = MemberWriter(format)
  }

  /// Writes all of it.
  ///
  /// - Parameter emit: Gets the bytes, piece by piece.
  package mutating func write<Failure: Error>(
    _ emit: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = OutputBuffer(capacity: 2 * HistoryWorld.portion)
    world.writeHeader(
      format, by: writer, columns: "path,kind,depth,life,start,end,changes,size,minzoom,lon,lat,id",
      hasLastColumns: true, isPartial: filter.isActive || world.history.isPart, to: &buffer)
    var this = self
    try world.walk { (node, place, path) throws(Failure) in
      this.write(node, at: place, in: path, to: &buffer)
      if buffer.count < HistoryWorld.portion { return }
      try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
      buffer.removeAll()
    }
    self = this
    if format != .csv { writer.writeFooter(summary, to: &buffer) }
    try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
  }

  private mutating func write(
    _ node: Int, at place: HistoryWorld.Place, in folder: [UInt8], to buffer: inout OutputBuffer
  ) {
    let history = world.history
    let record = history.nodes[node]
    let name = history.names[record.name]
    let path = record.isFolder ? folder : folder.appending(component: name)
    guard filter.admits(path: path) else { return }
    for (index, life) in world.lives(of: node).enumerated()
    where filter.admits(life, of: history.states) {
      if format == .csv {
        writeRow(life, number: index + 1, path, place, to: &buffer)
      } else {
        if entered != folder {
          writer.enterFolder(path: folder)
          entered = folder
        }
        writer.members = members(life, number: index + 1)
        writeFeature(life, name, place, depth: Int(record.depth), to: &buffer)
      }
      if record.isFolder { summary.folders += 1 } else { summary.files += 1 }
    }
  }

  /// Features of a collection begin with what separates them; the first needs none.
  private mutating func writeFeature(
    _ life: History.Life, _ name: ArraySlice<UInt8>, _ place: HistoryWorld.Place, depth: Int,
    to buffer: inout OutputBuffer
  ) {
    var feature = OutputBuffer(capacity: 4096)
    switch place {
    case .folder(let place):
      if place.isLanded { world.engine.coastline(of: place, into: &ring) }
      writer.writeFolder(
        FolderFeature(
          place: place, coordinate: world.engine.coordinate(of: place),
          entries: life.facts.size < 0 ? nil : Int(life.facts.size), modified: nil,
          isUnreadable: false), ring: place.isLanded ? ring : [], to: &feature)
    case .file(let place, let digits, let minzoom):
      let table = NameTable([Array(name)])
      _ = writer.writeFile(
        table, 0, at: place, life.facts, FileBatch(depth: depth, digits: digits, minzoom: minzoom),
        to: &feature)
    }
    feature.withBytes { bytes in
      let skipped = format == .geojson && !hasFeatures ? 1 : 0
      buffer.append(bytes.extracting(skipped..<bytes.count))
    }
    hasFeatures = true
  }

  private func members(_ life: History.Life, number: Int) -> [UInt8] {
    let states = world.history.states
    var buffer = OutputBuffer(capacity: 256)
    buffer.append(",\"life\":")
    buffer.append(Int64(number))
    buffer.append(",\"start\":\"")
    _ = buffer.append(time: states[Int(life.start)].time)
    buffer.append("\"")
    if life.end >= 0 {
      buffer.append(",\"end\":\"")
      _ = buffer.append(time: states[Int(life.end)].time)
      buffer.append("\"")
    }
    buffer.append(",\"changes\":")
    buffer.append(Int64(life.changes))
    return buffer.bytes
  }

  private func writeRow(
    _ life: History.Life, number: Int, _ path: [UInt8], _ place: HistoryWorld.Place,
    to buffer: inout OutputBuffer
  ) {
    let states = world.history.states
    let node = world.history.nodes[Int(life.node)]
    let spot = place.spot(by: world.engine)
    func end() { buffer.append(byte: UInt8(ascii: ",")) }
    buffer.append(csv: path.span)
    end()
    buffer.append(spot.kind.text)
    end()
    buffer.append(Int64(node.depth))
    end()
    buffer.append(Int64(number))
    end()
    _ = buffer.append(time: states[Int(life.start)].time)
    end()
    if life.end >= 0 { _ = buffer.append(time: states[Int(life.end)].time) }
    end()
    buffer.append(Int64(life.changes))
    end()
    let isKnown =
      node.isFolder
      ? life.facts.size >= 0 : life.facts.status == .sized || life.facts.status == .known
    if isKnown { buffer.append(life.facts.size) }
    end()
    buffer.append(UInt64(spot.minzoom))
    end()
    buffer.append(degrees: spot.coordinate.longitude, digits: spot.digits)
    end()
    buffer.append(degrees: spot.coordinate.latitude, digits: spot.digits)
    end()
    buffer.append(spot.id)
    buffer.append(
      lastColumnsOf: path, special: node.isFolder ? nil : life.facts.kind.special)
  }
}

extension HistoryWorld {
  /// How much of what is written is handed on at once, in bytes.
  static let portion = 1 << 16

  /// Writes what stands before the first node.
  ///
  /// - Parameters:
  ///   - columns: Those of a table.
  ///   - hasLastColumns: Whether the last ones of all tables of nodes follow them.
  func writeHeader(
    _ format: FileFormat, by writer: MemberWriter, columns: StaticString,
    hasLastColumns: Bool, isPartial: Bool, to buffer: inout OutputBuffer
  ) {
    if format == .csv {
      buffer.append(columns)
      if hasLastColumns { buffer.appendLastColumnNames() } else { buffer.append("\r\n") }
    } else {
      writer.writeHeader(
        MapHeader(layout: engine.layout, labels: history.labels, isPartial: isPartial), to: &buffer)
    }
  }

  /// Where a node is, as a point.
  struct Spot: Sendable {
    var kind: NodeKind
    var coordinate: Coordinate
    var digits: UInt8
    var minzoom: UInt8
    var id: UInt64
  }
}

extension HistoryWorld.Place {
  /// Where it is, as a point.
  func spot(by engine: GeoProjectionEngine) -> HistoryWorld.Spot {
    switch self {
    case .folder(let place):
      HistoryWorld.Spot(
        kind: place.kind, coordinate: engine.coordinate(of: place), digits: place.digits,
        minzoom: place.minzoom, id: place.id)
    case .file(let place, let digits, let minzoom):
      HistoryWorld.Spot(
        kind: .poi, coordinate: place.coordinate, digits: digits, minzoom: minzoom, id: place.id)
    }
  }
}
