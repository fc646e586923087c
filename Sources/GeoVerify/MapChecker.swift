import GeoCore
import GeoFormats
import GeoProjection

/// Checks the second reading of a map, line by line. ``MapVerifier`` creates it.
package struct MapChecker: ~Copyable {
  private var lines = MapLines()
  let tree: FolderTree
  let world: MappedWorld
  private let header: HeaderLine?
  private let summary: MapSummary
  var walk = FolderWalk()
  private var met = 0
  var counts: VerifiedCounts
  /// The state of the folders around the current node, from the root down.
  var frames: [FolderFrame] = []
  /// Nil for a map of several states, which has none.
  var layers: LayerChecker?
  let writer: FeatureWriter
  var written = OutputBuffer(capacity: 1 << 14)

  // Reused memory.
  var table = NameTable()
  var places: [FilePlace] = []
  var ring: [Coordinate] = []

  init(
    tree: FolderTree, world: MappedWorld, header: HeaderLine?, summary: MapSummary,
    counts: VerifiedCounts, options: WriterOptions
  ) {
    self.tree = tree
    self.world = world
    self.header = header
    self.summary = summary
    self.counts = counts
    if header?.states.isEmpty ?? true { layers = LayerChecker(header?.layers) }
    writer = FeatureWriter(format: .geojsonl, options: options)
  }

  package mutating func check(_ bytes: Span<UInt8>) throws(MapFault) {
    var position = 0
    while let kind = try lines.next(in: bytes, from: &position) {
      let (line, number) = (lines.line, lines.number)
      switch kind {
      case .header: try checkHeader(line)
      case .footer: try checkFooter(line, number: number)
      case .feature: try checkFeature(line, number: number)
      }
    }
  }

  package mutating func finish() throws(MapFault) -> VerifiedCounts {
    try lines.finish()
    try leaveFrames(downTo: 0)
    if counts.nodes != summary.folders + summary.files { throw changed(line: 0) }
    return counts
  }

  /// The folder of the current node, or the node itself.
  private var top: FolderFrame {
    get { frames[frames.count - 1] }
    _modify { yield &frames[frames.count - 1] }
  }

  func changed(line: Int) -> MapFault {
    MapFault(line: line, what: "the map was changed while it was read")
  }

  private mutating func checkHeader(_ line: [UInt8]) throws(MapFault) {
    guard let header else { throw changed(line: 1) }
    written.removeAll()
    let whole = FeatureWriter(format: .geojson)
    var expected = MapHeader(
      layout: header.layout, labels: world.labels, isPartial: header.isPartial)
    expected.states = header.states
    expected.layers = header.layers
    whole.writeHeader(expected, to: &written)
    try compare(line, number: 1, path: nil, what: "the header is another one")
  }

  private mutating func checkFooter(_ line: [UInt8], number: Int) throws(MapFault) {
    written.removeAll()
    var summary = self.summary
    if let excluded = ExclusionCounts(footer: line) {
      if header?.isPartial == false {
        throw MapFault(
          line: number,
          what: "it counts excluded entries, but the header says that nothing was excluded")
      }
      summary.excluded = excluded
      counts.hasExclusions = true
    }
    summary.unmatched = [UnmatchedValues](footer: line, header?.layers ?? [])
    FeatureWriter(format: .geojson).writeFooter(summary, to: &written)
    let footer = Array(written.bytes.dropFirst().dropLast())
    if footer != line {
      throw MapFault(
        line: number, what: "the summary is another one", expected: footer, found: line)
    }
  }

  private mutating func checkFeature(_ line: [UInt8], number: Int) throws(MapFault) {
    // Positions are parsed only if they don't follow from the names.
    let names = header?.layerNames ?? .any
    guard var feature = FeatureLine(line, readsPositions: false, layers: names) else {
      throw changed(line: number)
    }
    let all = line
    var line = line
    line.removeSubrange(feature.layerText)
    let layered = feature
    let path = feature.path
    let folder =
      feature.isFolder ? path[...] : (path.parentPath ?? [])
    try enter(folder, line: number)
    if frames.isEmpty { throw changed(line: number) }
    if feature.isFolder, top.node.isAssumed,
      try !isAsAssumed(feature, line, number: number)
    {
      top.dropPlace()
    }
    if !top.node.isPlaced {
      guard let whole = FeatureLine(line, readsPositions: true, layers: names) else {
        throw MapFault(
          line: number, path: path, what: "its geometry is not in geomapper's format",
          found: line)
      }
      feature = whole
    }
    written.removeAll()
    if feature.isFolder {
      try writeFolder(feature, line: number)
    } else {
      try checkName(of: feature, line: number)
      try writeFile(feature, line, number: number)
    }
    try compare(line, number: number, path: path, what: "its feature is another one")
    try checkContainment(of: feature, ring: ring, file: places.first, line: number)
    try layers?.check(layered, all, number: number, &counts)
  }

  private mutating func enter(_ folder: ArraySlice<UInt8>, line: Int) throws(MapFault) {
    if walk.path.elementsEqual(folder) { return }
    walk.leave(towards: folder)
    try leaveFrames(downTo: walk.level)
    while let name = walk.name(towards: folder) {
      guard met < tree.nodes.count, Int(tree[met].parent) == walk.folder,
        tree.name(of: met).elementsEqual(name)
      else { throw changed(line: line) }
      walk.enter(met, name)
      var frame = FolderFrame(met, in: tree)
      met += 1
      // An assumed place is confirmed by the folder's own line, if it has one.
      if frames.last?.node.isPlaced == false || frame.node.isAssumed && !frame.node.isWritten {
        frame.dropPlace()
      }
      frames.append(frame)
      layers?.enter()
    }
    writer.enterFolder(path: walk.path)
  }

  private mutating func checkName(of file: FeatureLine, line: Int) throws(MapFault) {
    let name = file.path[(walk.path.count + 1)...]
    // Files and folders are both sorted by name, so one pass over the folders is enough.
    while top.folder >= 0 {
      let folder = tree.name(of: top.folder)
      if name.lexicographicallyPrecedes(folder) { return }
      if name.elementsEqual(folder) {
        // In a map of two states, the path can be a file in one and a folder in the other.
        if header?.states.isEmpty == false { return }
        throw MapFault(line: line, path: file.path, what: MapFault.bothFileAndFolder)
      }
      top.folder = tree.next(after: top.folder) ?? -1
    }
  }
}

