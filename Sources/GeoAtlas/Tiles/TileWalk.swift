import GeoPath
import GeoProjection
import GeoScan
import GeoStats
import GeoSystem
import GeoTier
import GeoTile

/// Collects what a tile shows, and reads only folders that are shown in it.
struct TileWalk {
  /// The tile's nodes.
  private(set) var content: TileContent
  /// The folders that were read, and on which the tile depends.
  private(set) var folders: [WorldFolder] = []
  /// Whether it was broken off because nobody waits any more.
  private(set) var isCancelled = false

  private let world: World
  private let reader: WorldReader
  private let tile: TileAddress
  /// What is visible at the tile's zoom.
  private let filter: MapFilter
  private let totals: TreeTotals?
  private let isUnwanted: () -> Bool
  private let centre: PlanPoint
  /// From the centre to the edge of what is shown, in units of the plan.
  private let reach: Int64
  private var shown: [Int] = []
  private var spots: [(seed: UInt64, place: PlanPoint)] = []

  /// The most that the chart stretches a length, and a little more for rounding.
  private static let stretch = 2.48
  /// How deep folders without land are followed: their points lie all in one place.
  private static let deepest = 200

  /// How wide the ground of files has to be to be shown before they are, in units of the grid.
  private static let leastTown: Int64 = 40

  /// - Parameters:
  ///   - totals: What is known of what is below folders.
  ///   - isUnwanted: Asked before each folder; once it is true, no more is read.
  init(
    _ tile: TileAddress, of world: World, totals: TreeTotals? = nil,
    isUnwanted: @escaping () -> Bool
  ) {
    self.totals = totals
    self.world = world
    reader = world.reader()
    self.tile = tile
    filter = MapFilter(zoom: tile.zoom)
    self.isUnwanted = isUnwanted
    content = TileContent(tile, by: world.engine)
    centre = tile.point(at: TilePoint(x: 2048, y: 2048))
    let corner = tile.point(at: TilePoint(x: 0, y: 0))
    // A thirtieth more than half a side: the buffer.
    let half = max(centre.x - corner.x, centre.y - corner.y)
    reach = half + half / 30
  }

  /// Collects all of it.
  mutating func run() {
    let numbers = totals?.numbers(
      of: NameTable(world.roots.map(\.label), kind: .directory), in: nil)
    for (index, root) in world.roots.enumerated() {
      visit(
        world.engine.roots[index], path: root.label, name: root.label, parent: nil, depth: 0,
        number: numbers?[index] ?? TreeTotals.missing
      ) { $0.root(index) }
    }
  }

  /// Adds a folder, and what is in it; `number` is the folder's in the totals.
  private mutating func visit(
    _ place: FolderPlace, path: [UInt8], name: [UInt8], parent: TileContent.Text?, depth: Int,
    number: Int, _ read: (WorldReader) -> WorldFolder
  ) {
    if !filter.admits(place) || isCancelled { return }
    if place.isLanded {
      if !mayMeet(cellOf(place)) { return }
      if !content.draw(place) {
        if world.visibility.showsFolders {
          content.add(marginOf: place, path: path.span, below: below(number))
        }
        return
      }
    }
    if isUnwanted() {
      isCancelled = true
      return
    }
    let reads = mayShowContents(place) && depth <= Self.deepest
    let folder = reads ? read(reader) : nil
    if let folder { folders.append(folder) }
    var node = TileContent.Node(
      id: place.id, kind: place.kind, depth: Int(place.depth), minzoom: place.minzoom)
    node.size = folder?.entries.map { Int64($0) }
    node.modified = folder?.modified
    node.isUnreadable = folder.map { $0.failure != nil } ?? false
    node.below = below(number)
    if !world.visibility.showsFolders {
      // Only what is in them is shown.
    } else if place.isLanded {
      let label = world.engine.chart(place.land.centre)
      content.add(land: node, at: place, label: label, path: path.span, name: name.span)
    } else if let parent {
      let point = world.engine.chart(world.engine.planCentre(of: place))
      if content.shows(point) {
        content.add(
          spot: node, at: point, digits: place.digits, folder: parent, name: name.span,
          isFile: false)
      }
    }
    guard let folder else { return }
    addContents(of: folder, depth: depth, number: number)
  }

  /// What is known of what is below a folder.
  private func below(_ number: Int) -> TileContent.Below? {
    guard let totals, let sums = totals[number] else { return nil }
    let details = totals.details(of: number)
    return TileContent.Below(
      files: sums.files, bytes: sums.bytes, newest: details?.newest,
      type: details?.largestClass.flatMap { FileType(rawValue: UInt8($0)) }?.word)
  }

