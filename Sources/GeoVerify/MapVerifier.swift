import GeoCore
import GeoFormats
import GeoProjection

/// Checks every line of a map, to the byte.
///
/// The map is read twice. The first reading collects the names of its folders, which is all that
/// takes memory, and computes the places that follow from them. The second reading writes each
/// feature again from its path, sizes and times, and compares it with the line. It also checks
/// rings and points on their decimals, by exact predicates. Sizes of files, times and totals follow
/// from nothing in the map and are accepted as they are.
package struct MapVerifier: Sendable {
  private let assumedLayout: Layout
  private let shuffling: UInt64?
  private var lines = MapLines()
  private var tree = FolderTree()
  private var walk = FolderWalk()
  private var last: (path: [UInt8], isFolder: Bool)?
  private var header: HeaderLine?
  private var summary = MapSummary()
  private var hasTippecanoe: Bool?
  private var hasLonlat: Bool?
  private var counts = VerifiedCounts()
  private var isOfStates = false

  /// With a seed, sub-folders are placed a second time in a random order.
  package init(layout: Layout = .settled, shuffling: UInt64? = nil) {
    assumedLayout = layout
    self.shuffling = shuffling
  }

  /// The first reading. Throws the first ``MapFault``.
  package mutating func read(_ bytes: Span<UInt8>) throws(MapFault) {
    var position = 0
    while let kind = try lines.next(in: bytes, from: &position) {
      try check(kind, lines.line, number: lines.number)
    }
  }

  private mutating func check(
    _ kind: MapLines.Kind, _ line: [UInt8], number: Int
  ) throws(MapFault) {
    switch kind {
    case .header:
      guard let header = HeaderLine(line) else {
        throw MapFault(line: number, what: "not the header of a geomapper map")
      }
      if header.version != Int64(GeoProjectionEngine.version) {
        throw MapFault(
          line: number,
          what: "the map is of projection \(header.version), and this is projection "
            + "\(GeoProjectionEngine.version): make it again")
      }
      self.header = header
      if !header.states.isEmpty {
        isOfStates = true
        summary.changes = ChangeCounts()
      }
    case .footer: break
    case .feature:
      let names = header?.layerNames ?? .any
      guard let feature = FeatureLine(line, readsPositions: false, layers: names) else {
        throw MapFault(line: number, what: FeatureLine.noFeature(line, number: number))
      }
      try check(feature, number: number)
    }
  }

  private mutating func check(_ feature: FeatureLine, number: Int) throws(MapFault) {
    if hasTippecanoe == nil { hasTippecanoe = feature.isForTippecanoe }
    // Polygons always have the place of their label.
    if hasLonlat == nil, !feature.isPolygon { hasLonlat = feature.label != nil }
    let path = feature.path
    if let contradiction = feature.contradiction {
      throw MapFault(line: number, path: path, what: contradiction)
    }
    let folder =
      feature.isFolder ? path[...] : (path.parentPath ?? [])
    let isMet = walk.path.elementsEqual(folder)
    if !isMet, !folder.isEmpty, !folder.components.allSatisfy({ EntryName.isValid($0) }) {
      throw MapFault(line: number, path: path, what: FeatureLine.noName)
    }
    if !feature.difference.isNothing { isOfStates = true }
    let areBoth =
      header?.states.isEmpty == false && last?.path == path && last?.isFolder == false
      && feature.isFolder
    if let last, !areBoth,
      !MapOrder.precedes(
        last.path, isFolder: last.isFolder, path, isFolder: feature.isFolder)
    {
      throw MapFault(
        line: number, path: path,
        what: last.path != path
          ? "the node comes after one that should follow it"
          : last.isFolder == feature.isFolder
            ? "the node is there twice" : MapFault.bothFileAndFolder)
    }
    last = (path, feature.isFolder)
    if folder.isEmpty { throw MapFault(line: number, path: path, what: "the file is in no folder") }
    walk.leave(towards: folder)
    while let name = walk.name(towards: folder) {
      walk.enter(tree.append(name, in: walk.folder), name)
    }
    if feature.isFolder {
      tree[walk.folder].isWritten = true
      tree[walk.folder].isLoop = feature.isLoop
      tree[walk.folder].isUnreadable = feature.isUnreadable
      tree[walk.folder].entries = feature.size ?? -1
      summary.folders += 1
    } else {
      tree[walk.folder].files += 1
      summary.files += 1
      summary.changes?.add(feature.difference.change)
    }
    if feature.isUnreadable { summary.unreadable += 1 }
  }

  /// Ends the first reading, computes all places and checks them as far as they go alone.
  ///
  /// The collected folders move to the checker, so that they exist once in memory. A map with gaps
  /// lacks entries that vanished while it was made.
  package mutating func startChecking(hasGaps: Bool = false) throws(MapFault) -> MapChecker {
    try lines.finish()
    var tree = FolderTree()
    swap(&tree, &self.tree)
    let roots = tree.roots.map { Array(tree.name(of: $0)) }
    if isOfStates {
      // The map has entries of both states, but a folder's size is that of one.
      for index in tree.nodes.indices { tree[index].entries = -1 }
    }
    let world = try MappedWorld(header: header, roots: roots, layout: assumedLayout)
    counts.shuffles = try tree.place(
      by: world.engine, labels: world.labels, shuffling: shuffling)
    counts.isPartial = header?.isPartial ?? false || hasGaps
    counts.hasLayers = header?.layers.isEmpty == false
    counts.incompleteFolders = tree.nodes.indices.count {
      tree[$0].entries >= 0 && !tree[$0].isComplete
    }
    if header == nil,
      counts.incompleteFolders > 0 || tree.nodes.indices.contains(where: { !tree[$0].isWritten })
    {
      counts.isPartial = true
    }
    if isOfStates { counts.isPartial = true } else { try checkListings(tree) }
    if !counts.isPartial { try checkWholeness(tree, world) }
    var options = WriterOptions()
    options.tippecanoe = hasTippecanoe ?? false
    options.lonlat = hasLonlat ?? false
    return MapChecker(
      tree: tree, world: world, header: header, summary: summary, counts: counts,
      options: options)
  }

  /// A filter may have left out some entries.
  private func checkListings(_ tree: FolderTree) throws(MapFault) {
    for index in tree.nodes.indices where tree[index].isWritten {
      let node = tree[index]
      let count = Int64(node.files) + Int64(node.folders)
      if count == 0 || count <= node.entries { continue }
      let what =
        node.isLoop
        ? "it is a loop, and \(count) of its entries are in the map"
        : node.entries < 0
          ? "the folder has entries in the map, but no size"
          : "the folder's size is \(node.entries), but \(count) of its entries are in the map"
      throw MapFault(line: 0, path: tree.path(of: index), what: what)
    }
  }

  private func checkWholeness(_ tree: FolderTree, _ world: MappedWorld) throws(MapFault) {
    let roots = Set(tree.roots.map { Array(tree.name(of: $0)) })
    if let label = world.labels.first(where: { !roots.contains($0) }) {
      throw MapFault(line: 1, path: label, what: "the root is not in the map")
    }
    for index in tree.nodes.indices {
      let node = tree[index]
      let path = { tree.path(of: index) }
      if !node.isWritten {
        throw MapFault(line: 0, path: path(), what: "the folder itself is not in the map")
      }
      let count = Int64(node.files) + Int64(node.folders)
      if node.entries >= 0, !node.isComplete {
        throw MapFault(
          line: 0, path: path(),
          what: "the folder's size is \(node.entries), but \(count) of its entries are in the map: "
            + "a line is missing or one too many, or an entry vanished while the map was made")
      }
    }
  }
}

