import GeoCore
import GeoFormats
import GeoProjection

package struct LifeRecord: Sendable {
  package let path: [UInt8]
  package let depth: Int
  package let longitude, latitude: Double
  /// The number of the life of its node, from 1.
  package let number: Int
  package let start: Int
  /// The number of the first state that doesn't; nil if it still exists.
  package let end: Int?
  package let changes: Int
  package let facts: EntryFacts
  package let isLanded: Bool
}

/// The lives of a history in the order of the map, the lives of one folder and its files at once.
package struct LifeRecords: IteratorProtocol, Sequence {
  private let world: HistoryWorld
  private let filter: HistoryFilter
  private var walk: HistoryWorld.Walk

  package init(_ world: HistoryWorld, filter: HistoryFilter) {
    self.world = world
    self.filter = filter
    walk = HistoryWorld.Walk(world)
  }

  package mutating func next() -> [LifeRecord]? {
    guard let step = walk.next() else { return nil }
    var records: [LifeRecord] = []
    let centre = world.engine.coordinate(of: step.place).degrees(digits: step.place.digits)
    add(step.folder, step.path, centre, isLanded: step.place.isLanded, to: &records)
    for (node, place) in step.files {
      guard case .file(let file, let digits, _) = place else { continue }
      add(
        node, step.path.appending(component: world.history.name(of: node)),
        file.coordinate.degrees(digits: digits), isLanded: false, to: &records)
    }
    return records
  }

  private func add(
    _ node: Int, _ path: [UInt8], _ place: (longitude: Double, latitude: Double), isLanded: Bool,
    to records: inout [LifeRecord]
  ) {
    guard filter.admits(path: path) else { return }
    for (index, life) in world.lives(of: node).enumerated()
    where filter.admits(life, of: world.history.states) {
      records.append(
        LifeRecord(
          path: path, depth: Int(world.history.nodes[node].depth), longitude: place.longitude,
          latitude: place.latitude, number: index + 1, start: Int(life.start),
          end: life.end < 0 ? nil : Int(life.end), changes: Int(life.changes), facts: life.facts,
          isLanded: isLanded))
    }
  }
}

package struct StateRecord: Sendable {
  package let time: Int64
  package let author, revision, name, subject: [UInt8]?
}

extension HistoryWorld {
  package var layout: Layout { engine.layout }

  package var stateCount: Int { history.states.count }

  package func state(_ number: Int) -> StateRecord {
    let state = history.states[number]
    func known(_ text: [UInt8]) -> [UInt8]? { text.isEmpty ? nil : text }
    return StateRecord(
      time: state.time, author: state.author < 0 ? nil : history.authors[Int(state.author)],
      revision: known(state.revision), name: known(state.name), subject: known(state.subject))
  }
}

extension HistoryWorld {
  /// Approximate size of an output piece, in bytes.
  static let portion = 1 << 16

  static func writer(_ format: FileFormat, _ table: FeatureTable) -> FeatureWriter {
    var options = WriterOptions()
    options.table = table
    return FeatureWriter(format: format.ofMap ?? .geojson, options: options)
  }

  func header(_ filter: HistoryFilter) -> MapHeader {
    MapHeader(
      layout: engine.layout, labels: history.labels,
      isPartial: filter.isActive || history.isPart)
  }
}
