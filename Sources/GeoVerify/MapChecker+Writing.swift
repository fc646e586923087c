import GeoFormats
import GeoCore
import GeoProjection

// Features are written anew from their paths, to be compared with the lines that were read.

extension MapChecker {
  /// Checks what a folder says against what the one that it is in says.
  private func checkInheritance(of folder: FeatureLine, line: Int) throws(MapFault) {
    if frames.count < 2 { return }
    let parent = frames[frames.count - 2]
    if let whole = parent.totals, let part = folder.totals,
      part.exceeds(whole)
    {
      throw MapFault(
        line: line, path: folder.path,
        what: "its totals are more than those of the folder it is in")
    }
    if folder.minzoom < parent.leastZoom {
      throw MapFault(
        line: line, path: folder.path, what: "its minzoom is less than that of the folder it is in")
    }
  }

  mutating func writeFolder(_ feature: FeatureLine, line: Int) throws(MapFault) {
    try checkInheritance(of: feature, line: line)
    let node = frames[frames.count - 1].node
    var place = node.place
    var coordinate = Coordinate(longitude: 0, latitude: 0)
    places.removeAll(keepingCapacity: true)
    if let engine = world.engine, node.isPlaced {
      engine.coastline(of: place, into: &ring)
      coordinate = engine.coordinate(of: place)
      counts.places += 1
    } else {
      place.digits = ExactPoint.digits
      place.isLanded = feature.isPolygon
      ring = feature.isPolygon ? feature.positions : []
      coordinate = (feature.isPolygon ? feature.label : feature.positions.first) ?? coordinate
    }
    if !node.hasZoom {
      if Int32(feature.minzoom) < min(place.depth, 3) {
        throw MapFault(
          line: line, path: feature.path, what: "its minzoom is less than its depth allows")
      }
      place.minzoom = feature.minzoom
      counts.unknownZooms += 1
    }
    frames[frames.count - 1].node.place = place
    frames[frames.count - 1].totals = feature.totals
    var folder = FolderFeature(
      place: place, coordinate: coordinate,
      entries: feature.size.map { Int($0) }, modified: feature.modified,
      isUnreadable: feature.isUnreadable)
    folder.isLoop = feature.isLoop
    folder.totals = feature.totals
    setMembers(feature)
    writer.enterFolder(path: walk.path)
    writer.writeFolder(folder, ring: ring, to: &written)
    counts.folders += 1
  }

  mutating func writeFile(
    _ feature: FeatureLine, _ line: [UInt8], number: Int
  ) throws(MapFault) {
    let frame = frames[frames.count - 1]
    let node = frame.node
    if feature.minzoom != frame.fileZoom ?? feature.minzoom
      || feature.minzoom < max(3, frame.leastZoom)
    {
      throw MapFault(
        line: number, path: feature.path,
        what: "its minzoom is not that of the other files in its folder, or less than there can be")
    }
    frames[frames.count - 1].fileZoom = feature.minzoom
    table.removeAll()
    table.append(Array(feature.path[(walk.path.count + 1)...]).span, kind: .regular)
    ring.removeAll(keepingCapacity: true)
    var digits = ExactPoint.digits
    var minzoom = feature.minzoom
    var isOpen = false
    if let engine = world.engine, node.isPlaced {
      let city =
        frame.city ?? engine.city(of: node.place, fileCount: Int(node.files), taken: node.taken)
      frames[frames.count - 1].city = city
      engine.placeFiles(table, 0..<1, in: city, into: &places)
      // A lot that looks free may be that of a folder which is not in the map.
      isOpen = !node.isComplete && FileFrames(of: city).number(of: places[0].seed) > 0
      digits = city.digits
      let isKnown = node.place.isLanded ? node.isComplete : node.hasZoom
      if isKnown { minzoom = city.minzoom } else { counts.unknownZooms += 1 }
      if isOpen { counts.openPlaces += 1 } else { counts.places += 1 }
    } else {
      let seed = XXH64.hash(
        table.bytes.span.extracting(table.records[0].range), seed: node.place.seed)
      guard let position = feature.positions.first else { throw changed(line: number) }
      places = [FilePlace(seed: seed, coordinate: position)]
      counts.unknownZooms += 1
    }
    frames[frames.count - 1].digits = digits
    counts.files += 1
    write(feature, depth: Int(node.place.depth) + 1, digits: digits, minzoom: minzoom)
    if isOpen, !isWritten(line), let engine = world.engine, var city = frames.last?.city {
      city.freeLots = []
      engine.placeFiles(table, 0..<1, in: city, into: &places)
      write(feature, depth: Int(node.place.depth) + 1, digits: digits, minzoom: minzoom)
    }
  }

  /// Writes the file of the name and the place that are at hand.
  private mutating func write(
    _ feature: FeatureLine, depth: Int, digits: UInt8, minzoom: UInt8
  ) {
    written.removeAll()
    setMembers(feature)
    _ = writer.writeFile(
      table, 0, at: places[0], feature.facts,
      FileBatch(depth: depth, digits: digits, minzoom: minzoom), to: &written)
  }

  /// Says what the next feature says of two states.
  private mutating func setMembers(_ feature: FeatureLine) {
    if feature.difference.isNothing {
      if !writer.members.isEmpty { writer.members = [] }
      return
    }
    var buffer = OutputBuffer(capacity: 256)
    feature.difference.writeMembers(
      kind: feature.isFolder ? .directory : feature.special, to: &buffer)
    writer.members = buffer.bytes
  }

  /// Whether a line is what was written in its place.
  private func isWritten(_ line: [UInt8]) -> Bool {
    written.withBytes { bytes in
      // The line end is off the line already; a header has none.
      let count =
        bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
        ? bytes.count - 1 : bytes.count
      if count != line.count { return false }
      for index in 0..<count where bytes[index] != line[index] { return false }
      return true
    }
  }

  /// Compares a line with what was written in its place.
  func compare(
    _ line: [UInt8], number: Int, path: [UInt8]?, what: String
  ) throws(MapFault) {
    if isWritten(line) { return }
    throw MapFault(
      line: number, path: path, what: what,
      expected: written.bytes, found: line)
  }
}
