import GeoCore
import GeoProjection

/// The folders that a map speaks of, in its order: what memory is needed for.
///
/// It is filled while the map is read for the first time. Then all places that follow from the names
/// are computed. While the map is read again the same walk leads to the same folders.
struct FolderTree: Sendable {
  private(set) var nodes = ChunkedArray<FolderNode>()
  private var names: [UInt8] = []

  /// The first one in each folder, and the next one after each; −1 if there is none.
  private var first: [Int32] = []
  private var next: [Int32] = []

  subscript(index: Int) -> FolderNode {
    get { nodes[index] }
    _modify { yield &nodes[index] }
  }

  func name(of index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    return names[node.nameStart..<node.nameStart + Int(node.nameLength)]
  }

  mutating func append(_ name: ArraySlice<UInt8>, in parent: Int) -> Int {
    nodes.append(FolderNode(in: parent, nameStart: names.count, nameLength: name.count))
    names += name
    if parent >= 0 { nodes[parent].folders += 1 }
    return nodes.count - 1
  }

  /// The roots in the order of the map.
  var roots: [Int] { nodes.indices.filter { nodes[$0].parent < 0 } }

  /// How long a folder's name is, and what it is in.
  func surroundings(of index: Int) -> (nameLength: Int, parent: Int) {
    (Int(nodes[index].nameLength), Int(nodes[index].parent))
  }

  /// The first folder in one, in the order of the map; −1 if there is none.
  func firstFolder(in parent: Int) -> Int { Int(first[parent]) }

  /// The folder that follows one in the same folder; −1 if there is none.
  func folder(after index: Int) -> Int { Int(next[index]) }

  /// The folders in a folder, in the order of the map.
  private func folders(in parent: Int) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(Int(nodes[parent].folders))
    var index = Int(first[parent])
    while index >= 0 {
      result.append(index)
      index = Int(next[index])
    }
    return result
  }

  /// Links each folder to those that it holds.
  private mutating func link() {
    first = [Int32](repeating: -1, count: nodes.count)
    next = first
    for index in nodes.indices.reversed() {
      let parent = Int(nodes[index].parent)
      if parent < 0 { continue }
      next[index] = first[parent]
      first[parent] = Int32(index)
    }
  }

  /// Computes what follows from the names.
  ///
  /// - Parameters:
  ///   - engine: Of the world that the map is of; nil if it isn't known, and then there are seeds
  ///     alone.
  ///   - labels: Those of the engine's roots.
  ///   - shuffling: What decides about an order in which the sub-folders of each folder are handed to
  ///     the engine once more; nil for not at all.
  /// - Returns: How many listings were shuffled.
  mutating func place(
    by engine: GeoProjectionEngine?, labels: [[UInt8]], shuffling seed: UInt64?
  ) throws(MapFault) -> Int {
    link()
    let positions = Dictionary(
      zip(labels, labels.indices), uniquingKeysWith: { first, _ in first })
    for index in roots {
      let label = Array(name(of: index))
      nodes[index].place.seed = XXH64.hash(label.span, seed: 0)
      if let engine, let position = positions[label] {
        nodes[index].place = engine.roots[position]
        nodes[index].isPlaced = true
        nodes[index].hasZoom = true
      }
    }
    var shuffled = 0
    var table = NameTable()
    var places: [FolderPlace] = []
    for index in nodes.indices where first[index] >= 0 {
      let inner = folders(in: index)
      table.removeAll()
      for child in inner { table.append(Array(name(of: child)).span, kind: .directory) }
      let parent = nodes[index]
      let count = Int(parent.entries) - inner.count
      let arePlaced =
        parent.isPlaced
        && (parent.isComplete || !parent.place.isLanded || engine?.layout == .pinned)
      if arePlaced, let engine {
        engine.placeFolders(table, in: parent.place, fileCount: max(0, count), into: &places)
        if let seed, inner.count > 1 {
          try checkShuffled(table, places, in: index, fileCount: count, by: engine, seed: seed)
          shuffled += 1
        }
      }
      for (position, child) in inner.enumerated() {
        if arePlaced {
          nodes[child].place = places[position]
          nodes[child].isPlaced = true
          nodes[child].hasZoom =
            places[position].isLanded || !parent.place.isLanded
            ? parent.hasZoom : parent.isComplete
        } else {
          nodes[child].place.seed = XXH64.hash(
            table.bytes.span.extracting(table.records[position].range), seed: parent.place.seed)
          nodes[child].place.depth = parent.place.depth + 1
        }
      }
      if !arePlaced { places = inner.map { nodes[$0].place } }
      nodes[index].taken = LotSet(takenBy: places, depth: parent.place.depth)
    }
    return shuffled
  }

  /// Places sub-folders again, from a listing in another order.
  private func checkShuffled(
    _ table: NameTable, _ places: [FolderPlace], in parent: Int, fileCount: Int,
    by engine: GeoProjectionEngine, seed: UInt64
  ) throws(MapFault) {
    var order = Array(places.indices)
    for last in order.indices.reversed().dropLast() {
      let number = SplitMix64.number(seed &+ UInt64(parent), UInt64(last))
      order.swapAt(last, Int(number % UInt64(last + 1)))
    }
    var shuffled = NameTable()
    for index in order { shuffled.append(from: table, at: index) }
    var others: [FolderPlace] = []
    engine.placeFolders(
      shuffled, in: nodes[parent].place, fileCount: max(0, fileCount), into: &others)
    for (position, index) in order.enumerated() where others[position] != places[index] {
      throw MapFault(
        line: 0, path: path(of: parent).appending(component: table.name(at: index)),
        what: "its place depends on the order in which its folder was listed")
    }
  }

  /// The path of a folder.
  func path(of index: Int) -> [UInt8] {
    var names: [[UInt8]] = []
    var index = index
    while index >= 0 {
      names.append(Array(name(of: index)))
      index = Int(nodes[index].parent)
    }
    return Array(names.reversed().joined(separator: [.slash]))
  }
}

