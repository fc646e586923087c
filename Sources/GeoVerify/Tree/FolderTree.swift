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
