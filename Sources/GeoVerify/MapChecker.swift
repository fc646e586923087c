import GeoFormats
import GeoCore
import GeoProjection

/// Takes the second reading of a map, line by line; comes out of ``MapVerifier``.
public struct MapChecker: ~Copyable {
  private var lines = MapLines()
  let tree: FolderTree
  let world: MappedWorld
  private let header: HeaderLine?
  private let summary: MapSummary
  var walk = FolderWalk()
  private var met = 0
  var counts: VerifiedCounts
  /// What is known of the folders that the walk is in, from the root on.
  var frames: [FolderFrame] = []
  var writer: MemberWriter
  var written = OutputBuffer(capacity: 1 << 14)

  // Memory that is used again and again.
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
    writer = MemberWriter(.geojsonl, options)
  }

  /// Takes the next bytes of the second reading.
  ///
  /// - Throws: ``MapFault``, the first one there is.
  public mutating func check(_ bytes: Span<UInt8>) throws(MapFault) {
    var lines = MapLines()
    swap(&lines, &self.lines)
    let number = lines.number
    var passed = 0
    try lines.take(bytes) { (kind, line) throws(MapFault) in
      passed += 1
      switch kind {
      case .header: try checkHeader(line)
      case .footer: try checkFooter(line, number: number + passed)
      case .feature: try checkFeature(line, number: number + passed)
      }
    }
    swap(&lines, &self.lines)
  }

  /// Ends the second reading.
  ///
  /// - Returns: What was checked.
  public mutating func finish() throws(MapFault) -> VerifiedCounts {
    try lines.finish()
    try leaveFrames(downTo: 0)
    if counts.nodes != summary.folders + summary.files { throw changed(line: 0) }
    return counts
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
    whole.writeHeader(expected, to: &written)
    try compare(line, number: 1, path: nil, what: "the header is another one")
  }

  private mutating func checkFooter(_ line: [UInt8], number: Int) throws(MapFault) {
    written.removeAll()
    var summary = self.summary
    if let excluded = ExclusionCounts(footer: line) {
      if header?.isPartial == false {
        throw MapFault(
          line: number, what: "it counts what was left out, and the header says that nothing was")
      }
      summary.excluded = excluded
      counts.hasExclusions = true
    }
    FeatureWriter(format: .geojson).writeFooter(summary, to: &written)
    let footer = Array(written.bytes.dropFirst().dropLast())
    if footer != line {
      throw MapFault(
        line: number, what: "the summary is another one", expected: footer, found: line)
    }
  }

  private mutating func checkFeature(_ line: [UInt8], number: Int) throws(MapFault) {
    // Positions are read only where they don't follow from the names.
    guard var feature = FeatureLine(line, readsPositions: false) else {
      throw changed(line: number)
    }
    let path = feature.path
    let folder =
      feature.isFolder ? path[...] : (path.parentPath ?? [])
    try enter(folder, line: number)
    if frames.isEmpty { throw changed(line: number) }
    if !frames[frames.count - 1].node.isPlaced {
      guard let whole = FeatureLine(line, readsPositions: true) else {
        throw MapFault(
          line: number, path: path, what: "its geometry is none that geomapper has written",
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
  }

  private mutating func enter(_ folder: ArraySlice<UInt8>, line: Int) throws(MapFault) {
    if walk.path.elementsEqual(folder) { return }
    let tree = self.tree
    var walk = FolderWalk()
    swap(&walk, &self.walk)
    defer { swap(&walk, &self.walk) }
    let levelBefore = walk.level
    var level = levelBefore
    var entered: [Int] = []
    var met = self.met
    try walk.go(
      to: folder,
      { index in
        level -= 1
        return tree.surroundings(of: index)
      },
      enter: { (name, parent) throws(MapFault) in
        guard met < tree.nodes.count, Int(tree[met].parent) == parent,
          tree.name(of: met).elementsEqual(name)
        else { throw MapFault(line: line, what: "the map was changed while it was read") }
        entered.append(met)
        met += 1
        return met - 1
      })
    self.met = met
    if level < levelBefore { try leaveFrames(downTo: level) }
    for index in entered { frames.append(FolderFrame(index, in: tree)) }
    if !entered.isEmpty { writer.enterFolder(path: walk.path) }
  }

  /// Checks that no folder has the path of a file.
  private mutating func checkName(of file: FeatureLine, line: Int) throws(MapFault) {
    let name = file.path[(walk.path.count + 1)...]
    let top = frames.count - 1
    // Both come in the order of their names, so one walk over the folders will do.
    while frames[top].folder >= 0 {
      let folder = tree.name(of: frames[top].folder)
      if name.lexicographicallyPrecedes(folder) { return }
      if name.elementsEqual(folder) {
        // In one state it is the one, in the other the other.
        if header?.states.isEmpty == false { return }
        throw MapFault(line: line, path: file.path, what: MapFault.bothFileAndFolder)
      }
      frames[top].folder = tree.folder(after: frames[top].folder)
    }
  }
}
