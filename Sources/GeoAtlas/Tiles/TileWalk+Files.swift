import GeoCore
import GeoFormats
import GeoProjection

/// The files of a tile: those in it, and before they are visible, their ground.
extension TileWalk {
  func findFiles(_ entry: TileScope.Entry, in folder: TileContents) -> [Int32] {
    let isNear = folder.quads.map { $0.map(reach.mayMeet) ?? false }
    if !isNear.contains(true) { return [] }
    if isTracking { return reach.shown(entry, of: folder) }
    let (listing, frames) = (folder.listing, folder.frames)
    return (0..<Int32(listing.files.count)).filter { index in
      let seed = listing.seed(ofFile: Int(index))
      let number = frames.number(of: seed)
      return isNear[number]
        && content.shows(world.engine.chart(frames.point(of: seed, in: number)))
    }
  }

  mutating func addFiles(
    _ shown: [Int32], of folder: TileContents, _ path: TileContent.Text
  ) -> Bool {
    let (listing, reader) = (folder.listing, source.reader)
    let (files, city) = (listing.files, listing.city)
    // A single tile reads the metadata of its own files only; consecutive tiles read all at once.
    var names = NameTable()
    if !isTracking { for index in shown { names.append(from: files, at: Int(index)) } }
    let facts =
      isTracking
      ? folder.facts
      : reader.shared?.facts(of: names, in: listing, by: reader)
        ?? reader.facts(of: names, in: listing)
    let cells = reader.cells(in: listing)
    let layerCount = content.layers.layers.count
    var isAny = false
    for (position, number) in shown.enumerated() {
      let index = Int(number)
      let fact = facts[isTracking ? index : position]
      if fact.status == .vanished { continue }
      let name = files.bytes.span.extracting(files.records[index].range)
      var node = TileContent.Node(
        FeatureRecord(
          id: listing.seed(ofFile: index) >> 11, kind: .poi, depth: Int(listing.place.depth) + 1,
          minzoom: city.minzoom))
      node.record.set(fact)
      node.difference = content.add(
        difference: source.known.changes?.difference(ofFile: name, in: folder.numbers.change))
      if !cells.isEmpty {
        node.cells = content.add(cells: cells[(index * layerCount)..<((index + 1) * layerCount)])
      }
      content.add(
        spot: node, at: isTracking ? folder.spots[index] : folder.spot(index), digits: city.digits,
        folder: path, name: name, isFile: true)
      isAny = true
    }
    return isAny
  }

  /// Adds the ground of files that are not visible yet: the city, and the free lots.
  mutating func addTowns(of folder: TileContents) {
    let listing = folder.listing
    let path = listing.path
    let minimum = GeoProjectionEngine.minimumTown << Int64(50 - reach.zoom)
    for (number, quad) in folder.quads.enumerated() {
      guard let quad, reach.mayMeet(quad), quad.breadth >= minimum else { continue }
      let files = listing.city.residents(ofQuad: number, of: listing.files.count)
      if files < 1 { continue }
      content.add(town: quad, of: path.span, files: files, from: listing.city.minzoom)
    }
  }
}
