import GeoChange
import GeoCore
import GeoFormats
import GeoProjection

/// The files of a tile: those in it, and before they are visible, their ground.
struct TileFiles {
  private let world: World
  private let reader: WorldReader
  private let reach: TileReach
  /// Whether the same folders follow in many tiles, so that computed data is kept.
  private let isTracking: Bool
  private let changes: ChangeTree?

  init(
    within reach: TileReach, of world: World, by reader: WorldReader, isTracking: Bool,
    changes: ChangeTree?
  ) {
    self.world = world
    self.reader = reader
    self.reach = reach
    self.isTracking = isTracking
    self.changes = changes
  }

  func find(
    _ entry: TileScope.Entry, in folder: WorldFolder, shownBy content: TileContent
  ) -> [Int32] {
    let known = entry.folder
    let ground = known.ground(of: folder)
    let isNear = ground.quads.map { $0.map(reach.mayMeet) ?? false }
    if !isNear.contains(true) { return [] }
    if isTracking { return reach.shown(entry, of: folder) }
    var shown: [Int32] = []
    for index in 0..<folder.files.count {
      let seed = folder.seed(ofFile: index)
      let number = ground.frames.number(of: seed)
      let point = ground.frames.point(of: seed, in: number)
      if isNear[number], content.shows(world.engine.chart(point)) {
        shown.append(Int32(truncatingIfNeeded: index))
      }
    }
    return shown
  }

  /// Adds files; returns whether any of them still exists.
  func add(
    _ shown: [Int32], of folder: WorldFolder, _ known: TileFolder, _ text: TileContent.Text,
    to content: inout TileContent
  ) -> Bool {
    let (files, city) = (folder.files, folder.city)
    // A single tile reads the metadata of its own files only; consecutive tiles read all at once.
    var names = NameTable()
    if !isTracking { for index in shown { names.append(from: files, at: Int(index)) } }
    let facts =
      isTracking
      ? known.facts(in: folder, by: reader)
      : reader.shared?.facts(of: names, in: folder, by: reader)
        ?? reader.facts(of: names, in: folder)
    let cells = reader.cells(in: folder)
    let layerCount = content.layers.layers.count
    let frames = known.ground(of: folder).frames
    var isAny = false
    for (position, number) in shown.enumerated() {
      let index = Int(number)
      let fact = facts[isTracking ? index : position]
      if fact.status == .vanished { continue }
      let seed = folder.seed(ofFile: index)
      var node = TileContent.Node(
        FeatureRecord(
          id: seed >> 11, kind: .poi, depth: Int(folder.place.depth) + 1, minzoom: city.minzoom))
      node.record.set(fact)
      node.difference = content.add(
        difference: changes?.difference(
          ofFile: files.bytes.span.extracting(files.records[index].range),
          in: known.changeNumber))
      if !cells.isEmpty {
        node.cells = content.add(cells: cells[(index * layerCount)..<((index + 1) * layerCount)])
      }
      let place =
        isTracking
        ? known.spots(in: folder, by: world.engine)[index]
        : world.engine.chart(frames.point(of: seed, in: frames.number(of: seed)))
      content.add(
        spot: node, at: place, digits: city.digits, folder: text,
        name: files.bytes.span.extracting(files.records[index].range), isFile: true)
      isAny = true
    }
    return isAny
  }

  /// Adds the ground of files that are not visible yet: the city, and the free lots.
  func addTowns(of folder: WorldFolder, _ known: TileFolder, to content: inout TileContent) {
    let city = folder.city
    let quads = known.ground(of: folder).quads
    let minimum = GeoProjectionEngine.minimumTown << Int64(50 - reach.zoom)
    for (number, quad) in quads.enumerated() {
      guard let quad, reach.mayMeet(quad), quad.breadth >= minimum else { continue }
      let files = city.residents(ofQuad: number, of: folder.files.count)
      if files < 1 { continue }
      content.add(town: quad, of: folder.path.span, files: files, from: city.minzoom)
    }
  }
}
