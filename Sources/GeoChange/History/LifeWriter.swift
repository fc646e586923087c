import GeoCore
import GeoFormats
import GeoProjection

package struct LifeWriter {
  private let world: HistoryWorld
  private let filter: HistoryFilter
  private let writer: FeatureWriter
  private var hasFeatures = false
  private var summary = MapSummary()
  private var entered: [UInt8]?
  private var ring: [Coordinate] = []

  /// - Parameter format: A format with a table of lives.
  package init(_ world: HistoryWorld, format: FileFormat, filter: HistoryFilter) {
    self.world = world
    self.filter = filter
    writer = HistoryWorld.writer(format, .lives)
  }

  package mutating func write<Failure: Error>(
    _ emit: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = OutputBuffer(capacity: 2 * HistoryWorld.portion)
    writer.writeHeader(world.header(filter), to: &buffer)
    var this = self
    try world.walk { (node, place, path) throws(Failure) in
      this.write(node, at: place, in: path, to: &buffer)
      if buffer.count < HistoryWorld.portion { return }
      try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
      buffer.removeAll()
    }
    self = this
    writer.writeFooter(summary, to: &buffer)
    try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
  }

  private mutating func write(
    _ node: Int, at place: HistoryWorld.Place, in folder: [UInt8], to buffer: inout OutputBuffer
  ) {
    let record = world.history.nodes[node]
    let name = world.history.names[record.name]
    let path = record.isFolder ? folder : folder.appending(component: name)
    guard filter.admits(path: path) else { return }
    for (index, life) in world.lives(of: node).enumerated()
    where filter.admits(life, of: world.history.states) {
      if entered != folder {
        writer.enterFolder(path: folder)
        entered = folder
      }
      let start = buffer.count
      write(life, number: index + 1, name, place, depth: Int(record.depth), to: &buffer)
      writer.removeSeparator(at: start, unless: &hasFeatures, from: &buffer)
      if record.isFolder { summary.folders += 1 } else { summary.files += 1 }
    }
  }

  private mutating func write(
    _ life: History.Life, number: Int, _ name: ArraySlice<UInt8>, _ place: HistoryWorld.Place,
    depth: Int, to buffer: inout OutputBuffer
  ) {
    let states = world.history.states
    var parts = FeatureParts(of: life.facts.kind)
    parts.life = NodeLife(
      number: Int64(number), start: states[Int(life.start)].time,
      end: life.end < 0 ? nil : states[Int(life.end)].time, changes: Int64(life.changes))
    writer.setParts(parts)
    switch place {
    case .folder(let place):
      if place.isLanded { world.engine.coastline(of: place, into: &ring) }
      writer.writeFolder(
        FeatureRecord(
          place: place, coordinate: world.engine.coordinate(of: place),
          entries: life.facts.size < 0 ? nil : Int(life.facts.size), modified: nil,
          isUnreadable: false), FolderShape(ring: place.isLanded ? ring : []), to: &buffer)
    case .file(let place, let digits, let minzoom):
      _ = writer.writeFiles(
        NameTable([Array(name)]), 0..<1, places: [place], facts: [life.facts],
        FileBatch(depth: depth, digits: digits, minzoom: minzoom), to: &buffer)
    }
  }
}