  private mutating func addContents(of folder: WorldFolder, depth: Int, number: Int) {
    var text: TileContent.Text?
    func pathText(_ content: inout TileContent) -> TileContent.Text {
      if let text { return text }
      let path = folder.path
      let added = content.add(text: path.span)
      text = added
      return added
    }
    if folder.files.isEmpty {
      // Then nothing is built there.
    } else if filter.admits(folder.city, depth: depth + 1) {
      var frames = FileFrames(of: folder.city)
      let isNear = frames.quads().map { $0.map(mayMeet) ?? false }
      if isNear.contains(true) {
        addFiles(of: folder, frames, isNear, pathText(&content))
      }
    } else if folder.place.isLanded, world.visibility.showsFolders {
      addTowns(of: folder)
    }
    let numbers = number < 0 ? nil : totals?.numbers(of: folder.folders, in: number)
    for index in folder.places.indices {
      let place = folder.places[index]
      if !filter.admits(place) || (place.isLanded && !mayMeet(cellOf(place))) { continue }
      let name = folder.folders.name(at: index)
      visit(
        place, path: folder.path(of: name), name: name,
        parent: place.isLanded ? nil : pathText(&content), depth: depth + 1,
        number: numbers?[index] ?? TreeTotals.missing
      ) { $0.child(index, of: folder) }
      if isCancelled { return }
    }
  }

  /// Adds the ground of files that don't come into sight yet: the city, and the lots that are free.
  private mutating func addTowns(of folder: WorldFolder) {
    let city = folder.city
    var frames = FileFrames(of: city)
    let quads = frames.quads()
    // About as many in each lot as its part of those that don't stay in the city.
    let leaving = Double(folder.files.count) * (1 - Double(city.share) * 0x1p-32)
    let each = quads.count > 1 ? Int(leaving) >> Int(city.lotBits) : 0
    let home = folder.files.count - each * city.freeLots.count
    for (number, quad) in quads.enumerated() {
      guard let quad, mayMeet(quad), quad.breadth >= Self.leastTown << Int64(50 - tile.zoom)
      else { continue }
      let files = number == 0 ? home : each
      if files < 1 { continue }
      content.add(town: quad, of: folder.path.span, files: files, from: city.minzoom)
    }
  }

  /// Adds the files that are shown.
  ///
  /// - Parameters:
  ///   - frames: The quads that they are spread over, all of them cut.
  ///   - isNear: Whether anything in a quad may be shown, by its number.
  private mutating func addFiles(
    of folder: WorldFolder, _ frames: FileFrames, _ isNear: [Bool], _ text: TileContent.Text
  ) {
    let engine = world.engine
    shown.removeAll(keepingCapacity: true)
    spots.removeAll(keepingCapacity: true)
    let (files, city) = (folder.files, folder.city)
    for index in 0..<files.count {
      let seed = XXH64.hash(
        files.bytes.span.extracting(files.records[index].range), seed: city.folderSeed)
      let number = frames.number(of: seed)
      if !isNear[number] { continue }
      let place = engine.chart(frames.point(of: seed, in: number))
      if content.shows(place) {
        shown.append(index)
        spots.append((seed, place))
      }
    }
    if shown.isEmpty { return }
    // A table of those alone that are shown, in which all are looked at.
    var names = NameTable()
    for index in shown { names.append(from: folder.files, at: index) }
    let facts = reader.facts(of: names, in: folder)
    for (position, spot) in spots.enumerated() {
      let known = facts[position]
      if known.status == .vanished { continue }
      var node = TileContent.Node(
        id: spot.seed >> 11, kind: .poi, depth: Int(folder.place.depth) + 1,
        minzoom: folder.city.minzoom)
      if known.status == .known || known.status == .sized { node.size = known.size }
      if known.status == .known { node.modified = known.modified }
      node.isUnreadable = known.status == .unreadable
      node.special = known.kind == .regular ? nil : known.kind
      content.add(
        spot: node, at: spot.place, digits: folder.city.digits, folder: text,
        name: names.bytes.span.extracting(names.records[position].range), isFile: true)
    }
  }

  /// What a land was cut out of, which drawings fill.
  private func cellOf(_ place: FolderPlace) -> Quad {
    world.engine.planCell(of: place) ?? place.land
  }

  /// Whether anything in a folder may be visible at this zoom: if not, it need not be read.
  private func mayShowContents(_ place: FolderPlace) -> Bool {
    Int(world.engine.earliestZoom(in: place)) <= tile.zoom
  }

  /// Whether a part of a quad may be shown: a circle around it, stretched by as much as the chart
  /// does at most, comes near enough.
  private func mayMeet(_ quad: Quad) -> Bool {
    let middle = quad.centre
    var radius: Int64 = 0  // sums within the plan, which has 62 bits
    for corner in [quad.q0, quad.q1, quad.q2, quad.q3] {
      radius = max(radius, abs(corner.x - middle.x) &+ abs(corner.y - middle.y))
    }
    let limit = Double(reach) + Double(radius) * Self.stretch
    let charted = world.engine.chart(middle)
    return Double(abs(charted.x - centre.x)) <= limit
      && Double(abs(charted.y - centre.y)) <= limit
  }
}