/// A counterexample: something in a map that contradicts the projection or the format.
public struct MapFault: Error, Sendable, Hashable {
  /// The number of the line, from 1; 0 if the fault isn't on a single line.
  public var line: Int
  /// The node's path in raw bytes; nil if the fault isn't about a node.
  public var rawPath: [UInt8]?
  /// What is wrong, as a sentence without a full stop.
  public var what: String
  /// The right text; nil if there isn't one.
  public var expected: [UInt8]?
  /// The text that was found instead; nil if it doesn't help.
  public var found: [UInt8]?

  static let bothFileAndFolder = "the path is that of a file and of a folder"

  init(
    line: Int, path: [UInt8]? = nil, what: String, expected: [UInt8]? = nil, found: [UInt8]? = nil
  ) {
    self.line = line
    self.rawPath = path
    self.what = what
    self.expected = expected
    self.found = found
  }
}

extension MapFault {
  package init(differing what: String) { self.init(line: 0, what: what) }
}

/// Counts of what was checked.
public struct VerifiedCounts: Sendable, Hashable {
  /// Folders whose features were written again and compared.
  public var folders = 0
  /// Files whose features were written again and compared.
  public var files = 0
  /// Nodes whose place follows from their path and from the folders in the map.
  package var places = 0
  /// Files that may be in another place, as a folder that is not in the map may have taken their
  /// lot.
  package var openPlaces = 0
  /// Nodes found strictly inside the land that contains them, on the decimals.
  package var containments = 0
  /// Pairs of sibling lands found apart although their bounding boxes meet, on the decimals.
  package var separations = 0
  /// Folders whose sub-folders were placed again from a shuffled listing.
  package var shuffles = 0
  /// Nodes whose zoom depends on entries that are not in the map.
  package var unknownZooms = 0
  /// Folders whose size isn't the number of their entries in the map.
  package var incompleteFolders = 0
  /// The header or the caller says that nodes may be missing, or the map compares two states, or it
  /// is incomplete and has no header.
  package var isPartial = false
  package var hasLayers = false
  package var layerSums = 0
  /// Those that don't follow from the values below: a table may have given them to the folders.
  package var ownLayerValues = 0
  /// Those that follow from something that is not in the map.
  package var uncheckedLayerValues = 0
  package var hasExclusions = false

  /// The number of nodes that were checked.
  public var nodes: Int { folders + files }
}