/// A folder that a map speaks of: all that is kept of it.
struct FolderNode: Sendable {
  // The large parts come first, so that nothing is lost between them.

  /// Where it is; only the seed and the depth hold unless ``isPlaced``.
  var place = FolderPlace(
    seed: 0, land: Quad.nowhere, depth: 0, digits: 13, minzoom: 0, isLanded: false)
  /// Where its name begins among those of all folders.
  var nameStart: Int
  /// How many entries it says it has; −1 if it doesn't say.
  var entries: Int64 = -1
  var nameLength: Int32
  /// The number of the folder that it is in; −1 for a root.
  var parent: Int32
  /// Entries of the map that are in it.
  var files: Int32 = 0
  var folders: Int32 = 0
  /// The lots that those folders have.
  var taken = LotSet()
  /// Whether it has a feature of its own.
  var isWritten = false
  /// Whether it says that it is one of its own ancestors, reached by a link.
  var isLoop = false
  /// Whether its place follows from what is in the map.
  var isPlaced = false
  /// Whether its zoom does, too.
  var hasZoom = false

  init(in parent: Int, nameStart: Int, nameLength: Int) {
    self.parent = Int32(parent)
    self.nameStart = nameStart
    self.nameLength = Int32(clamping: nameLength)
  }

  /// More entries than this no listing has: the names of as many fill what a ``NameTable`` holds.
  static let mostEntries: Int64 = 1 << 39

  /// Whether all its entries are in the map.
  var isComplete: Bool { entries == Int64(files) + Int64(folders) }
}

extension Quad {
  /// The land of a folder of which no land is known.
  static var nowhere: Quad {
    let point = PlanPoint(x: 0, y: 0)
    return Quad(point, point, point, point)
  }
}

/// A folder that a walk is in, with what its contents are checked against.
struct FolderFrame {
  /// Its number in the tree.
  let index: Int
  var node: FolderNode
  /// The first of its sub-folders whose name doesn't come before that of the last file.
  var folder: Int
  /// What it says of all that is below it.
  var totals: FolderTotals?
  /// The zoom of its files, which all have the same.
  var fileZoom: UInt8?
  /// Where its files are, once there is one.
  var city: City?
  /// Decimals of its files.
  var digits: UInt8 = 13
  /// Its coast line; nil if it has no land, or none that is known.
  var ring: ExactRing?
  /// The coast lines of its sub-folders so far.
  var neighbours = Neighbours()

  /// What is in it can't be seen before this zoom.
  var leastZoom: UInt8 { node.hasZoom || node.isWritten ? node.place.minzoom : 0 }

  init(_ index: Int, in tree: FolderTree) {
    self.index = index
    node = tree[index]
    folder = tree.firstFolder(in: index)
  }
}

/// Follows the order of a map from folder to folder.
struct FolderWalk {
  /// The folder that the walk is in; −1 for that of all roots.
  private(set) var folder = -1
  /// Its path.
  private(set) var path: [UInt8] = []
  /// How deep it is: 0 for the folder of all roots, 1 for a root.
  private(set) var level = 0

  /// Goes to a folder: out of those that it isn't in, then into those on the way that weren't met.
  ///
  /// - Parameters:
  ///   - target: Its path.
  ///   - nameLength: Tells how long a folder's name is, and what it is in.
  ///   - enter: Tells the number of a folder that is met now, of a name, in another one.
  mutating func go(
    to target: ArraySlice<UInt8>, _ around: (Int) -> (nameLength: Int, parent: Int),
    enter: (ArraySlice<UInt8>, Int) throws(MapFault) -> Int
  ) throws(MapFault) {
    while folder >= 0, !target.isPath(atOrBelow: path) {
      let (length, parent) = around(folder)
      path.removeLast(min(path.count, parent < 0 ? length : length + 1))
      folder = parent
      level -= 1
    }
    var start = target.startIndex + (folder < 0 ? 0 : path.count)
    while start < target.endIndex {
      if folder >= 0 { start += 1 }
      let end = target[start...].firstIndex(of: .slash) ?? target.endIndex
      folder = try enter(target[start..<end], folder)
      if !path.isEmpty || level > 0 { path.append(.slash) }
      path += target[start..<end]
      level += 1
      start = end
    }
  }
}