// Features are written again from their paths, to compare them with the lines that were read.

extension MapChecker {
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
    if folder.minzoom < parent.minimumZoom {
      throw MapFault(
        line: line, path: folder.path, what: "its minzoom is less than that of the folder it is in")
    }
  }

  /// Whether a folder lies at its assumed place, which its line can only have if it is right.
  private mutating func isAsAssumed(
    _ feature: FeatureLine, _ line: [UInt8], number: Int
  ) throws(MapFault) -> Bool {
    let before = counts
    defer { counts = before }
    written.removeAll()
    try writeFolder(feature, line: number)
    return isWritten(line)
  }

  mutating func writeFolder(_ feature: FeatureLine, line: Int) throws(MapFault) {
    try checkInheritance(of: feature, line: line)
    let node = top.node
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
    top.node.place = place
    top.totals = feature.totals
    var folder = FeatureRecord(
      place: place, coordinate: coordinate,
      entries: feature.size.map { Int($0) }, modified: feature.modified,
      isUnreadable: feature.isUnreadable)
    folder.isLoop = feature.isLoop
    folder.totals = feature.totals
    setParts(of: feature)
    writer.enterFolder(path: walk.path)
    writer.writeFolder(folder, FolderShape(ring: ring), to: &written)
    counts.folders += 1
  }

  mutating func writeFile(
    _ feature: FeatureLine, _ line: [UInt8], number: Int
  ) throws(MapFault) {
    let frame = top
    let node = frame.node
    if feature.minzoom != frame.fileZoom ?? feature.minzoom
      || feature.minzoom < max(3, frame.minimumZoom)
    {
      throw MapFault(
        line: number, path: feature.path,
        what: "its minzoom is not that of the other files in its folder, or less than there can be")
    }
    top.fileZoom = feature.minzoom
    table.removeAll()
    table.append(Array(feature.path[(walk.path.count + 1)...]).span, kind: .regular)
    ring.removeAll(keepingCapacity: true)
    var digits = ExactPoint.digits
    var minzoom = feature.minzoom
    var isOpen = false
    if let engine = world.engine, node.isPlaced {
      let city =
        frame.city ?? engine.city(of: node.place, fileCount: Int(node.files), taken: node.taken)
      top.city = city
      engine.placeFiles(table, 0..<1, in: city, into: &places)
      // A lot that seems free may be taken by a folder that is not in the map.
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
    top.digits = digits
    counts.files += 1
    write(feature, depth: Int(node.place.depth) + 1, digits: digits, minzoom: minzoom)
    if isOpen, !isWritten(line), let engine = world.engine, var city = frames.last?.city {
      city.freeLots = []
      engine.placeFiles(table, 0..<1, in: city, into: &places)
      write(feature, depth: Int(node.place.depth) + 1, digits: digits, minzoom: minzoom)
    }
  }

  private mutating func write(
    _ feature: FeatureLine, depth: Int, digits: UInt8, minzoom: UInt8
  ) {
    written.removeAll()
    setParts(of: feature)
    _ = writer.writeFiles(
      table, 0..<1, places: [places[0]], facts: [feature.facts],
      FileBatch(depth: depth, digits: digits, minzoom: minzoom), to: &written)
  }

  private func setParts(of feature: FeatureLine) {
    let difference = feature.difference
    writer.setParts(
      FeatureParts(
        of: feature.isFolder ? .directory : feature.special,
        difference.isNothing ? nil : difference))
  }

  private func isWritten(_ line: [UInt8]) -> Bool {
    written.withBytes { bytes in
      // The line has no newline at its end; a written feature has one, a written header hasn't.
      let count =
        bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
        ? bytes.count - 1 : bytes.count
      if count != line.count { return false }
      for index in 0..<count where bytes[index] != line[index] { return false }
      return true
    }
  }

  func compare(
    _ line: [UInt8], number: Int, path: [UInt8]?, what: String
  ) throws(MapFault) {
    if isWritten(line) { return }
    throw MapFault(
      line: number, path: path, what: what,
      expected: written.bytes, found: line)
  }
}
