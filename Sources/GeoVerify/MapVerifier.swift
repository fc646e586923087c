import GeoCore
import GeoFormats
import GeoProjection

/// Checks a map against what it has to be: each line, to the byte.
///
/// The map is read twice. First the names of its folders are gathered, which is all that memory is
/// needed for, and the places that follow from them are computed. Then each feature is written anew
/// from its path and what it says of sizes and times, and compared with what is there; the rings
/// and points are checked on their decimals, by exact predicates. What neither path nor listing
/// decides (sizes of files, times, totals) is taken as it is.
public struct MapVerifier: Sendable {
  /// How sub-folders come by their land in a map that doesn't say so itself.
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
  /// Whether the map is of several states.
  private var isOfStates = false

  /// A verifier of one map.
  ///
  /// - Parameters:
  ///   - layout: The layout of a map that has no header to say it.
  ///   - shuffling: Decides about an order in which sub-folders are placed once more; nil if they
  ///     aren't to be.
  public init(layout: Layout = .settled, shuffling: UInt64? = nil) {
    assumedLayout = layout
    self.shuffling = shuffling
  }

  /// Takes the next bytes of the first reading.
  ///
  /// - Throws: ``MapFault``, the first one there is.
  public mutating func read(_ bytes: Span<UInt8>) throws(MapFault) {
    var lines = MapLines()
    swap(&lines, &self.lines)
    defer { swap(&lines, &self.lines) }
    let number = lines.number
    var passed = 0
    try lines.take(bytes) { (kind, line) throws(MapFault) in
      passed += 1
      try note(kind, line, number: number + passed)
    }
  }

  private mutating func note(
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
      guard let feature = FeatureLine(line, readsPositions: false) else {
        throw MapFault(line: number, what: FeatureLine.noFeature(line, number: number))
      }
      try note(feature, number: number)
    }
  }

  private mutating func note(_ feature: FeatureLine, number: Int) throws(MapFault) {
    if hasTippecanoe == nil { hasTippecanoe = feature.isForTippecanoe }
    // Land says where its label is anyway.
    if hasLonlat == nil, !feature.isPolygon { hasLonlat = feature.label != nil }
    let path = feature.path
    if let contradiction = feature.contradiction {
      throw MapFault(line: number, path: path, what: contradiction)
    }
    let folder =
      feature.isFolder ? path[...] : (path.parentPath ?? [])
    let isMet = walk.path.elementsEqual(folder)
    if !isMet, !Self.areNames(folder) {
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
    if !isMet { try go(to: folder) }
    if feature.isFolder {
      tree[walk.folder].isWritten = true
      tree[walk.folder].isLoop = feature.isLoop
      tree[walk.folder].entries = feature.size ?? -1
      summary.folders += 1
    } else {
      tree[walk.folder].files += 1
      summary.files += 1
      summary.changes?.add(feature.difference.change)
    }
    if feature.isUnreadable { summary.unreadable += 1 }
  }

  private static func areNames(_ path: ArraySlice<UInt8>) -> Bool {
    path.isEmpty
      || path.components
        .allSatisfy { EntryName.isValid($0) }
  }

  private mutating func go(to folder: ArraySlice<UInt8>) throws(MapFault) {
    var walk = FolderWalk()
    swap(&walk, &self.walk)
    defer { swap(&walk, &self.walk) }
    try walk.go(to: folder, { tree.surroundings(of: $0) }) { (name, parent) in
      tree.append(name, in: parent)
    }
  }

  /// Ends the first reading and computes all places.
  ///
  /// What was gathered goes on to the checker, so that it is there once; nothing of it stays.
  ///
  /// - Parameter hasGaps: Whether it is known that entries vanished while the map was made.
  /// - Returns: What takes the second reading.
  /// - Throws: ``MapFault``.
  public mutating func startChecking(hasGaps: Bool = false) throws(MapFault) -> MapChecker {
    try lines.finish()
    var tree = FolderTree()
    swap(&tree, &self.tree)
    let roots = tree.roots.map { Array(tree.name(of: $0)) }
    if isOfStates {
      // What is in the map of a folder is of both states, and what it says of its entries of one.
      for index in tree.nodes.indices { tree[index].entries = -1 }
    }
    let world = try MappedWorld(header: header, roots: roots, layout: assumedLayout)
    counts.shuffles = try tree.place(
      by: world.engine, labels: world.labels, shuffling: shuffling)
    counts.isPartial = header?.isPartial ?? false || hasGaps
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

  /// What holds for each folder that is in the map, whatever a filter has left out of it.
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

  /// What holds for a map that no filter was given for.
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

/// Something in a map that is not as the projection and the format have it: a counterexample.
public struct MapFault: Error, Sendable, Hashable {
  /// The number of the line, from 1; 0 if it is no single one.
  public var line: Int
  /// The node's path, raw; nil if it isn't about one.
  public var path: [UInt8]?
  /// What is wrong, as a sentence without its end.
  public var what: String
  /// What would be right, as it would be written.
  public var expected: [UInt8]?
  /// What was found in its place.
  public var found: [UInt8]?

  /// What is wrong with a path under which a file and a folder stand.
  static let bothFileAndFolder = "the path is that of a file and of a folder"

  init(
    line: Int, path: [UInt8]? = nil, what: String, expected: [UInt8]? = nil, found: [UInt8]? = nil
  ) {
    self.line = line
    self.path = path
    self.what = what
    self.expected = expected
    self.found = found
  }
}

extension MapFault {
  /// Two maps of one tree are not the same.
  package init(differing what: String) { self.init(line: 0, what: what) }
}

/// What was checked, and how often.
public struct VerifiedCounts: Sendable, Hashable {
  /// Folders whose features were written anew and compared.
  public var folders = 0
  /// Files whose features were written anew and compared.
  public var files = 0
  /// Nodes of these whose place follows from their path and the folders that are in the map.
  public var places = 0
  /// Files of these that are at one of two places, as folders that are not in the map may have their
  /// lot or not.
  public var openPlaces = 0
  /// How often a node was found strictly inside the land that holds it, on the decimals.
  public var containments = 0
  /// Pairs of neighbouring lands that were found apart, on the decimals.
  public var separations = 0
  /// Folders whose sub-folders were placed again from a shuffled listing.
  public var shuffles = 0
  /// Nodes whose zoom depends on entries that are not in the map.
  public var unknownZooms = 0
  /// Folders the number of whose entries is not that of those in the map.
  public var incompleteFolders = 0
  /// Whether the map says that a filter was given, or doesn't say that none was and is not whole.
  public var isPartial = false
  /// Whether a count of what was left out stands in the map, which nothing can confirm.
  public var hasExclusions = false

  /// Nodes that were checked.
  public var nodes: Int { folders + files }
}
