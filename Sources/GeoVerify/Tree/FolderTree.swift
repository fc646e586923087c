import GeoCore
import GeoProjection

/// The folders of a map, in its order, including those that only appear in paths.
///
/// The first reading fills it. Then all places that follow from the names are computed. The second
/// reading visits the same folders in the same order.
struct FolderTree: LinkedForest, Sendable {
  private(set) var nodes = ChunkedArray<FolderNode>()
  private var names: [UInt8] = []

  /// Of each folder; −1 for none.
  private var firsts: [Int32] = []
  private var nexts: [Int32] = []

  subscript(index: Int) -> FolderNode {
    get { nodes[index] }
    _modify { yield &nodes[index] }
  }

  package func name(of index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    return names[node.nameStart..<node.nameStart + Int(node.nameLength)]
  }

  mutating func append(_ name: ArraySlice<UInt8>, in parent: Int) -> Int {
    nodes.append(FolderNode(in: parent, nameStart: names.count, nameLength: name.count))
    names += name
    if parent >= 0 { nodes[parent].folders += 1 }
    return nodes.count - 1
  }

  var roots: [Int] { nodes.indices.filter { nodes[$0].parent < 0 } }

  package func parent(of index: Int) -> Int? {
    nodes[index].parent < 0 ? nil : Int(nodes[index].parent)
  }

  package func first(in parent: Int?) -> Int? {
    let first = parent.map { Int(firsts[$0]) } ?? (nodes.isEmpty ? -1 : 0)
    return first < 0 ? nil : first
  }

  package func next(after index: Int) -> Int? { nexts[index] < 0 ? nil : Int(nexts[index]) }

  private mutating func link() {
    firsts = [Int32](repeating: -1, count: nodes.count)
    nexts = firsts
    var root: Int32 = -1
    for index in nodes.indices.reversed() {
      let parent = Int(nodes[index].parent)
      if parent < 0 {
        nexts[index] = root
        root = Int32(index)
        continue
      }
      nexts[index] = firsts[parent]
      firsts[parent] = Int32(index)
    }
  }

  /// Computes the places that follow from the names, of the engine's roots; without an engine only
  /// the seeds. With a seed, the sub-folders of each folder are placed a second time in a random
  /// order. Returns how many listings were shuffled.
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
    for index in nodes.indices where firsts[index] >= 0 {
      let inner = subfolders(of: index)
      table.removeAll()
      for child in inner { table.append(Array(name(of: child)).span, kind: .directory) }
      let parent = nodes[index]
      let count = Int(parent.entries) - inner.count
      let areDecided =
        parent.isComplete || !parent.place.isLanded || engine?.layout == .pinned
      if parent.isPlaced, let engine {
        places = engine.contents(of: parent.place, folders: table, fileCount: max(0, count)).folders
        if areDecided, let seed, inner.count > 1 {
          try checkShuffled(table, places, in: index, fileCount: count, by: engine, seed: seed)
          shuffled += 1
        }
      }
      for (position, child) in inner.enumerated() {
        if parent.isPlaced {
          nodes[child].place = places[position]
          nodes[child].isPlaced = true
          nodes[child].isAssumed = parent.isAssumed || !areDecided
          nodes[child].hasZoom =
            places[position].isLanded || !parent.place.isLanded
            ? parent.hasZoom : parent.isComplete
        } else {
          nodes[child].place.seed = XXH64.hash(
            table.bytes.span.extracting(table.records[position].range), seed: parent.place.seed)
          nodes[child].place.depth = parent.place.depth + 1
        }
      }
      if !parent.isPlaced { places = inner.map { nodes[$0].place } }
      nodes[index].taken = LotSet(takenBy: places, depth: parent.place.depth)
    }
    return shuffled
  }

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
    let others = engine.contents(
      of: nodes[parent].place, folders: shuffled, fileCount: max(0, fileCount)
    ).folders
    for (position, index) in order.enumerated() where others[position] != places[index] {
      throw MapFault(
        line: 0, path: path(of: parent).appending(component: table.name(at: index)),
        what: "its place depends on the order in which its folder was listed")
    }
  }

}

struct FolderNode: Sendable {
  // Large properties come first, to avoid padding.

  /// Only the seed and the depth are valid unless ``isPlaced``.
  var place = FolderPlace(
    seed: 0, land: Quad.nowhere, depth: 0, digits: 13, minzoom: 0, isLanded: false)
  var nameStart: Int
  /// By its feature; −1 if unknown.
  var entries: Int64 = -1
  var nameLength: Int32
  /// −1 for a root.
  var parent: Int32
  var files: Int32 = 0
  var folders: Int32 = 0
  var taken = LotSet()
  var isWritten = false
  /// By its feature, a link to one of its own ancestors.
  var isLoop = false
  var isUnreadable = false
  /// Whether its place follows from the map, or is assumed.
  var isPlaced = false
  /// Its place holds only if no folder that is not in the map shares its lot, or that of a folder
  /// above. Its coast line shows whether it does.
  var isAssumed = false
  var hasZoom = false

  init(in parent: Int, nameStart: Int, nameLength: Int) {
    self.parent = Int32(parent)
    self.nameStart = nameStart
    self.nameLength = Int32(clamping: nameLength)
  }

  /// The largest number of entries of a listing: the names of more don't fit a ``NameTable``.
  static let maximumEntries: Int64 = 1 << 39

  var isComplete: Bool { entries == Int64(files) + Int64(folders) }
}

extension Quad {
  static var nowhere: Quad {
    let point = PlanPoint(x: 0, y: 0)
    return Quad(point, point, point, point)
  }
}

/// A folder around the current node, with the state that its contents are checked against.
struct FolderFrame {
  let index: Int
  var node: FolderNode
  /// The first sub-folder whose name isn't before that of the last file.
  var folder: Int
  var totals: FolderTotals?
  var fileZoom: UInt8?
  var city: City?
  var digits: UInt8 = 13
  /// Nil if it has no land or unknown land.
  var ring: ExactRing?
  var neighbours = Neighbours()

  var minimumZoom: UInt8 { node.hasZoom || node.isWritten ? node.place.minzoom : 0 }

  init(_ index: Int, in tree: FolderTree) {
    self.index = index
    node = tree[index]
    folder = tree.first(in: index) ?? -1
  }

  mutating func dropPlace() {
    (node.isPlaced, node.isAssumed, node.hasZoom) = (false, false, false)
  }
}

/// Follows the order of a map from folder to folder.
struct FolderWalk {
  /// The numbers of the folders on the path, and where it has their names.
  private var folders: [(number: Int, end: Int)] = []
  private(set) var path: [UInt8] = []

  /// −1 above all roots.
  var folder: Int { folders.last?.number ?? -1 }
  /// 0 above all roots, 1 for a root.
  var level: Int { folders.count }

  /// Leaves the folders that don't contain a target.
  mutating func leave(towards target: ArraySlice<UInt8>) {
    while !folders.isEmpty, !target.isPath(atOrBelow: path) {
      folders.removeLast()
      path.removeSubrange((folders.last?.end ?? 0)...)
    }
  }

  /// The name of the next folder to enter; nil at the target.
  func name(towards target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let rest = target.dropFirst(path.count)
    return rest.isEmpty ? nil : rest.dropFirst(folders.isEmpty ? 0 : 1).firstComponent
  }

  mutating func enter(_ folder: Int, _ name: ArraySlice<UInt8>) {
    if !folders.isEmpty { path.append(.slash) }
    path += name
    folders.append((folder, path.count))
  }
}
