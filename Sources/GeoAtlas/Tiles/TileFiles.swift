import GeoChange
import GeoCore
import GeoProjection
import GeoTree

/// What a tile shows of the files of folders: those that are in it, and before they come into sight the
/// ground that they will stand on.
struct TileFiles {
  private let world: World
  private let reader: WorldReader
  private let reach: TileReach
  /// Whether the folders are met tile after tile, so that what is computed of them is kept.
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

  /// The indices of a folder's files that are in a tile.
  func find(
    _ entry: TileScope.Entry, in folder: WorldFolder, shownBy content: TileContent
  ) -> [Int32] {
    let known = entry.folder
    if let files = entry.files {
      let spots = known.spots(in: folder, by: world.engine)
      return files.filter { content.shows(spots[Int($0)]) }
    }
    let ground = known.ground(of: folder)
    let isNear = ground.quads.map { $0.map(reach.mayMeet) ?? false }
    if !isNear.contains(true) { return [] }
    var shown: [Int32] = []
    if isTracking {
      let spots = known.spots(in: folder, by: world.engine)
      for index in spots.indices where content.shows(spots[index]) {
        shown.append(Int32(truncatingIfNeeded: index))
      }
      return shown
    }
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

  /// Adds files.
  ///
  /// - Parameter text: The path of their folder.
  /// - Returns: Whether any of them is still there.
  func add(
    _ shown: [Int32], of folder: WorldFolder, _ known: TileFolder, _ text: TileContent.Text,
    to content: inout TileContent
  ) -> Bool {
    let (files, city) = (folder.files, folder.city)
    // Who asks once, asks of those alone that are shown; who asks tile by tile, of all at once.
    var names = NameTable()
    if !isTracking { for index in shown { names.append(from: files, at: Int(index)) } }
    let facts =
      isTracking ? known.facts(in: folder, by: reader) : reader.facts(of: names, in: folder)
    let frames = known.ground(of: folder).frames
    var isAny = false
    for (position, number) in shown.enumerated() {
      let index = Int(number)
      let fact = facts[isTracking ? index : position]
      if fact.status == .vanished { continue }
      let seed = folder.seed(ofFile: index)
      var node = TileContent.Node(
        id: seed >> 11, kind: .poi, depth: Int(folder.place.depth) + 1, minzoom: city.minzoom)
      node.take(fact)
      node.difference = content.add(
        difference: changes?.difference(
          ofFile: files.bytes.span.extracting(files.records[index].range),
          in: known.changeNumber))
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

  /// Adds the ground of files that don't come into sight yet: the city, and the lots that are free.
  func addTowns(of folder: WorldFolder, _ known: TileFolder, to content: inout TileContent) {
    let city = folder.city
    let quads = known.ground(of: folder).quads
    let least = GeoProjectionEngine.leastTown << Int64(50 - reach.zoom)
    for (number, quad) in quads.enumerated() {
      guard let quad, reach.mayMeet(quad), quad.breadth >= least else { continue }
      let files = city.residents(ofQuad: number, of: folder.files.count)
      if files < 1 { continue }
      content.add(town: quad, of: folder.path.span, files: files, from: city.minzoom)
    }
  }
}
